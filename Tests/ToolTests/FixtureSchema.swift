import Foundation
import Schema

/// A schema with an attribute of every type and relationships of every kind.
enum FixtureSchema {
  static let attributeTypes: [AttributeType] = AttributeType.allCases

  static let schema: Schema = {
    let thing = thingProperties
    let extra = PropertySchema(name: "extra", kind: .attribute(AttributeSchema(type: .string)))
    let entities: [EntitySchema] = [
      EntitySchema(
        name: "Thing", index: 0, superentity: nil, isAbstract: false, properties: thing, inheritedCount: 0),
      EntitySchema(
        name: "SpecialThing", index: 1, superentity: 0, isAbstract: false, properties: thing + [extra],
        inheritedCount: thing.count),
      EntitySchema(
        name: "Owner", index: 2, superentity: nil, isAbstract: false,
        properties: [
          PropertySchema(
            name: "name",
            kind: .attribute(AttributeSchema(type: .string, preservesValueOnDeletion: true)), isOptional: false),
          toMany("things", to: 0, inverse: index(of: "owner")),
          PropertySchema(
            name: "thingCount",
            kind: .attribute(
              AttributeSchema(type: .integer64, derivation: .aggregate(relationship: 1, .count, property: nil)))),
        ],
        inheritedCount: 0, constraints: [[0]]),
      EntitySchema(
        name: "Tag", index: 3, superentity: nil, isAbstract: false,
        properties: [
          PropertySchema(name: "label", kind: .attribute(AttributeSchema(type: .string))),
          toMany("things", to: 0, inverse: index(of: "tags")),
        ],
        inheritedCount: 0),
      EntitySchema(
        name: "Part", index: 4, superentity: nil, isAbstract: false,
        properties: [
          PropertySchema(name: "size", kind: .attribute(AttributeSchema(type: .integer32))),
          PropertySchema(
            name: "whole",
            kind: .relationship(RelationshipSchema(destination: 0, inverse: index(of: "parts"), isToMany: false))),
        ],
        inheritedCount: 0),
    ]
    return Schema(entities: entities)
  }()

  /// "aInteger16", … for every type, then the relationships.
  private static let thingProperties: [PropertySchema] = {
    var properties: [PropertySchema] = attributeTypes.map { type in
      PropertySchema(name: attributeName(type), kind: .attribute(AttributeSchema(type: type)))
    }
    properties.append(
      PropertySchema(
        name: "owner", kind: .relationship(RelationshipSchema(destination: 2, inverse: 1, isToMany: false))))
    properties.append(toMany("tags", to: 3, inverse: 1))
    properties.append(toMany("parts", to: 4, inverse: 1, isOrdered: true))
    return properties
  }()

  static func attributeName(_ type: AttributeType) -> String {
    "a" + type.name.prefix(1).uppercased() + type.name.dropFirst()
  }

  private static func index(of relationship: String) -> Int {
    attributeTypes.count + (["owner", "tags", "parts"].firstIndex(of: relationship) ?? 0)
  }

  private static func toMany(
    _ name: String, to destination: Int, inverse: Int, isOrdered: Bool = false
  ) -> PropertySchema {
    PropertySchema(
      name: name,
      kind: .relationship(
        RelationshipSchema(destination: destination, inverse: inverse, isToMany: true, isOrdered: isOrdered)))
  }
}
