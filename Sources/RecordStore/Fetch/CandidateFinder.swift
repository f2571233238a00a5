import Predicates
import Schema

/// Chooses where a fetch gets its candidates: the terms that every match meets say what can be looked up, and the
/// source with the fewest candidates wins. The whole predicate judges them all the same.
struct CandidateFinder {
  let view: RecordView
  let entities: [Int]
  /// Whether conditions on related objects may be used: not where pending changes of those decide, which the view does
  /// not know.
  var followsRelationships = true

  /// Candidates are judged one by one, all over the store, where a scan reads rows in the order they lie: an index has
  /// to leave out most of them.
  private static let shareMax = 4

  struct Choice {
    let source: CandidateSource
    let count: Int
  }

  private var plan: StorePlan { view.core.plan }

  /// How many objects there are to choose from.
  func objectCount(_ entities: [Int]) -> Int {
    var total = 0
    for entity in entities { total += view.root.locations[entity].count }
    return total
  }

  /// The best source, or `nil` when reading every row is better.
  func choice(for predicate: BoundPredicate) throws(StoreError) -> Choice? {
    if predicate.terms.isEmpty { return nil }
    let max = objectCount(entities) / Self.shareMax + 64
    return try best(of: predicate.terms, predicate.entity, upTo: max)
  }

  /// Keys among which all matches are, ascending and each once, or `nil` when no index helps.
  func candidates(for predicate: BoundPredicate) throws(StoreError) -> [ObjectKey]? {
    guard let choice = try choice(for: predicate) else { return nil }
    return try keys(of: choice.source)
  }

  /// The candidates of a source that belong to the entities asked for, ascending and each once.
  func keys(of source: CandidateSource) throws(StoreError) -> [ObjectKey] {
    var found: [ObjectKey] = []
    try source.collect(view, into: &found)
    found.removeAll { key in !isWanted(key) }
    if found.count < 2 { return found }
    found.sort()
    var kept = 1
    for index in 1..<found.count where found[index] != found[kept - 1] {
      found[kept] = found[index]
      kept += 1
    }
    found.removeLast(found.count - kept)
    return found
  }

  private func isWanted(_ key: ObjectKey) -> Bool {
    guard !key.isTemporary else { return false }
    let number = key.entityNumber
    for entity in entities where plan.entityNumbers[entity] == number { return true }
    return false
  }

  /// The source of one of the terms with the fewest candidates, if those are no more than `max`.
  private func best(of terms: [BoundTerm], _ entity: Int, upTo max: Int) throws(StoreError) -> Choice? {
    var best: Choice?
    var ranged: Set<Int> = []
    for term in terms {
      // Bounds of one attribute make one range, however many comparisons they come from.
      if case .range(let property, _, _) = term, !ranged.insert(property).inserted { continue }
      let limit = best.map { $0.count - 1 } ?? max
      if limit <= 0, best != nil { break }
      guard let source = try source(for: term, among: terms, entity, upTo: limit) else { continue }
      let count = source.count(view, upTo: limit)
      if count <= limit { best = Choice(source: source, count: count) }
    }
    if let source = jointly(terms, entity) {
      let limit = best.map { $0.count - 1 } ?? max
      let count = source.count(view, upTo: Swift.max(0, limit))
      if count <= limit { best = Choice(source: source, count: count) }
    }
    return best
  }

  private func source(
    for term: BoundTerm, among terms: [BoundTerm], _ entity: Int, upTo max: Int
  ) throws(StoreError) -> CandidateSource? {
    let entityPlan = plan.entities[entity]
    switch term {
    case .keys(let keys): return .keys(keys)
    case .oneOf(let property, let values): return lookups(entityPlan, property, values)
    case .prefix(let property, let text):
      guard let index = entityPlan.fetches.first(where: { $0.property == property }) else { return nil }
      return prefix(.fetch(index.index), text)
    case .range(let property, _, _):
      guard let index = entityPlan.fetches.first(where: { $0.property == property }),
        let (low, high) = Self.codes(of: property, in: terms, kind: index.slot.kind)
      else { return nil }
      return low <= high ? .range(.fetch(index.index), low: low, high: high) : .keys([])
    case .anyOf(let alternatives):
      var parts: [CandidateSource] = []
      var left = max
      for terms in alternatives {
        guard let part = try best(of: terms, entity, upTo: left) else { return nil }
        parts.append(part.source)
        left = Swift.max(0, left - part.count)
      }
      return .union(parts)
    case .related(let property, let destination, let condition):
      return try owners(entity, property, destination, condition, upTo: max)
    }
  }

  /// Where all the ranges of an attribute overlap, as codes of an index over it; `nil` where a bound has no code, or there
  /// is no range. Nothing overlaps where the lower one is the larger.
  static func codes(of wanted: Int, in terms: [BoundTerm], kind: SlotKind) -> (low: UInt64, high: UInt64)? {
    var found: (low: UInt64, high: UInt64)?
    for case .range(wanted, let lower, let upper) in terms {
      let low = lower.map { IndexCode.ordered($0.value, kind: kind) } ?? 0
      let high = upper.map { IndexCode.ordered($0.value, kind: kind) } ?? .max
      guard let low, let high else { return nil }
      found = (max(found?.low ?? 0, low), min(found?.high ?? .max, high))
    }
    return found
  }

  private func prefix(_ index: IndexName, _ text: String) -> CandidateSource {
    var bytes = Array(text.utf8.prefix(8))
    let length = bytes.count
    while bytes.count < 8 { bytes.append(0) }
    let low = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let high = length == 8 ? low : low | (UInt64.max >> UInt64(length * 8))
    return .range(index, low: low, high: high)
  }

  private func lookups(_ entity: EntityPlan, _ property: Int, _ values: [Value]) -> CandidateSource? {
    // Absent values are in no index.
    for value in values where value.isNull { return nil }
    var codes: [UInt64] = []
    codes.reserveCapacity(values.count)
    if let unique = entity.uniques.first(where: { $0.properties.count == 1 && $0.properties[0] == property }) {
      for value in values { if let code = IndexCode.hash([(value, unique.slots[0].kind)]) { codes.append(code) } }
      return .lookups(.unique(unique.index), codes: codes)
    }
    if let column = entity.columns.first(where: { $0.property == property }) {
      for value in values { if case .object(let key) = value { codes.append(key.rawValue) } }
      return .lookups(.column(column.index), codes: codes)
    }
    guard let fetch = entity.fetches.first(where: { $0.property == property }) else { return nil }
    for value in values { if let code = IndexCode.ordered(value, kind: fetch.slot.kind) { codes.append(code) } }
    return .lookups(.fetch(fetch.index), codes: codes)
  }

  /// A uniqueness constraint of several properties, when each of them must have one value.
  private func jointly(_ terms: [BoundTerm], _ entity: Int) -> CandidateSource? {
    guard terms.count > 1 else { return nil }
    let uniques = plan.entities[entity].uniques
    guard uniques.contains(where: { $0.properties.count > 1 }) else { return nil }
    var single: [Int: Value] = [:]
    for case .oneOf(let property, let values) in terms where values.count == 1 && !values[0].isNull {
      single[property] = values[0]
    }
    for unique in uniques where unique.properties.count > 1 {
      var values: [(value: Value, kind: SlotKind)] = []
      for (property, slot) in zip(unique.properties, unique.slots) {
        if let value = single[property] { values.append((value, slot.kind)) }
      }
      guard values.count == unique.properties.count, let code = IndexCode.hash(values) else { continue }
      return .lookups(.unique(unique.index), codes: [code])
    }
    return nil
  }
}

// Joins.

extension CandidateFinder {
  /// Objects whose relationship leads to one that meets a condition: those are found first, by an index of theirs or, if
  /// they are few, by reading them all.
  private func owners(
    _ entity: Int, _ property: Int, _ destination: Int, _ condition: BoundCondition, upTo max: Int
  ) throws(StoreError) -> CandidateSource? {
    guard followsRelationships, let way = way(entity, property) else { return nil }
    let below = view.schema.descendants[destination]
    let finder = CandidateFinder(view: view, entities: below)
    let members: [ObjectKey]
    let found: String
    if let inner = try finder.best(of: condition.terms, destination, upTo: max) {
      members = try judged(try finder.keys(of: inner.source), condition)
      found = inner.source.description(plan)
    } else {
      guard objectCount(below) <= max else { return nil }
      members = try scanned(below, condition)
      found = "every row of \(view.schema.entities[destination].name)"
    }
    let owner = view.schema.entities[entity]
    return .owners(of: members, way, property: "\(owner.name).\(owner.properties[property].name)", by: found)
  }

  private func way(_ entity: Int, _ property: Int) -> Way? {
    let entityPlan = plan.entities[entity]
    guard property < entityPlan.members.count else { return nil }
    switch entityPlan.members[property] {
    case .none: return nil
    case .toOne: return entityPlan.columns.first { $0.property == property }.map { .column($0.index) }
    case .column(let index): return .reference(property: plan.columns[index].property)
    case .links(let table): return .mirror(table)
    case .mirror(let table): return .links(table)
    }
  }

  private func judged(_ keys: [ObjectKey], _ condition: BoundCondition) throws(StoreError) -> [ObjectKey] {
    var members: [ObjectKey] = []
    for key in keys {
      guard let row = try view.row(for: key), try condition.matches(row, in: view) else { continue }
      members.append(key)
    }
    return members
  }

  private func scanned(_ entities: [Int], _ condition: BoundCondition) throws(StoreError) -> [ObjectKey] {
    var members: [ObjectKey] = []
    for entity in entities {
      try view.root.locations[entity].visitAll { _, location throws(StoreError) in
        let row = try view.core.blocks.row(at: location)
        if try condition.matches(row, in: view) { members.append(row.key) }
        return true
      }
    }
    return members
  }
}
