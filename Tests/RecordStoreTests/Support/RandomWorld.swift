import Foundation
import Schema
import StoreContract

@testable import RecordStore

/// A random schema and random objects in it: a few entities, one below another, attributes of several types, some
/// indexed or unique, and relationships of every kind.
struct RandomWorld {
  let schema: Schema
  private(set) var keys: [[ObjectKey]]
  private let rowsMax: Int
  private var used: Set<String> = []

  static let types: [AttributeType] = [
    .integer32, .double, .string, .boolean, .date, .decimal, .uuid, .integer64, .float, .uri, .binary,
  ]
  /// Attributes a0… of the types, then relationships: one, many (its inverse), tags and tagged, loose (no inverse), mate.
  static let attributeCount = types.count
  private static let one = attributeCount
  private static let many = attributeCount + 1
  private static let tags = attributeCount + 2
  private static let tagged = attributeCount + 3
  private static let loose = attributeCount + 4
  private static let mate = attributeCount + 5

  /// Relationships lead from entity 0 and 1 (and 2, below 1) to the next of those two, back and forth.
  ///
  /// - Parameter rowsMax: how many objects of an entity a change adds at most.
  init(_ random: inout SeededGenerator, rowsMax: Int = 60) {
    self.rowsMax = rowsMax
    let isOrdered = Bool.random(using: &random)
    let indexed = (0..<Self.attributeCount).filter { _ in Bool.random(using: &random) }
    let compound = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
      let relationship = Int.random(in: 0..<4, using: &random) == 0 ? [Self.one] : []
      let attributes = (0..<Self.attributeCount).shuffled(using: &random)
      return relationship + attributes.prefix(Int.random(in: (2 - relationship.count)...3, using: &random))
    }
    let indexes = (indexed.map { [$0] } + compound).enumerated().map { number, properties in
      let elements = properties.map {
        FetchIndexSchema.Element(property: $0, isAscending: Bool.random(using: &random))
      }
      return FetchIndexSchema(name: "index\(number)", elements: elements)
    }
    let unique = Int.random(in: 0..<3, using: &random)
    var entities: [EntitySchema] = []
    for index in 0..<3 {
      let destination = index == 0 ? 1 : 0
      var properties = Self.types.enumerated().map { Library.attribute("a\($0.offset)", $0.element) }
      properties += [
        Library.one("one", destination, inverse: Self.many),
        Library.many("many", destination, inverse: Self.one, ordered: isOrdered),
        Library.many("tags", destination, inverse: Self.tagged),
        Library.many("tagged", destination, inverse: Self.tags),
        Library.many("loose", destination, inverse: nil, ordered: !isOrdered),
        Library.one("mate", destination, inverse: Self.mate),
      ]
      if index == 2 { properties.append(Library.attribute("own", .integer16)) }
      var constraints: [[Int]] = []
      if unique == 1 { constraints = [[2]] }
      if unique == 2 { constraints = [[0, 2]] }
      entities.append(
        EntitySchema(
          name: "E\(index)", index: index, superentity: index == 2 ? 1 : nil, isAbstract: false,
          properties: properties, inheritedCount: index == 2 ? Self.mate + 1 : 0, constraints: constraints,
          fetchIndexes: indexes))
    }
    schema = Schema(entities: entities)
    keys = [[], [], []]
  }

  private func value(_ property: Int, _ random: inout SeededGenerator) -> Value {
    // The first attribute is never absent, so that its index holds every object.
    if property > 0, Int.random(in: 0..<8, using: &random) == 0 { return .null }
    let number = Int.random(in: 0..<25, using: &random)
    switch Self.types[property] {
    case .integer32: return .int(Int64(number - 5))
    case .double: return .double(Double(number) / 4 - 2)
    case .boolean: return .bool(number < 4)
    case .date: return .date(Double(number) * 1000)
    case .decimal: return .decimal(Decimal(number) / 4)
    case .uuid: return .uuid(Self.uuid(number))
    case .integer64: return .int(Self.large(number))
    case .float: return .float(Float(number) / 10)
    case .uri: return .url("https://a.example/\(number % 12)")
    case .binary: return .data(Data(repeating: UInt8(number % 4), count: number % 11))
    default: return .string(Self.text(number))
    }
  }

  private mutating func values(_ random: inout SeededGenerator) -> [Int: Value] {
    var values: [Int: Value] = [:]
    for property in 0..<Self.attributeCount { values[property] = value(property, &random) }
    guard !schema.entities[0].constraints.isEmpty, case .string(let text)? = values[2] else { return values }
    // Where text must be unique, the first of each is what predicates ask for, the rest is counted.
    if !used.insert(text).inserted {
      values[2] = .string("a shared start, \(keys[0].count + keys[1].count), \(used.count)")
    }
    if case .string(let other)? = values[2] { used.insert(other) }
    return values
  }

  /// Many share their first eight bytes, some are empty or differ by what an index cannot see.
  static func text(_ number: Int) -> String {
    switch number {
    case 22: ""
    case 23: "1"
    case 24: "1\0"
    default: number % 3 == 0 ? "a shared start \(number)" : "\(number)É"
    }
  }

  /// Around zero and at both ends.
  static func large(_ number: Int) -> Int64 {
    switch number {
    case 0: .min
    case 1: .max
    case 2: .max - 1
    case 3: 1 << 53 + 1
    default: Int64(number - 12)
    }
  }

  static func uuid(_ number: Int) -> UUID {
    UUID(uuid: (1, 2, 3, 4, 5, 6, 7, UInt8(number % 3), 9, 10, 11, 12, 13, 14, 15, UInt8(number)))
  }

  /// A commit of inserts, updates and deletes.
  mutating func change(_ store: RecordStore, _ random: inout SeededGenerator) throws {
    let draft = Draft(store)
    var fresh: [[ObjectKey]] = [[], [], []]
    for entity in 0..<3 {
      for _ in 0..<Int.random(in: min(5, rowsMax)...rowsMax, using: &random) {
        var values = values(&random)
        let others = keys[entity == 0 ? 1 : 0] + (entity == 0 ? keys[2] : [])
        var links: [LinkChange] = []
        if let target = others.randomElement(using: &random), Bool.random(using: &random) {
          values[Self.one] = .object(target)
          values[Self.mate] = others.randomElement(using: &random).map { .object($0) }
        }
        // One side keeps the links; the other is their mirror.
        for property in [Self.many, Self.tags, Self.tagged, Self.loose]
        where RelationshipStorage(schema: schema, entity: entity, property: property) == .links {
          let members = Set((0..<2).compactMap { _ in others.randomElement(using: &random) })
          let placed = members.sorted().map {
            LinkChange.Member(key: $0, position: Double(Int.random(in: 0..<4, using: &random)))
          }
          if !placed.isEmpty { links.append(LinkChange(relationship: property, added: placed, removed: [])) }
        }
        fresh[entity].append(try draft.insert(entity, values, links: links))
      }
    }
    for entity in 0..<3 {
      var left: [ObjectKey] = []
      for key in keys[entity] {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: try draft.delete(key)
        case 1...2:
          let property = [0, 1, 3, 4, 5, 7, 8, 9, 10].randomElement(using: &random)!
          try draft.update(key, [property: value(property, &random)])
          left.append(key)
        default: left.append(key)
        }
      }
      keys[entity] = left + fresh[entity]
    }
    if try !draft.conflicts().isEmpty { throw Unexpected(what: "a conflict between random values") }
  }
}
