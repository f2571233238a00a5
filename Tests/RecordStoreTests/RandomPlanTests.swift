import FileSystem
import Foundation
import Predicates
import Schema
import StoreContract
import Testing

@testable import RecordStore

/// How many random schemas to try; `SEEDS` asks for more.
private let seedCount = Int(ProcessInfo.processInfo.environment["SEEDS"] ?? "") ?? 30

@Suite("Random plans")
struct RandomPlanTests {
  @Test("Every plan returns what reading every row returns, whatever indexes there are", arguments: 0..<seedCount)
  func againstScan(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed) &+ 0xF37C)
    var world = RandomWorld(&random)
    let store = try TestStore.memory(world.schema)
    for _ in 0..<3 { try world.change(store, &random) }
    let view = store.latest
    try view.checkInvariants()
    for _ in 0..<120 {
      let entity = Int.random(in: 0..<world.schema.entities.count, using: &random)
      let format = world.predicate(entity, depth: 2, &random)
      let binder = PredicateBinder(schema: world.schema, entity: entity, store: store.identifier)
      var plan = FetchPlan(entity: entity, includesSubentities: Int.random(in: 0..<4, using: &random) > 0)
      if let format {
        let arguments: [Any] = format.keys.map { PlanKey(key: $0) }
        plan.predicate = try binder.bind(NSPredicate(format: format.text, argumentArray: arguments))
      }
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let key = world.sortKey(entity, &random)
        plan.sort.append(try binder.bind(NSSortDescriptor(key: key, ascending: Bool.random(using: &random))))
      }
      plan.limit = [0, 0, 1, 3, 20].randomElement(using: &random)!
      plan.offset = [0, 0, 0, 2, 15].randomElement(using: &random)!
      let report = FetchReport()
      let found = try view.keys(for: plan, overlay: nil, report: report)
      let wanted = try scan(view, plan)
      #expect(found == wanted, "\(format?.text ?? "all"), sort \(plan.sort.map(\.path)), by \(report.access)")
      #expect(try view.count(for: plan) == wanted.count, "\(format?.text ?? "all")")
      #expect(report.rowsReturned == wanted.count && !report.access.isEmpty)
    }
  }

  @Test("Joins, unions, joint constraints and index orders are all used by random plans")
  func coverage() throws {
    var seen: Set<String> = []
    for seed in 0..<12 {
      var random = SeededGenerator(seed: UInt64(seed) &+ 0xF37C)
      var world = RandomWorld(&random)
      let store = try TestStore.memory(world.schema)
      for _ in 0..<3 { try world.change(store, &random) }
      for _ in 0..<120 {
        let entity = Int.random(in: 0..<world.schema.entities.count, using: &random)
        guard let format = world.predicate(entity, depth: 1, &random) else { continue }
        let binder = PredicateBinder(schema: world.schema, entity: entity, store: store.identifier)
        let arguments: [Any] = format.keys.map { PlanKey(key: $0) }
        var plan = FetchPlan(entity: entity, limit: 3)
        plan.predicate = try binder.bind(NSPredicate(format: format.text, argumentArray: arguments))
        plan.sort = [try binder.bind(NSSortDescriptor(key: world.sortKey(entity, &random), ascending: true))]
        let report = FetchReport()
        _ = try store.latest.keys(for: plan, overlay: nil, report: report)
        for word in ["every row of", "found by", " or ", "index on", "unique", ", in its order", "objects by key"]
        where report.access.contains(word) { seen.insert(word) }
        if report.order.hasPrefix("by index") { seen.insert("order") }
      }
    }
    #expect(seen.count == 8, "\(seen)")
  }

  /// What a plan must give, by reading everything.
  private func scan(_ view: RecordView, _ plan: FetchPlan) throws -> [ObjectKey] {
    let entities = plan.includesSubentities ? view.schema.descendants[plan.entity] : [plan.entity]
    var rows: [Row] = []
    for entity in entities {
      try view.root.forEachRow(entity, view.core.plan, view.core.blocks) { rows.append($0) }
    }
    rows = try rows.filter { try plan.predicate?.matches($0, in: view) ?? true }
    try rows.sort { a, b in
      for sort in plan.sort {
        let order = try sort.compare(a, b, in: view)
        if order != 0 { return order < 0 }
      }
      return a.key < b.key
    }
    let end = plan.limit > 0 ? min(plan.offset + plan.limit, rows.count) : rows.count
    return rows[min(plan.offset, end)..<max(min(plan.offset, end), end)].map(\.key)
  }
}

private struct PlanKey: ObjectKeyConvertible {
  let key: ObjectKey
  func objectKey(inStore identifier: UUID) -> ObjectKey? { key }
  var predicateIdentity: AnyHashable { key }
}
