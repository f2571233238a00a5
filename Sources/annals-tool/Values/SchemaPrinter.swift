import Schema

/// Entities and properties of a schema, as text and as JSON: the same for a store's schema and for a model's.
struct SchemaPrinter {
  let schema: Schema
  private let formatter = ValueFormatter(isFull: false) { "\($0)" }

  init(_ schema: Schema) {
    self.schema = schema
  }

  // MARK: Text

  /// What follows an entity's headline, without indentation.
  func lines(_ entity: EntitySchema) -> [String] {
    var lines = entity.properties.indices.map { text(entity.properties[$0], isInherited: $0 < entity.inheritedCount) }
    for constraint in entity.constraints {
      lines.append("unique: \(constraint.map { entity.properties[$0].name }.joined(separator: ", "))")
    }
    for index in entity.fetchIndexes {
      let elements = index.elements.map {
        "\(entity.properties[$0.property].name)\($0.isAscending ? "" : " descending")"
      }
      lines.append("index \(ValueFormatter.escaped(index.name)): \(elements.joined(separator: ", "))")
    }
    return lines
  }

  /// "Package: Base, abstract".
  func headline(_ entity: EntitySchema) -> String {
    let above = entity.superentity.map { ": \(schema.entities[$0].name)" } ?? ""
    return "\(entity.name)\(above)\(entity.isAbstract ? ", abstract" : "")"
  }

  private func text(_ property: PropertySchema, isInherited: Bool) -> String {
    var parts: [String]
    switch property.kind {
    case .attribute(let attribute):
      parts = ["\(property.name): \(attribute.type.name)"]
      if !attribute.defaultValue.isNull { parts.append("default \(formatter.text(attribute.defaultValue))") }
      if attribute.derivation != nil { parts.append("derived") }
      if let transformer = attribute.transformerName { parts.append("by \(ValueFormatter.escaped(transformer))") }
      if attribute.allowsExternalStorage { parts.append("external storage allowed") }
      if attribute.preservesValueOnDeletion { parts.append("kept at deletion") }
    case .relationship(let relationship):
      parts = ["\(property.name): \(relationship.isToMany ? "->>" : "->") \(text(relationship))"]
    case .fetched:
      parts = ["\(property.name): fetched"]
    }
    if !property.isOptional { parts.append("required") }
    if property.isTransient { parts.append("transient") }
    if let former = property.renamingIdentifier { parts.append("renamed from \(former)") }
    if isInherited { parts.append("inherited") }
    return parts.joined(separator: ", ")
  }

  private func text(_ relationship: RelationshipSchema) -> String {
    let destination = schema.entities[relationship.destination]
    var parts = [destination.name]
    if let inverse = relationship.inverse { parts.append("inverse \(destination.properties[inverse].name)") }
    if relationship.isOrdered { parts.append("ordered") }
    if relationship.isToMany, relationship.minCount > 0 || relationship.maxCount > 0 {
      parts.append("\(relationship.minCount) to \(relationship.maxCount > 0 ? String(relationship.maxCount) : "any")")
    }
    parts.append("on delete \(Self.name(relationship.deleteRule))")
    return parts.joined(separator: ", ")
  }

  private static func name(_ rule: RelationshipSchema.DeleteRule) -> String {
    switch rule {
    case .noAction: "no action"
    case .nullify: "nullify"
    case .cascade: "cascade"
    case .deny: "deny"
    }
  }

  // MARK: JSON

  func add(_ entity: EntitySchema, to object: inout JSONObject) {
    object.add("superentity", .text(entity.superentity.map { schema.entities[$0].name }))
    object.add("abstract", .bool(entity.isAbstract))
    let properties = entity.properties.indices.map {
      json(entity.properties[$0], isInherited: $0 < entity.inheritedCount)
    }
    object.add("properties", .array(properties))
    let constraints = entity.constraints.map { constraint in
      JSON.array(constraint.map { .string(entity.properties[$0].name) })
    }
    object.add("unique", .array(constraints))
    object.add("indexes", .array(entity.fetchIndexes.map { json($0, entity) }))
  }

  private func json(_ property: PropertySchema, isInherited: Bool) -> JSON {
    var object = JSONObject()
    object.add("name", .string(property.name))
    switch property.kind {
    case .attribute(let attribute):
      object.add("type", .string(attribute.type.name))
      object.add("default", formatter.json(attribute.defaultValue))
      object.add("derived", .bool(attribute.derivation != nil))
      object.add("transformer", .text(attribute.transformerName))
      object.add("external_storage", .bool(attribute.allowsExternalStorage))
      object.add("kept_at_deletion", .bool(attribute.preservesValueOnDeletion))
    case .relationship(let relationship):
      let destination = schema.entities[relationship.destination]
      object.add("type", .string("relationship"))
      object.add("destination", .string(destination.name))
      object.add("inverse", .text(relationship.inverse.map { destination.properties[$0].name }))
      object.add("to_many", .bool(relationship.isToMany))
      object.add("ordered", .bool(relationship.isOrdered))
      object.add("min", .integer(relationship.minCount))
      object.add("max", .integer(relationship.maxCount))
      object.add("on_delete", .string(Self.name(relationship.deleteRule)))
    case .fetched:
      object.add("type", .string("fetched"))
    }
    object.add("optional", .bool(property.isOptional))
    object.add("transient", .bool(property.isTransient))
    object.add("renamed_from", .text(property.renamingIdentifier))
    object.add("inherited", .bool(isInherited))
    return .object(object)
  }

  private func json(_ index: FetchIndexSchema, _ entity: EntitySchema) -> JSON {
    var object = JSONObject()
    object.add("name", .string(index.name))
    let elements = index.elements.map { element in
      var entry = JSONObject()
      entry.add("property", .string(entity.properties[element.property].name))
      entry.add("ascending", .bool(element.isAscending))
      return JSON.object(entry)
    }
    object.add("elements", .array(elements))
    return .object(object)
  }
}
