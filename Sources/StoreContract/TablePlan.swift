public import Predicates
public import Schema

/// What a fetch of dictionaries asks a store for: which rows, and what to make of them.
public struct TablePlan: Sendable {
  /// The rows. Its window is that of the results; its sort counts only where `table.rowSort` says so.
  public var rows: FetchPlan
  /// The columns.
  public var table: BoundTable

  public init(rows: FetchPlan, table: BoundTable) {
    self.rows = rows
    self.table = table
  }

  /// Whether rows can be put in order and cut to the window before anything is computed from them.
  public var cutsRows: Bool { table.rowSort != nil && !table.isDistinct }

  /// The plan of the rows that have to be read.
  public var rowPlan: FetchPlan {
    var plan: FetchPlan = rows
    plan.sort = table.rowSort ?? []
    if cutsRows { return plan }
    plan.limit = 0
    plan.offset = 0
    return plan
  }
}

extension StoreView {
  /// Results made of the rows one by one: right for every store.
  ///
  /// - Parameter number: of this view among those whose rows make up the results.
  public func add(
    rowsOf plan: TablePlan, to builder: inout TableBuilder, number: Int = 0, report: FetchReport? = nil
  ) throws(StoreError) {
    for key in try keys(for: plan.rowPlan, overlay: nil, report: report) {
      guard let row = try row(for: key) else { continue }
      try builder.add(row, in: self, number: number)
    }
  }

  public func table(for plan: TablePlan, report: FetchReport?) throws(StoreError) -> [TableRow] {
    var builder = TableBuilder(plan.table)
    try add(rowsOf: plan, to: &builder, report: report)
    return try rows(of: &builder, plan, report)
  }

  /// What a builder made of this view's rows.
  public func rows(
    of builder: inout TableBuilder, _ plan: TablePlan, _ report: FetchReport?
  ) throws(StoreError) -> [TableRow] {
    let rows: [TableRow] =
      plan.cutsRows
      ? try builder.rows(sources: [self])
      : try builder.rows(offset: plan.rows.offset, limit: plan.rows.limit, sources: [self])
    report?.rowsReturned = rows.count
    return rows
  }
}
