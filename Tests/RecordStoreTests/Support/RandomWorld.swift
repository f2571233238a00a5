import Foundation
import Schema
import StoreContract

@testable import RecordStore

/// A random schema and random objects in it: a few entities, one below another, attributes of several types, some
/// indexed or unique, and relationships of every kind.
struct RandomWorld {
  let schema: Schema
  private var keys: [[ObjectKey]]
  private var used: Set<String> = []

  private static let types: [AttributeType] = [.integer32, .double, .string, .boolean, .date, .decimal, .uuid]
  /// Attributes a0… of the types, then relationships: one, many (its inverse), tags and tagged, loose (no inverse), mate.
  private static let attributeCount = types.count
  private static let one = attributeCount
  private static let many = attributeCount + 1
  private static let tags = attributeCount + 2
  private static let tagged = attributeCount + 3
  private static let loose = attributeCount + 4
  private static let mate = attributeCount + 5

  /// Relationships lead from entity 0 and 1 (and 2, below 1) to the next of those two, back and forth.
  init(_ random: inout SeededGenerator) {
    let isOrdered = Bool.random(using: &random)
    let indexed = (0..<Self.attributeCount).filter { _ in Bool.random(using: &random) }
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
          fetchIndexes: indexed.map { property in
            let element = FetchIndexSchema.Element(property: property, isAscending: true)
            return FetchIndexSchema(name: "by\(property)", elements: [element])
          }))
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

  /// Many share their first eight bytes.
  private static func text(_ number: Int) -> String { number % 3 == 0 ? "a shared start \(number)" : "\(number)é" }

  private static func uuid(_ number: Int) -> UUID {
    UUID(uuid: (1, 2, 3, 4, 5, 6, 7, UInt8(number % 3), 9, 10, 11, 12, 13, 14, 15, UInt8(number)))
  }

  /// A commit of inserts, updates and deletes.
  mutating func change(_ store: RecordStore, _ random: inout SeededGenerator) throws {
    let draft = Draft(store)
    var fresh: [[ObjectKey]] = [[], [], []]
    for entity in 0..<3 {
      for _ in 0..<Int.random(in: 5...60, using: &random) {
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
          let property = [0, 1, 3, 4].randomElement(using: &random)!
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

/// The text of a random predicate, and the objects that stand for its `%@`.
struct RandomFormat {
  var text: String
  var keys: [ObjectKey] = []
}

extension RandomWorld {
  func predicate(_ entity: Int, depth: Int, _ random: inout SeededGenerator) -> RandomFormat? {
    switch Int.random(in: 0..<12, using: &random) {
    case 0 where depth == 2: return nil
    case 1...3 where depth > 0: return joined(entity, " AND ", depth, &random)
    case 4...6 where depth > 0: return joined(entity, " OR ", depth, &random)
    case 7 where depth > 0:
      guard var part = predicate(entity, depth: depth - 1, &random) else { return nil }
      part.text = "NOT (\(part.text))"
      return part
    default: return comparison(entity, &random)
    }
  }

  private func joined(
    _ entity: Int, _ sign: String, _ depth: Int, _ random: inout SeededGenerator
  ) -> RandomFormat? {
    guard let first = predicate(entity, depth: depth - 1, &random),
      let second = predicate(entity, depth: depth - 1, &random)
    else { return nil }
    return RandomFormat(text: "(\(first.text))\(sign)(\(second.text))", keys: first.keys + second.keys)
  }

  private func comparison(_ entity: Int, _ random: inout SeededGenerator) -> RandomFormat {
    let destination = entity == 0 ? 1 : 0
    switch Int.random(in: 0..<12, using: &random) {
    case 0:
      let key = self.keys[destination].randomElement(using: &random)!
      let sign = ["one == %@", "one != %@", "ANY tags == %@", "ANY loose == %@", "%@ IN many", "mate == %@"]
      return RandomFormat(text: sign.randomElement(using: &random)!, keys: [key])
    case 1:
      let keys = (0..<3).map { _ in self.keys[entity].randomElement(using: &random)! }
      return RandomFormat(text: "SELF IN {%@, %@, %@}", keys: keys)
    case 2: return RandomFormat(text: "\(toMany(&random)).@count \(sign(&random)) \(random.next() % 3)")
    case 3: return RandomFormat(text: "SUBQUERY(\(toMany(&random)), $x, \(attribute("$x.", &random))).@count > 0")
    case 4: return RandomFormat(text: "SUBQUERY(tags, $x, $x.a0 == a0 AND $x.a2 == 'none').@count > 0")
    case 5, 6:
      return RandomFormat(text: attribute(["one.", "mate.", "one.one."].randomElement(using: &random)!, &random))
    case 7, 8:
      let quantifier = ["ANY", "ANY", "ALL", "NONE"].randomElement(using: &random)!
      return RandomFormat(text: "\(quantifier) \(attribute("\(toMany(&random)).", &random))")
    case 9: return RandomFormat(text: "ANY \(attribute("one.\(toMany(&random)).", &random))")
    default: return RandomFormat(text: attribute("", &random))
    }
  }

  private func toMany(_ random: inout SeededGenerator) -> String {
    ["many", "tags", "tagged", "loose"].randomElement(using: &random)!
  }

  private func sign(_ random: inout SeededGenerator) -> String {
    ["==", "==", "==", "!=", "<", "<=", ">", ">="].randomElement(using: &random)!
  }

  /// An attribute and what it is compared with.
  private func attribute(_ path: String, _ random: inout SeededGenerator) -> String {
    let property = Int.random(in: 0..<Self.attributeCount, using: &random)
    let name = "\(path)a\(property)"
    if Int.random(in: 0..<12, using: &random) == 0 { return "\(name) == nil" }
    let number = Int.random(in: 0..<25, using: &random)
    let (a, b) = (min(number, 12), max(number, 12))
    switch Self.types[property] {
    case .integer32:
      return [
        "\(name) \(sign(&random)) \(number - 5)", "\(name) IN {\(number), 3, 99}", "\(name) BETWEEN {\(a), \(b)}",
        path.isEmpty ? "(\(name) == 3 OR \(name) == \(number))" : "\(name) == 3",
      ].randomElement(using: &random)!
    case .double: return "\(name) \(sign(&random)) \(Double(number) / 4 - 2)"
    case .boolean: return "\(name) == \(number < 12 ? "YES" : "NO")"
    case .date: return "\(name) \(sign(&random)) CAST(\(number * 1000), 'NSDate')"
    case .decimal: return "\(name) \(sign(&random)) \(Double(number) / 4)"
    case .uuid: return "\(name) == '\(Self.uuid(number).uuidString)'"
    default:
      return [
        "\(name) \(sign(&random)) '\(Self.text(number))'", "\(name) BEGINSWITH '\(Self.text(number).prefix(10))'",
        "\(name) CONTAINS[cd] 'e'", "\(name) IN {'\(Self.text(number))', '1é'}",
      ].randomElement(using: &random)!
    }
  }

  func sortKey(_ entity: Int, _ random: inout SeededGenerator) -> String {
    let name = "a\(Int.random(in: 0..<Self.attributeCount, using: &random))"
    return Int.random(in: 0..<5, using: &random) == 0 ? "one.\(name)" : name
  }
}
