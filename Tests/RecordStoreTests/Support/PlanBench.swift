import Foundation
import Predicates
import Schema
import StoreContract

@testable import RecordStore

/// A question to a store: what a plan is made from.
struct PlanCase: CustomStringConvertible {
  var entity: Int
  var includesSubentities = true
  var predicate: NSPredicate?
  var sort: [RandomSort] = []
  var limit = 0
  var offset = 0

  var description: String {
    let sorted = sort.isEmpty ? "" : ", sorted by \(sort.map(\.description).joined(separator: ", "))"
    let window = limit == 0 && offset == 0 ? "" : ", \(limit) from \(offset)"
    let subentities = includesSubentities ? "" : " without those below"
    return "E\(entity)\(subentities) where \(predicate.map { "\($0)" } ?? "anything")\(sorted)\(window)"
  }

  /// Simpler cases that may fail the same way.
  var simpler: [PlanCase] {
    var cases: [PlanCase] = []
    func add(_ change: (inout PlanCase) -> Void) {
      var copy = self
      change(&copy)
      cases.append(copy)
    }
    if predicate != nil { add { $0.predicate = nil } }
    if let compound = predicate as? NSCompoundPredicate {
      let parts = compound.subpredicates
      for part in parts { add { $0.predicate = part } }
      if parts.count > 2 {
        for index in parts.indices {
          var fewer = parts
          fewer.remove(at: index)
          add { $0.predicate = NSCompoundPredicate(type: compound.compoundPredicateType, subpredicates: fewer) }
        }
      }
    }
    for index in sort.indices { add { $0.sort.remove(at: index) } }
    if limit > 0 { add { $0.limit = 0 } }
    if offset > 0 { add { $0.offset = 0 } }
    if limit > 1 { add { $0.limit = 1 } }
    if !includesSubentities { add { $0.includesSubentities = true } }
    return cases
  }
}

/// A random store, and what its fetches must give: by reading everything.
struct PlanBench {
  let seed: Int
  let world: RandomWorld
  let store: RecordStore
  let view: RecordView

  /// - Parameter removed: objects deleted at the end, for making a failing case smaller.
  init(seed: Int, without removed: [ObjectKey] = []) throws {
    self.seed = seed
    var random = SeededGenerator(seed: UInt64(seed) &+ 0xF37C)
    // Most are small, so that there can be many cases; in some an index leaves out most rows.
    let rowsMax = seed % 16 == 0 ? 400 : seed % 4 == 0 ? 60 : 16
    var world = RandomWorld(&random, rowsMax: rowsMax)
    let store = try TestStore.memory(world.schema)
    for _ in 0..<2 { try world.change(store, &random) }
    if !removed.isEmpty {
      let draft = Draft(store)
      for key in removed { try draft.delete(key) }
      try draft.commit()
    }
    self.world = world
    self.store = store
    view = store.latest
  }

  func random(_ number: Int) -> SeededGenerator {
    SeededGenerator(seed: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(number))
  }

  /// A random question about one entity; without sort and window.
  func question(_ random: inout SeededGenerator) throws -> PlanCase {
    let entity = Int.random(in: 0..<world.schema.entities.count, using: &random)
    var question = PlanCase(entity: entity, includesSubentities: Int.random(in: 0..<4, using: &random) > 0)
    if Int.random(in: 0..<12, using: &random) > 0 {
      let format = world.predicate(entity, depth: Int.random(in: 0...2, using: &random), &random)
      question.predicate = try NSPredicate(parsing: format.text, arguments: format.keys.map { PlanKey(key: $0) })
    }
    return question
  }

  func plan(_ question: PlanCase) throws -> FetchPlan {
    let binder = PredicateBinder(schema: world.schema, entity: question.entity, store: store.identifier)
    var plan = FetchPlan(
      entity: question.entity, includesSubentities: question.includesSubentities, limit: question.limit,
      offset: question.offset)
    if let predicate = question.predicate { plan.predicate = try binder.bind(predicate) }
    for sort in question.sort {
      let selector = sort.selector.map { Selector($0) }
      plan.sort.append(
        try binder.bind(NSSortDescriptor(key: sort.key, ascending: sort.isAscending, selector: selector)))
    }
    return plan
  }

  /// The rows that a plan is about, whatever its order and window.
  func matches(_ plan: FetchPlan) throws -> [Row] {
    let entities = plan.includesSubentities ? view.schema.descendants[plan.entity] : [plan.entity]
    var rows: [Row] = []
    for entity in entities {
      try view.root.forEachRow(entity, view.core.plan, view.core.blocks) { rows.append($0) }
    }
    return try rows.filter { try plan.predicate?.matches($0, in: view) ?? true }
  }

  /// Rows in a plan's order.
  func ordered(_ rows: [Row], _ plan: FetchPlan) throws -> [ObjectKey] {
    try rows.sorted { a, b in
      for sort in plan.sort {
        let order = try sort.compare(a, b, in: view)
        if order != 0 { return order < 0 }
      }
      return a.key < b.key
    }.map(\.key)
  }

  static func window(_ keys: [ObjectKey], _ plan: FetchPlan) -> [ObjectKey] {
    let rest = keys.dropFirst(plan.offset)
    return Array(plan.limit > 0 ? rest.prefix(plan.limit) : rest)
  }

  /// What a plan gives that it should not, when it must give certain keys; `nil` if all is well.
  func failure(_ plan: FetchPlan, _ wanted: [ObjectKey], counting: Bool = true) throws -> String? {
    let report = FetchReport()
    let found = try view.keys(for: plan, overlay: nil, report: report)
    if found != wanted {
      return "\(found) instead of \(wanted), by \(report.access), \(report.order)"
    }
    if report.rowsReturned != wanted.count || report.access.isEmpty { return "reported \(report.rowsReturned) rows" }
    if counting {
      let count = try view.count(for: plan)
      if count != wanted.count { return "counted \(count) instead of \(wanted.count)" }
    }
    return nil
  }

  /// What is wrong with a case, everything included: plan, count, and the evaluation in memory.
  func failure(_ question: PlanCase) throws -> String? {
    let plan = try plan(question)
    let rows = try matches(plan)
    if let failure = try failure(plan, Self.window(try ordered(rows, plan), plan)) { return failure }
    return try question.predicate.flatMap { try disagreement($0, plan, rows) }
  }

  /// Where the predicate says otherwise of objects in memory than of their rows.
  func disagreement(_ predicate: NSPredicate, _ plan: FetchPlan, _ rows: [Row]) throws -> String? {
    let matching = Set(rows.map(\.key))
    var everything = plan
    everything.predicate = nil
    let objects = MemoryObjects(view)
    for row in try matches(everything) {
      let isMatch = try predicate.matches(objects.object(row.key))
      if isMatch != matching.contains(row.key) { return "\(row.key) \(isMatch ? "matches" : "differs") in memory only" }
    }
    return nil
  }

  /// The simplest failing case, and the fewest objects it fails with.
  static func shrunk(_ question: PlanCase, seed: Int) throws -> String {
    var question = question
    let bench = try PlanBench(seed: seed)
    while let next = question.simpler.first(where: { (try? bench.failure($0)) ?? nil != nil }) { question = next }
    var removed: [ObjectKey] = []
    var rest = try (0..<3).flatMap { try bench.view.all($0) }.uniqued()
    var size = max(1, rest.count / 2)
    var stepsLeft = 400
    while stepsLeft > 0 {
      var start = 0
      var isSmaller = false
      while start < rest.count, stepsLeft > 0 {
        stepsLeft -= 1
        let chunk = Array(rest[start..<min(start + size, rest.count)])
        if let smaller = try? PlanBench(seed: seed, without: removed + chunk),
          let failure = try? smaller.failure(question), !failure.isEmpty
        {
          removed += chunk
          rest.removeSubrange(start..<start + chunk.count)
          isSmaller = true
        } else {
          start += size
        }
      }
      if size == 1, !isSmaller { break }
      size = max(1, size / 2)
    }
    let small = try PlanBench(seed: seed, without: removed)
    return "seed \(seed): \(question): \(try small.failure(question) ?? "") with \(rest)"
  }
}

/// An object as an argument of a format.
struct PlanKey: ObjectKeyConvertible {
  let key: ObjectKey
  func objectKey(inStore identifier: UUID) -> ObjectKey? { key }
  var predicateIdentity: AnyHashable { key }
}

/// The objects of a view as memory would have them, made when somebody asks.
final class MemoryObjects {
  private let view: RecordView
  private var known: [ObjectKey: Object] = [:]

  init(_ view: RecordView) { self.view = view }

  func object(_ key: ObjectKey) -> Object {
    if let known = known[key] { return known }
    let object = Object(key: key, self)
    known[key] = object
    return object
  }

  final class Object: KeyValueObject, ObjectKeyConvertible {
    let key: ObjectKey
    private unowned let all: MemoryObjects

    init(key: ObjectKey, _ all: MemoryObjects) {
      self.key = key
      self.all = all
    }

    func objectKey(inStore identifier: UUID) -> ObjectKey? { key }
    var predicateIdentity: AnyHashable { key }

    func predicateValue(forKey name: String) -> Any? {
      let entity = all.view.schema.entities[all.view.entityIndex(of: key)]
      if name == "entity" { return ["name": entity.name] }
      guard let property = entity.propertyIndexByName[name], let row = try? all.view.row(for: key) else { return nil }
      if entity.properties[property].relationship?.isToMany == true {
        return (try? all.view.members(key, property).map { all.object($0) as Any }) ?? []
      }
      guard let slot = entity.layout.slots[property], !row.isNull(slot) else { return nil }
      switch row.value(slot) {
      case .object(let target):
        // As a row does: where nothing is any more there is no object.
        guard let found = try? all.view.row(for: target), found.key == target else { return PlanKey(key: target) }
        return all.object(target)
      case .bool(let flag): return flag
      case .int(let number): return number
      case .float(let number): return number
      case .double(let number): return number
      case .decimal(let number): return number
      case .string(let text): return text
      case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
      case .data(let data): return data
      case .uuid(let uuid): return uuid
      case .url(let text): return URL(string: text)
      case .null: return nil
      }
    }
  }
}

extension Array where Element: Hashable {
  func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
