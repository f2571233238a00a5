import Schema

/// A schema with the numbers that a store has given to its entities and properties: the content of a schema record.
///
/// Numbers are never used again for something else, so that a later schema can say which old property a new one is.
struct StoredSchema: Sendable {
  static let formatNumber = 1

  let schema: Schema
  /// By schema entity.
  let entityNumbers: [Int]
  /// By schema entity and property; an inherited property has the number of the one it is inherited from.
  let propertyNumbers: [[Int]]

  init(schema: Schema, entityNumbers: [Int], propertyNumbers: [[Int]]) {
    self.schema = schema
    self.entityNumbers = entityNumbers
    self.propertyNumbers = propertyNumbers
  }

  /// The numbers of a store that is made for a schema: entities and properties from 1 in the order of the schema.
  init(new schema: Schema) {
    self.schema = schema
    entityNumbers = schema.entities.indices.map { $0 + 1 }
    var next = 1
    var byDeclaration: [StorePlan.Column: Int] = [:]
    propertyNumbers = schema.entities.map { entity in
      entity.properties.indices.map { property in
        let declaration = StorePlan.Column(
          entity: schema.declaringEntity(of: property, in: entity.index), property: property)
        if let number = byDeclaration[declaration] { return number }
        byDeclaration[declaration] = next
        next += 1
        return next - 1
      }
    }
  }

  /// The numbers of this store for the same schema in another order of entities, and with differences that leave
  /// rows as they are. Only for a schema that `difference` finds none in.
  func renumbered(for other: Schema) -> StoredSchema {
    let places = other.entities.map { schema.entityIndexByName[$0.name] ?? 0 }
    return StoredSchema(
      schema: other, entityNumbers: places.map { entityNumbers[$0] },
      propertyNumbers: places.map { propertyNumbers[$0] })
  }
}
