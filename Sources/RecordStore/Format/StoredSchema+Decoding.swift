import Foundation
import Schema

/// Why the text of a schema record is not a schema.
struct SchemaRecordFault: Error {
  let message: String
  let isNewerFormat: Bool

  init(_ message: String, isNewerFormat: Bool = false) {
    self.message = message
    self.isNewerFormat = isNewerFormat
  }
}

extension StoredSchema {
  static let entityCountMax = 30_000

  init(record bytes: UnsafeRawBufferPointer) throws(SchemaRecordFault) {
    let json: JSONText
    do throws(JSONParser.Fault) {
      json = try JSONParser.parse(bytes)
    } catch {
      throw SchemaRecordFault("\(error.message) at byte \(error.offsetBytes)")
    }
    guard let format = json["format"]?.intValue else { throw SchemaRecordFault("it has no format number") }
    guard format <= Self.formatNumber else {
      throw SchemaRecordFault("it has format \(format), this version reads \(Self.formatNumber)", isNewerFormat: true)
    }
    guard let items = json["entities"]?.arrayValue, items.count <= Self.entityCountMax else {
      throw SchemaRecordFault("it lists no entities")
    }
    var reader = Reader(items: items)
    try reader.readNumbers()
    var entities: [EntitySchema] = []
    var propertyNumbers: [[Int]] = []
    for index in items.indices {
      let (entity, numbers) = try reader.entity(index)
      entities.append(entity)
      propertyNumbers.append(numbers)
    }
    try Self.check(entities)
    let identifiers = (json["versionIdentifiers"]?.arrayValue ?? []).compactMap(\.stringValue)
    self.init(
      schema: Schema(entities: entities, versionIdentifiers: identifiers), entityNumbers: reader.numbers,
      propertyNumbers: propertyNumbers)
  }

  /// What `Schema` takes for granted, and what indexes from a file might break.
  private static func check(_ entities: [EntitySchema]) throws(SchemaRecordFault) {
    var names: Set<String> = []
    for entity in entities {
      guard names.insert(entity.name).inserted else { throw SchemaRecordFault("two entities are named \(entity.name)") }
      var steps = 0
      var current = entity.superentity
      while let above = current {
        steps += 1
        guard steps <= entities.count else { throw SchemaRecordFault("\(entity.name) is its own super-entity") }
        current = entities[above].superentity
      }
      let inherited = entity.superentity.map { entities[$0].properties.count } ?? 0
      guard entity.inheritedCount == inherited, inherited <= entity.properties.count else {
        throw SchemaRecordFault("\(entity.name) says it inherits \(entity.inheritedCount) properties, not \(inherited)")
      }
      for property in entity.properties {
        let place = "\(entity.name).\(property.name)"
        if let relationship = property.relationship, let inverse = relationship.inverse,
          !entities[relationship.destination].properties.indices.contains(inverse)
        {
          throw SchemaRecordFault("\(place) has an inverse that is not there")
        }
        try check(property.attribute?.derivation, in: entity, entities, place)
      }
    }
  }

  private static func check(
    _ derivation: Derivation?, in entity: EntitySchema, _ entities: [EntitySchema], _ place: String
  ) throws(SchemaRecordFault) {
    func step(_ relationship: Int) -> [PropertySchema]? {
      // A switch over the kind, because `.relationship.map { … }` here stops the optimiser of Swift 6.3.1.
      guard entity.properties.indices.contains(relationship),
        case .relationship(let found) = entity.properties[relationship].kind
      else { return nil }
      return entities[found.destination].properties
    }
    let isFine: Bool
    switch derivation {
    case nil, .now: isFine = true
    case .own(let property, _): isFine = entity.properties.indices.contains(property)
    case .related(let relationship, let property, _):
      isFine = step(relationship)?.indices.contains(property) ?? false
    case .aggregate(let relationship, _, let property):
      isFine =
        step(relationship).map { properties in property.map { properties.indices.contains($0) } ?? true } ?? false
    }
    guard isFine else { throw SchemaRecordFault("\(place) is derived from a property that is not there") }
  }

  /// Reads entities one by one; numbers first, since they refer to one another.
  private struct Reader {
    let items: [JSONText]
    var numbers: [Int] = []
    private var indexByNumber: [Int: Int] = [:]

    init(items: [JSONText]) { self.items = items }

    mutating func readNumbers() throws(SchemaRecordFault) {
      for (index, item) in items.enumerated() {
        guard let number = item["number"]?.intValue, (1...ObjectKey.entityNumberMax).contains(number),
          indexByNumber[number] == nil
        else { throw SchemaRecordFault("entity \(index) has no number of its own") }
        indexByNumber[number] = index
        numbers.append(number)
      }
    }

    func place(_ json: JSONText?, _ what: String) throws(SchemaRecordFault) -> Int {
      guard let number = json?.intValue, let index = indexByNumber[number] else {
        throw SchemaRecordFault("\(what) is not an entity")
      }
      return index
    }

    func entity(_ index: Int) throws(SchemaRecordFault) -> (EntitySchema, [Int]) {
      let item = items[index]
      guard let name = item["name"]?.stringValue, let list = item["properties"]?.arrayValue else {
        throw SchemaRecordFault("entity \(index) has no name or properties")
      }
      var properties: [PropertySchema] = []
      var propertyNumbers: [Int] = []
      for property in list {
        guard let number = property["number"]?.intValue else {
          throw SchemaRecordFault("a property of \(name) has no number")
        }
        propertyNumbers.append(number)
        properties.append(try self.property(property, of: name))
      }
      guard properties.count <= Int(UInt16.max) else { throw SchemaRecordFault("\(name) has too many properties") }
      let superentity = try item["super"].map { json throws(SchemaRecordFault) in
        try place(json, "the super-entity of \(name)")
      }
      let entity = EntitySchema(
        name: name, index: index, superentity: superentity, isAbstract: item["abstract"]?.boolValue ?? false,
        properties: properties, inheritedCount: item["inherited"]?.intValue ?? 0,
        constraints: try constraints(item, properties.count, name),
        fetchIndexes: try indexes(item, properties.count, name),
        renamingIdentifier: item["renamedFrom"]?.stringValue,
        versionHash: item["versionHash"]?.stringValue.flatMap { Data(base64Encoded: $0) })
      return (entity, propertyNumbers)
    }

    private func constraints(
      _ item: JSONText, _ count: Int, _ name: String
    ) throws(SchemaRecordFault) -> [[Int]] {
      let lists = (item["constraints"]?.arrayValue ?? []).map { ($0.arrayValue ?? []).map { $0.intValue ?? -1 } }
      guard lists.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0..<count).contains($0) } }) else {
        throw SchemaRecordFault("a constraint of \(name) names a property that is not there")
      }
      return lists
    }

    private func indexes(
      _ item: JSONText, _ count: Int, _ name: String
    ) throws(SchemaRecordFault) -> [FetchIndexSchema] {
      var indexes: [FetchIndexSchema] = []
      for json in item["indexes"]?.arrayValue ?? [] {
        var elements: [FetchIndexSchema.Element] = []
        for element in json["elements"]?.arrayValue ?? [] {
          guard let property = element["property"]?.intValue, (0..<count).contains(property) else {
            throw SchemaRecordFault("an index of \(name) names a property that is not there")
          }
          let isAscending = element["ascending"]?.boolValue ?? true
          elements.append(FetchIndexSchema.Element(property: property, isAscending: isAscending))
        }
        indexes.append(FetchIndexSchema(name: json["name"]?.stringValue ?? "", elements: elements))
      }
      return indexes
    }

    private func property(_ json: JSONText, of entity: String) throws(SchemaRecordFault) -> PropertySchema {
      guard let name = json["name"]?.stringValue, let kindName = json["kind"]?.stringValue else {
        throw SchemaRecordFault("a property of \(entity) has no name or kind")
      }
      let kind: PropertySchema.Kind
      switch kindName {
      case "attribute": kind = .attribute(try attribute(json, "\(entity).\(name)"))
      case "relationship": kind = .relationship(try relationship(json, "\(entity).\(name)"))
      case "fetched": kind = .fetched
      default: throw SchemaRecordFault("\(entity).\(name) is of unknown kind \(kindName)", isNewerFormat: true)
      }
      return PropertySchema(
        name: name, kind: kind, isOptional: !(json["required"]?.boolValue ?? false),
        isTransient: json["transient"]?.boolValue ?? false, renamingIdentifier: json["renamedFrom"]?.stringValue)
    }

    private func attribute(_ json: JSONText, _ place: String) throws(SchemaRecordFault) -> AttributeSchema {
      guard let name = json["type"]?.stringValue, let type = AttributeType(name: name) else {
        throw SchemaRecordFault("\(place) is of an unknown type", isNewerFormat: true)
      }
      let derivation = try json["derivation"].map { json throws(SchemaRecordFault) in try Self.derivation(json, place) }
      return AttributeSchema(
        type: type, defaultValue: try Self.value(json["default"], place), derivation: derivation,
        allowsExternalStorage: json["externalStorage"]?.boolValue ?? false,
        preservesValueOnDeletion: json["preserved"]?.boolValue ?? false,
        transformerName: json["transformer"]?.stringValue)
    }

    private func relationship(_ json: JSONText, _ name: String) throws(SchemaRecordFault) -> RelationshipSchema {
      guard let rule = json["deleteRule"]?.stringValue.flatMap(RelationshipSchema.DeleteRule.init(storedName:)) else {
        throw SchemaRecordFault("\(name) has an unknown delete rule", isNewerFormat: true)
      }
      return RelationshipSchema(
        destination: try place(json["destination"], "the destination of \(name)"), inverse: json["inverse"]?.intValue,
        isToMany: json["toMany"]?.boolValue ?? false, isOrdered: json["ordered"]?.boolValue ?? false,
        minCount: json["minCount"]?.intValue ?? 0, maxCount: json["maxCount"]?.intValue ?? 0, deleteRule: rule)
    }

    private static func derivation(_ json: JSONText, _ place: String) throws(SchemaRecordFault) -> Derivation {
      let from = json["from"]?.intValue
      let transform = json["transform"]?.stringValue.flatMap(Derivation.Transform.init(rawValue:))
      if json["now"]?.boolValue == true { return .now }
      if let relationship = json["relationship"]?.intValue {
        if let aggregate = json["aggregate"]?.stringValue.flatMap(Derivation.Aggregate.init(rawValue:)) {
          return .aggregate(relationship: relationship, aggregate, property: from)
        }
        if let from, let transform { return .related(relationship: relationship, property: from, transform) }
      } else if let from, let transform {
        return .own(property: from, transform)
      }
      throw SchemaRecordFault("\(place) is derived in an unknown way", isNewerFormat: true)
    }

    private static func value(_ json: JSONText?, _ place: String) throws(SchemaRecordFault) -> Value {
      guard let json else { return .null }
      guard case .object(let members) = json, let (kind, content) = members.first, let text = content.stringValue,
        let value = value(kind, text)
      else { throw SchemaRecordFault("\(place) has a default value that cannot be read") }
      return value
    }

    private static func value(_ kind: String, _ text: String) -> Value? {
      switch kind {
      case "bool": return .bool(text == "true")
      case "int": return Int64(text).map { .int($0) }
      case "float": return Float(text).map { .float($0) }
      case "double": return Double(text).map { .double($0) }
      case "decimal": return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")).map { .decimal($0) }
      case "string": return .string(text)
      case "date": return Double(text).map { .date($0) }
      case "data": return Data(base64Encoded: text).map { .data($0) }
      case "uuid": return UUID(uuidString: text).map { .uuid($0) }
      case "url": return .url(text)
      case "object": return UInt64(text).map { .object(ObjectKey(rawValue: $0)) }
      default: return nil
      }
    }
  }
}
