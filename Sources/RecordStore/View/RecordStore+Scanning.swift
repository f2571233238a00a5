package import Schema
package import StoreContract

extension RecordStore {
  /// Calls `body` with each row of a view that a plan's predicate holds for, in the order that costs least, until it
  /// returns false. The plan's order and window are not heeded.
  package static func forEachRow(
    _ view: any StoreView, _ plan: FetchPlan, _ body: (Row) throws(StoreError) -> Bool
  ) throws(StoreError) {
    guard let view = view as? RecordView else {
      for key in try view.keys(for: plan, overlay: nil) {
        guard let row = try view.row(for: key) else { continue }
        guard try body(row) else { return }
      }
      return
    }
    if plan.predicate?.constantResult == false { return }
    let executor = FetchExecutor(view: view, plan: plan, overlay: nil, report: nil)
    try executor.forEachMatch(of: try executor.choice(), body)
  }
}
