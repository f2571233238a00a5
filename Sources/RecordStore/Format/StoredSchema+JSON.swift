import Foundation
import Schema

extension StoredSchema {
  /// The text of the schema record: one JSON object, members in a fixed order, no spaces.
  var json: JSONText {
    var members: [(String, JSONText)] = [
      ("format", .number(Self.formatNumber)),
      ("entities", .array(schema.entities.map { encode($0) })),
    ]
    if !schema.versionIdentifiers.isEmpty {
      members.append(("versionIdentifiers", .array(schema.versionIdentifiers.map { .string($0) })))
    }
    return .object(members)
  }

  private func encode(_ entity: EntitySchema) -> JSONText {
    var members: [(String, JSONText)] = [
      ("number", .number(entityNumbers[entity.index])),
      ("name", .string(entity.name)),
    ]
    if let above = entity.superentity { members.append(("super", .number(entityNumbers[above]))) }
    if entity.isAbstract { members.append(("abstract", .bool(true))) }
    if entity.inheritedCount > 0 { members.append(("inherited", .number(entity.inheritedCount))) }
    if let name = entity.renamingIdentifier { members.append(("renamedFrom", .string(name))) }
    if let hash = entity.versionHash { members.append(("versionHash", .string(hash.base64EncodedString()))) }
    let properties = entity.properties.enumerated().map { index, property in
      encode(property, number: propertyNumbers[entity.index][index])
    }
    members.append(("properties", .array(properties)))
    if !entity.constraints.isEmpty {
      members.append(("constraints", .array(entity.constraints.map { .array($0.map { .number($0) }) })))
    }
    if !entity.fetchIndexes.isEmpty { members.append(("indexes", .array(entity.fetchIndexes.map(Self.encode)))) }
    return .object(members)
  }

  private static func encode(_ index: FetchIndexSchema) -> JSONText {
    let elements: [JSONText] = index.elements.map { element in
      .object([("property", .number(element.property)), ("ascending", .bool(element.isAscending))])
    }
    return .object([("name", .string(index.name)), ("elements", .array(elements))])
  }

  private func encode(_ property: PropertySchema, number: Int) -> JSONText {
    var members: [(String, JSONText)] = [("number", .number(number)), ("name", .string(property.name))]
    switch property.kind {
    case .attribute(let attribute): members += encode(attribute)
    case .relationship(let relationship): members += encode(relationship)
    case .fetched: members.append(("kind", .string("fetched")))
    }
    if !property.isOptional { members.append(("required", .bool(true))) }
    if property.isTransient { members.append(("transient", .bool(true))) }
    if let name = property.renamingIdentifier { members.append(("renamedFrom", .string(name))) }
    return .object(members)
  }

  private func encode(_ attribute: AttributeSchema) -> [(String, JSONText)] {
    var members: [(String, JSONText)] = [
      ("kind", .string("attribute")), ("type", .string(attribute.type.name)),
    ]
    if let value = encode(attribute.defaultValue) { members.append(("default", value)) }
    if let derivation = attribute.derivation { members.append(("derivation", Self.encode(derivation))) }
    if attribute.allowsExternalStorage { members.append(("externalStorage", .bool(true))) }
    if attribute.preservesValueOnDeletion { members.append(("preserved", .bool(true))) }
    if let name = attribute.transformerName { members.append(("transformer", .string(name))) }
    return members
  }

  private func encode(_ relationship: RelationshipSchema) -> [(String, JSONText)] {
    var members: [(String, JSONText)] = [
      ("kind", .string("relationship")), ("destination", .number(entityNumbers[relationship.destination])),
    ]
    if let inverse = relationship.inverse { members.append(("inverse", .number(inverse))) }
    if relationship.isToMany { members.append(("toMany", .bool(true))) }
    if relationship.isOrdered { members.append(("ordered", .bool(true))) }
    if relationship.minCount != 0 { members.append(("minCount", .number(relationship.minCount))) }
    if relationship.maxCount != 0 { members.append(("maxCount", .number(relationship.maxCount))) }
    members.append(("deleteRule", .string(relationship.deleteRule.storedName)))
    return members
  }

  /// `nil` for an absent value. Numbers are written as text, since JSON readers round them.
  private func encode(_ value: Value) -> JSONText? {
    let (kind, text): (String, String)
    switch value {
    case .null: return nil
    case .bool(let flag): (kind, text) = ("bool", flag ? "true" : "false")
    case .int(let number): (kind, text) = ("int", String(number))
    case .float(let number): (kind, text) = ("float", number.description)
    case .double(let number): (kind, text) = ("double", number.description)
    case .decimal(let number): (kind, text) = ("decimal", number.description)
    case .string(let string): (kind, text) = ("string", string)
    case .date(let seconds): (kind, text) = ("date", seconds.description)
    case .data(let data): (kind, text) = ("data", data.base64EncodedString())
    case .uuid(let uuid): (kind, text) = ("uuid", uuid.uuidString)
    case .url(let string): (kind, text) = ("url", string)
    case .object(let key): (kind, text) = ("object", String(key.rawValue))
    }
    return .object([(kind, .string(text))])
  }

  private static func encode(_ derivation: Derivation) -> JSONText {
    switch derivation {
    case .own(let property, let transform):
      return .object([("from", .number(property)), ("transform", .string(transform.rawValue))])
    case .related(let relationship, let property, let transform):
      return .object([
        ("relationship", .number(relationship)), ("from", .number(property)),
        ("transform", .string(transform.rawValue)),
      ])
    case .aggregate(let relationship, let aggregate, let property):
      var members: [(String, JSONText)] = [
        ("relationship", .number(relationship)), ("aggregate", .string(aggregate.rawValue)),
      ]
      if let property { members.append(("from", .number(property))) }
      return .object(members)
    case .now: return .object([("now", .bool(true))])
    }
  }
}

extension RelationshipSchema.DeleteRule {
  var storedName: String {
    switch self {
    case .noAction: "noAction"
    case .nullify: "nullify"
    case .cascade: "cascade"
    case .deny: "deny"
    }
  }

  init?(storedName: String) {
    switch storedName {
    case "noAction": self = .noAction
    case "nullify": self = .nullify
    case "cascade": self = .cascade
    case "deny": self = .deny
    default: return nil
    }
  }
}
