import Schema

/// Where the candidates of a fetch come from: objects among which all matches are.
indirect enum CandidateSource {
  /// These very objects.
  case keys([ObjectKey])
  /// Those that an index holds under some codes.
  case lookups(IndexName, codes: [UInt64])
  /// Those that an index holds from one code to another.
  case range(IndexName, low: UInt64, high: UInt64)
  /// Those whose relationship leads to one of some objects, found first by another source.
  case owners(of: [ObjectKey], Way, property: String, by: String)
  case union([CandidateSource])
}

/// An index of the store.
enum IndexName: Hashable {
  case column(Int)
  case unique(Int)
  case fetch(Int)

  func tree(_ root: StoreRoot) -> SortedTree {
    switch self {
    case .column(let index): root.columns[index]
    case .unique(let index): root.uniques[index]
    case .fetch(let index): root.fetches[index]
    }
  }

  /// As people know it: "index on Worker.age".
  func description(_ plan: StorePlan) -> String {
    func name(_ entity: Int, _ properties: [Int]) -> String {
      let entity = plan.schema.entities[entity]
      let names = properties.map { entity.properties[$0].name }
      return names.count == 1 ? "\(entity.name).\(names[0])" : "\(entity.name) (\(names.joined(separator: ", ")))"
    }
    switch self {
    case .column(let index): return "inverse of \(name(plan.columns[index].entity, [plan.columns[index].property]))"
    case .unique(let index): return "unique \(name(plan.uniques[index].entity, plan.uniques[index].properties))"
    case .fetch(let index): return "index on \(name(plan.fetches[index].entity, [plan.fetches[index].property]))"
    }
  }
}

/// How to get from an object to those whose relationship leads to it.
enum Way {
  /// The relationship is a to-one with an index.
  case column(Int)
  /// It is the inverse of a to-one, which the object's own row holds.
  case reference(property: Int)
  /// It is kept as links, which have a mirror.
  case mirror(Int)
  /// It is the mirror of links.
  case links(Int)
}

extension CandidateSource {
  /// How many candidates it has: never fewer, unless it says more than `max`.
  func count(_ view: RecordView, upTo max: Int) -> Int {
    switch self {
    case .keys(let keys): return keys.count
    case .lookups(let index, let codes):
      let tree = index.tree(view.root)
      var total = 0
      for code in codes where total <= max { total += tree.count(from: code, through: code, upTo: max - total) }
      return total
    case .range(let index, let low, let high):
      return index.tree(view.root).count(from: low, through: high, upTo: max)
    case .owners(let members, let way, _, _):
      var total = 0
      for member in members where total <= max { total += way.count(member, view, upTo: max - total) }
      return total
    case .union(let parts):
      var total = 0
      for part in parts where total <= max { total += part.count(view, upTo: max - total) }
      return total
    }
  }

  /// Appends the candidates, in any order; some may come twice.
  func collect(_ view: RecordView, into found: inout [ObjectKey]) throws(StoreError) {
    switch self {
    case .keys(let keys): found.append(contentsOf: keys)
    case .lookups(let index, let codes):
      let tree = index.tree(view.root)
      for code in codes { tree.collect(from: code, through: code, into: &found) }
    case .range(let index, let low, let high):
      index.tree(view.root).collect(from: low, through: high, into: &found)
    case .owners(let members, let way, _, _):
      for member in members { try way.collect(member, view, into: &found) }
    case .union(let parts):
      for part in parts { try part.collect(view, into: &found) }
    }
  }

  func description(_ plan: StorePlan) -> String {
    switch self {
    case .keys(let keys): "\(keys.count) objects by key"
    case .lookups(let index, let codes):
      codes.count == 1 ? index.description(plan) : "\(index.description(plan)), \(codes.count) values"
    case .range(let index, _, _): "\(index.description(plan)), a range"
    case .owners(let members, _, let property, let inner): "\(property) of \(members.count) objects found by \(inner)"
    case .union(let parts): parts.map { $0.description(plan) }.joined(separator: " or ")
    }
  }

  func indexNames(_ plan: StorePlan) -> [String] {
    switch self {
    case .keys: []
    case .lookups(let index, _), .range(let index, _, _): [index.description(plan)]
    case .owners(_, _, let property, _): ["inverse of \(property)"]
    case .union(let parts): parts.flatMap { $0.indexNames(plan) }
    }
  }
}

extension Way {
  func count(_ member: ObjectKey, _ view: RecordView, upTo max: Int) -> Int {
    switch self {
    case .column(let index): view.root.columns[index].count(from: member.rawValue, through: member.rawValue, upTo: max)
    case .reference: 1
    case .mirror(let table): view.root.mirrors[table].count(from: member.rawValue, through: member.rawValue, upTo: max)
    case .links(let table): view.root.links[table].count(from: member.rawValue, through: member.rawValue, upTo: max)
    }
  }

  func collect(_ member: ObjectKey, _ view: RecordView, into found: inout [ObjectKey]) throws(StoreError) {
    let major = member.rawValue
    switch self {
    case .column(let index): view.root.columns[index].collect(from: major, through: major, into: &found)
    case .mirror(let table): view.root.mirrors[table].collect(from: major, through: major, into: &found)
    case .links(let table): view.root.links[table].collect(from: major, through: major, into: &found)
    case .reference(let property):
      guard let entity = view.core.plan.entityIndex(of: member), let row = try view.row(for: member),
        let slot = view.schema.entities[entity].layout.slots[property], !row.isNull(slot)
      else { return }
      found.append(row.reference(slot))
    }
  }
}
