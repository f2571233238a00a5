import Foundation
import Schema

@testable import Predicates

/// A small world for tests: the same objects as rows of a store and as objects in memory.
final class People: ObjectSource, @unchecked Sendable {
  /// An object in memory.
  final class Object: KeyValueObject, ObjectKeyConvertible {
    let key: ObjectKey
    let store: UUID
    var values: [String: Any] = [:]

    init(key: ObjectKey, store: UUID) {
      self.key = key
      self.store = store
    }

    func predicateValue(forKey key: String) -> Any? {
      if key == "entity" { return ["name": People.names[Int(self.key.entityNumber)]] }
      return key == "objectID" ? self : values[key]
    }
    func objectKey(inStore identifier: UUID) -> ObjectKey? { identifier == store ? key : nil }
    var predicateIdentity: AnyHashable { AnyHashable([store.hashValue, Int(bitPattern: UInt(key.rawValue))]) }
  }

  static let names = ["Person", "Employee", "Team", "Tag"]

  private static func attribute(_ name: String, _ type: AttributeType, isTransient: Bool = false) -> PropertySchema {
    PropertySchema(name: name, kind: .attribute(AttributeSchema(type: type)), isTransient: isTransient)
  }

  private static func relationship(_ name: String, _ destination: Int, _ inverse: Int, isToMany: Bool) -> PropertySchema
  {
    PropertySchema(
      name: name,
      kind: .relationship(RelationshipSchema(destination: destination, inverse: inverse, isToMany: isToMany)))
  }

  private static let person: [PropertySchema] = [
    attribute("name", .string), attribute("age", .integer32), attribute("big", .integer64),
    attribute("small", .integer16), attribute("score", .double), attribute("ratio", .float),
    attribute("price", .decimal), attribute("flag", .boolean), attribute("born", .date), attribute("blob", .binary),
    attribute("uid", .uuid), attribute("site", .uri), attribute("draft", .string, isTransient: true),
    relationship("boss", 0, 14, isToMany: false), relationship("reports", 0, 13, isToMany: true),
    relationship("team", 2, 1, isToMany: false), relationship("tags", 3, 2, isToMany: true),
  ]

  static let schema = Schema(entities: [
    EntitySchema(name: "Person", index: 0, superentity: nil, isAbstract: false, properties: person, inheritedCount: 0),
    EntitySchema(
      name: "Employee", index: 1, superentity: 0, isAbstract: false,
      properties: person + [attribute("salary", .double), attribute("badge", .uuid), attribute("desk", .string)],
      inheritedCount: person.count),
    EntitySchema(
      name: "Team", index: 2, superentity: nil, isAbstract: false,
      properties: [
        attribute("name", .string), relationship("members", 0, 15, isToMany: true),
        PropertySchema(
          name: "lead", kind: .relationship(RelationshipSchema(destination: 0, inverse: nil, isToMany: false))),
      ], inheritedCount: 0),
    EntitySchema(
      name: "Tag", index: 3, superentity: nil, isAbstract: false,
      properties: [
        attribute("label", .string), attribute("weight", .integer16), relationship("people", 0, 16, isToMany: true),
      ], inheritedCount: 0),
  ])

  let identifier = UUID()
  private(set) var rows: [ObjectKey: Row] = [:]
  private(set) var objects: [ObjectKey: Object] = [:]
  private(set) var keys: [ObjectKey] = []
  private var links: [ObjectKey: [Int: [ObjectKey]]] = [:]
  private let buffer = RowBuffer(capacityBytes: 1 << 20)
  private var offsets: [(ObjectKey, Int)] = []

  var schema: Schema { Self.schema }
  func row(for key: ObjectKey) throws(StoreError) -> Row? { rows[key] }
  func entityIndex(of key: ObjectKey) -> Int { key.entityNumber }

  func forEachMember(
    of key: ObjectKey, relationship property: Int, _ body: (ObjectKey) throws(StoreError) -> Bool
  ) throws(StoreError) {
    for member in links[key]?[property] ?? [] where try !body(member) { return }
  }

  func memberCount(of key: ObjectKey, relationship property: Int) throws(StoreError) -> Int {
    links[key]?[property]?.count ?? 0
  }

  /// Adds an object; to-one relationships are given as keys of objects that exist or will.
  @discardableResult
  func add(_ entity: Int, _ values: [String: Value], _ members: [String: [ObjectKey]] = [:]) -> ObjectKey {
    let key = ObjectKey(entityNumber: entity, ordinal: UInt64(keys.count + 1))
    let description: EntitySchema = schema.entities[entity]
    let offset = try? description.layout.encode(key: key, version: 1, into: buffer) { property in
      values[description.properties[property].name] ?? .null
    }
    offsets.append((key, offset ?? 0))
    keys.append(key)
    let object = Object(key: key, store: identifier)
    for (name, value) in values {
      if case .object = value { continue }
      object.values[name] = value.anyValue
    }
    objects[key] = object
    pending.append { world in
      for (name, value) in values {
        if case .object(let target) = value { object.values[name] = world.objects[target] }
      }
      for (name, targets) in members {
        let property = description.propertyIndexByName[name]!
        world.links[key, default: [:]][property] = targets
        object.values[name] = targets.compactMap { world.objects[$0] }
      }
      for property in description.properties where property.relationship?.isToMany == true {
        if object.values[property.name] == nil { object.values[property.name] = [Object]() }
      }
    }
    return key
  }

  private var pending: [(People) -> Void] = []

  /// Makes rows and object references once everything is added.
  func finish() {
    for (key, offset) in offsets { rows[key] = buffer.row(at: offset) }
    for action in pending { action(self) }
    pending = []
  }

  func binder(_ entity: Int = 0) -> PredicateBinder {
    PredicateBinder(schema: schema, entity: entity, store: identifier)
  }

  /// Names of the persons, or labels of the tags, that match, by rows; an issue if memory says otherwise.
  func matching(_ predicate: NSPredicate, entity: Int = 0, variables: [String: Any] = [:]) throws -> [String] {
    let bound: BoundPredicate = try binder(entity).bind(predicate, variables: variables)
    var result: [String] = []
    for key in keys where schema.isKind(key.entityNumber, of: entity) {
      let isMatch = try bound.matches(rows[key]!, in: self)
      let isMatchInMemory = try predicate.matches(objects[key]!, variables: variables)
      guard isMatch == isMatchInMemory else {
        throw Disagreement(
          text: "\(predicate.formatText): row \(isMatch), memory \(isMatchInMemory): \(objects[key]!.values)")
      }
      if isMatch { result.append((objects[key]!.values["name"] ?? objects[key]!.values["label"] ?? "-") as! String) }
    }
    return result
  }

  struct Disagreement: Error { let text: String }

  /// Dates are days after 2001, and so on: a few persons, two teams, three tags.
  static let sample: People = {
    let world = People()
    func key(_ entity: Int, _ ordinal: UInt64) -> ObjectKey { ObjectKey(entityNumber: entity, ordinal: ordinal) }
    let (ada, bob, eve, zoe) = (key(0, 1), key(0, 2), key(1, 3), key(0, 4))
    let (red, blue) = (key(2, 5), key(2, 6))
    let (swift, rust, none) = (key(3, 7), key(3, 8), key(3, 9))
    world.add(
      0,
      [
        "name": .string("Ada"), "age": .int(36), "big": .int(1 << 60), "small": .int(1), "score": .double(1.5),
        "ratio": .float(0.1), "price": .decimal(Decimal(string: "9.99")!), "flag": .bool(true), "born": .date(86_400),
        "blob": .data(Data([1, 2])), "uid": .uuid(UUID(uuidString: "00000000-0000-0000-0000-00000000000A")!),
        "site": .url("https://ada.example"), "team": .object(red),
      ], ["tags": [swift, rust], "reports": [bob, eve]])
    world.add(
      0, ["name": .string("Bob"), "age": .int(17), "flag": .bool(false), "boss": .object(ada), "team": .object(red)],
      ["tags": [swift]])
    world.add(
      1,
      [
        "name": .string("Éve"), "age": .int(52), "score": .double(-2), "salary": .double(10), "desk": .string("d1"),
        "boss": .object(ada), "team": .object(blue), "born": .date(0),
      ], ["tags": [rust]])
    world.add(0, [:])
    world.add(2, ["name": .string("Red"), "lead": .object(ada)], ["members": [ada, bob]])
    world.add(2, ["name": .string("Blue"), "lead": .object(eve)], ["members": [eve]])
    world.add(3, ["label": .string("swift"), "weight": .int(5)], ["people": [ada, bob]])
    world.add(3, ["label": .string("rust"), "weight": .int(2)], ["people": [ada, eve]])
    world.add(3, ["label": .string("none")])
    _ = (zoe, none)
    world.finish()
    return world
  }()
}
