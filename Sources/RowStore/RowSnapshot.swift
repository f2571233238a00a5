internal import Foundation
internal import RecordStore
public import Schema
internal import StoreContract

/// One committed state of a store. Taking one costs a load; it never changes, may be read from any thread while others
/// write, and never waits for them.
public struct RowSnapshot: Sendable {
  let view: any StoreView
  let catalogue: TableCatalogue
  let identifier: UUID

  /// Number of the last transaction it contains.
  public var transactionNumber: UInt64 { view.commitNumber }

  /// The row with a key; `nil` if there is none. Costs a lookup, and a read of its block unless that is at hand.
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  public func row(_ key: ObjectKey) throws -> StoredRow? {
    guard !key.isTemporary, let row = try view.row(for: key) else { return nil }
    return StoredRow(row: row, catalogue: catalogue, tableIndex: view.entityIndex(of: key))
  }

  /// Rows of a table that match a predicate, in an order. Without an order they come as they were inserted.
  ///
  /// - Parameters:
  ///   - format: a predicate's format text over columns: `"year > %@ AND author.name BEGINSWITH[c] %@"`. What it means
  ///     is what it means in a fetch request. Indexes are used where they help.
  ///   - arguments: what stands for `%@`, `%d`, `%K` in it; a row is meant by its `ObjectKey`.
  ///   - limit: 0 for all.
  /// - Throws: `QueryError` for a mistake in the predicate or the order, `RowStoreError` for an unknown table,
  ///   `StoreError` where the store cannot be read.
  public func rows(
    _ table: String, where format: String? = nil, _ arguments: [Any] = [], orderBy order: [RowOrder] = [],
    limit: Int = 0, offset: Int = 0
  ) throws -> [StoredRow] {
    let keys = try keys(table, where: format, arguments, orderBy: order, limit: limit, offset: offset)
    return try keys.compactMap { try row($0) }
  }

  /// As `rows`, keys only: nothing is kept in memory but them.
  public func keys(
    _ table: String, where format: String? = nil, _ arguments: [Any] = [], orderBy order: [RowOrder] = [],
    limit: Int = 0, offset: Int = 0
  ) throws -> [ObjectKey] {
    let plan = try plan(table, format, arguments, order, limit, offset)
    return try view.keys(for: plan, overlay: nil)
  }

  /// How many rows of a table match a predicate.
  public func count(_ table: String, where format: String? = nil, _ arguments: [Any] = []) throws -> Int {
    try view.count(for: plan(table, format, arguments, [], 0, 0))
  }

  /// The first row whose columns have these values: a lookup where they are a unique key.
  public func first(_ table: String, with values: KeyValuePairs<String, Value>) throws -> StoredRow? {
    let index = try catalogue.table(table)
    var format: [String] = []
    var arguments: [Any] = []
    for (column, value) in values {
      let property = try catalogue.property(column, index)
      format.append("%K == %@")
      arguments += [column, try argument(value, property, index)]
    }
    return try rows(table, where: format.isEmpty ? nil : format.joined(separator: " AND "), arguments, limit: 1).first
  }

  /// The rows that a column of links leads to, or that refer to a row, when `name` is the other end of a reference.
  public func members(of key: ObjectKey, _ name: String) throws -> [ObjectKey] {
    let table = view.entityIndex(of: key)
    let property = try catalogue.property(name, table)
    var members: [ObjectKey] = []
    try view.forEachMember(of: key, relationship: property) { member in
      members.append(member)
      return true
    }
    return members
  }

  /// Calls `body` with each matching row of a table until it returns false, in no particular order and without holding
  /// more than a block at a time: the way to look at every row of a large table.
  public func forEachRow(
    _ table: String, where format: String? = nil, _ arguments: [Any] = [], _ body: (StoredRow) throws -> Bool
  ) throws {
    let plan = try plan(table, format, arguments, [], 0, 0)
    var failure: (any Error)?
    try RecordStore.forEachRow(view, plan) { row in
      do {
        return try body(StoredRow(row: row, catalogue: catalogue, tableIndex: plan.entity))
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
  }

  private func plan(
    _ table: String, _ format: String?, _ arguments: [Any], _ order: [RowOrder], _ limit: Int, _ offset: Int
  ) throws -> FetchPlan {
    let index = try catalogue.table(table)
    let binder = PredicateBinder(schema: catalogue.schema, entity: index, store: identifier) { constant in
      (constant as? ObjectKey).map { .object($0) }
    }
    var plan = FetchPlan(entity: index, limit: max(0, limit), offset: max(0, offset))
    if let format { plan.predicate = try binder.bind(NSPredicate(parsing: format, arguments: arguments)) }
    plan.sort = try order.map { try binder.bind(NSSortDescriptor(key: $0.keyPath, ascending: $0.isAscending)) }
    return plan
  }

  private func argument(_ value: Value, _ property: Int, _ table: Int) throws -> Any {
    switch value {
    case .null: NSNull()
    case .bool(let flag): NSNumber(value: flag)
    case .int(let number): NSNumber(value: number)
    case .float(let number): NSNumber(value: number)
    case .double(let number): NSNumber(value: number)
    case .decimal(let number): NSDecimalNumber(decimal: number)
    case .string(let text): text
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .data(let data): data
    case .uuid(let uuid): uuid
    case .url(let text): URL(string: text) ?? text
    case .object(let key): key
    }
  }
}
