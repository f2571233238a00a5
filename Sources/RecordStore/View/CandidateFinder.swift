import Predicates
import Schema

/// Chooses an index for a predicate: the terms that every match meets say what can be looked up.
struct CandidateFinder {
  let view: RecordView
  let entities: [Int]

  /// A range is looked up only where it leaves out most objects; otherwise reading them in order is faster.
  private static let rangeShareMax = 4

  /// Keys among which all matches are, ascending, or `nil` when no index helps.
  func candidates(for predicate: BoundPredicate) throws(StoreError) -> [ObjectKey]? {
    var best: [ObjectKey]?
    for term in predicate.terms {
      guard let keys = try keys(for: term, entity: predicate.entity) else { continue }
      if best.map({ keys.count < $0.count }) ?? true { best = keys }
      if let best, best.count <= 1 { break }
    }
    guard let best else { return nil }
    var wanted = Set<Int>()
    for entity in entities { wanted.insert(view.core.plan.entityNumbers[entity]) }
    var keys = best.filter { !$0.isTemporary && wanted.contains($0.entityNumber) }
    keys.sort()
    var previous: ObjectKey?
    keys.removeAll { key in
      defer { previous = key }
      return key == previous
    }
    return keys
  }

  private func keys(for term: BoundTerm, entity: Int) throws(StoreError) -> [ObjectKey]? {
    let plan = view.core.plan.entities[entity]
    switch term {
    case .keys(let keys): return keys
    case .oneOf(let property, let values): return keys(plan, property, values)
    case .prefix(let property, let text):
      guard let index = plan.fetches.first(where: { $0.property == property }) else { return nil }
      var bytes = Array(text.utf8.prefix(8))
      let length = bytes.count
      while bytes.count < 8 { bytes.append(0) }
      let low = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let high = length == 8 ? low : low | (UInt64.max >> UInt64(length * 8))
      return try range(view.root.fetches[index.index], low, high)
    case .range(let property, let lower, let upper):
      guard let index = plan.fetches.first(where: { $0.property == property }) else { return nil }
      let kind = index.slot.kind
      let low = lower.map { IndexCode.ordered($0.value, kind: kind) } ?? 0
      let high = upper.map { IndexCode.ordered($0.value, kind: kind) } ?? .max
      guard let low, let high, low <= high else { return nil }
      return try range(view.root.fetches[index.index], low, high)
    }
  }

  private func keys(_ plan: EntityPlan, _ property: Int, _ values: [Value]) -> [ObjectKey]? {
    // Absent values are in no index.
    guard !values.contains(.null) else { return nil }
    if let column = plan.columns.first(where: { $0.property == property }) {
      return values.flatMap { value -> [ObjectKey] in
        guard case .object(let key) = value else { return [] }
        return view.root.columns[column.index].keys(major: key.rawValue)
      }
    }
    if let unique = plan.uniques.first(where: { $0.properties == [property] }) {
      return values.flatMap { value -> [ObjectKey] in
        guard let hash = IndexCode.hash([(value, unique.slots[0].kind)]) else { return [] }
        return view.root.uniques[unique.index].keys(major: hash)
      }
    }
    if let fetch = plan.fetches.first(where: { $0.property == property }) {
      return values.flatMap { value -> [ObjectKey] in
        guard let code = IndexCode.ordered(value, kind: fetch.slot.kind) else { return [] }
        return view.root.fetches[fetch.index].keys(major: code)
      }
    }
    return nil
  }

  private func range(_ tree: SortedTree, _ low: UInt64, _ high: UInt64) throws(StoreError) -> [ObjectKey]? {
    let countMax = tree.count / Self.rangeShareMax + 64
    var found: [ObjectKey] = []
    try tree.forEach(from: IndexEntry(low, 0), through: IndexEntry(high, .max)) { entry, _ in
      found.append(entry.key)
      return found.count <= countMax
    }
    return found.count <= countMax ? found : nil
  }
}
