import Predicates
import Schema
import StoreContract

extension RecordView {
  /// Dictionaries: rows go into groups as they are found, in the order they lie, without a list of keys in between.
  func table(for plan: TablePlan, report: FetchReport?) throws(StoreError) -> [TableRow] {
    var builder = TableBuilder(plan.table)
    guard plan.table.isGrouped else {
      try add(rowsOf: plan, to: &builder, report: report)
      return try rows(of: &builder, plan, report)
    }
    let executor = FetchExecutor(view: self, plan: plan.rowPlan, overlay: nil, report: report)
    if plan.rows.predicate?.constantResult != false {
      try executor.forEachMatch(of: try executor.choice()) { row throws(StoreError) in
        try builder.add(row, in: self)
        return true
      }
    } else {
      report?.access = "nothing can match"
    }
    report?.order = "grouped"
    return try rows(of: &builder, plan, report)
  }
}
