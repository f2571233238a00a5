import Schema

extension StoredSchema {
  /// Where a model differs from the stored schema in what rows hold, in words; empty when the store can be used with
  /// it as it is.
  ///
  /// Default values, delete rules, counts, fetch indexes and renaming identifiers may differ: rows do not depend on them.
  func difference(from model: Schema) -> [String] {
    var found: [String] = []
    for entity in schema.entities where model.entityIndexByName[entity.name] == nil {
      found.append("\(entity.name): in the store, not in the model")
    }
    for entity in model.entities {
      guard let stored = schema.entity(named: entity.name) else {
        found.append("\(entity.name): in the model, not in the store")
        continue
      }
      found += difference(stored, entity, model)
    }
    return found
  }

  private func difference(_ stored: EntitySchema, _ entity: EntitySchema, _ model: Schema) -> [String] {
    var found: [String] = []
    func note(_ what: String, _ old: String, _ new: String) {
      if old != new { found.append("\(entity.name)\(what): \(old) in the store, \(new) in the model") }
    }
    note(
      " (super-entity)", stored.superentity.map { schema.entities[$0].name } ?? "none",
      entity.superentity.map { model.entities[$0].name } ?? "none")
    note("", stored.isAbstract ? "abstract" : "concrete", entity.isAbstract ? "abstract" : "concrete")
    for property in stored.properties where entity.propertyIndexByName[property.name] == nil {
      found.append("\(entity.name).\(property.name): in the store, not in the model")
    }
    for property in entity.properties {
      guard let index = stored.propertyIndexByName[property.name] else {
        found.append("\(entity.name).\(property.name): in the model, not in the store")
        continue
      }
      let old = traits(stored.properties[index], in: stored, schema)
      let new = traits(property, in: entity, model)
      for (before, after) in zip(old, new) { note(".\(property.name)", before, after) }
      if old.count != new.count {
        note(".\(property.name)", old.joined(separator: " "), new.joined(separator: " "))
      }
    }
    if found.isEmpty, stored.properties.map(\.name) != entity.properties.map(\.name) {
      found.append("\(entity.name): its properties are in another order in the model")
    }
    if found.isEmpty { note(" (unique)", names(stored.constraints, stored), names(entity.constraints, entity)) }
    return found
  }

  private func names(_ constraints: [[Int]], _ entity: EntitySchema) -> String {
    let lists = constraints.map { $0.map { entity.properties[$0].name }.joined(separator: ", ") }
    return lists.isEmpty ? "no constraint" : lists.map { "(\($0))" }.joined(separator: ", ")
  }

  /// What rows, links and derived values depend on, each as words that name it.
  private func traits(_ property: PropertySchema, in entity: EntitySchema, _ schema: Schema) -> [String] {
    let transient = property.isTransient ? "transient" : "stored"
    switch property.kind {
    case .fetched: return ["fetched property"]
    case .attribute(let attribute):
      let preserved = attribute.preservesValueOnDeletion ? "preserved on deletion" : "not preserved on deletion"
      return [attribute.type.name, transient, words(attribute.derivation, in: entity, schema), preserved]
    case .relationship(let relationship):
      let destination = schema.entities[relationship.destination]
      let inverse = relationship.inverse.map { destination.properties[$0].name } ?? "none"
      return [
        "to-\(relationship.isToMany ? "many" : "one") relationship", transient, "destination \(destination.name)",
        "inverse \(inverse)", relationship.isOrdered ? "ordered" : "unordered",
      ]
    }
  }

  private func words(_ derivation: Derivation?, in entity: EntitySchema, _ schema: Schema) -> String {
    func step(_ relationship: Int) -> [PropertySchema] {
      // A switch over the kind, because `.relationship.map { … }` here stops the optimiser of Swift 6.3.1.
      guard case .relationship(let found) = entity.properties[relationship].kind else { return [] }
      return schema.entities[found.destination].properties
    }
    switch derivation {
    case nil: return "not derived"
    case .now: return "derived as now()"
    case .own(let property, let transform):
      return "derived as \(transform.rawValue)(\(entity.properties[property].name))"
    case .related(let relationship, let property, let transform):
      let path = "\(entity.properties[relationship].name).\(step(relationship)[property].name)"
      return "derived as \(transform.rawValue)(\(path))"
    case .aggregate(let relationship, let aggregate, let property):
      let member = property.map { ".\(step(relationship)[$0].name)" } ?? ""
      return "derived as \(aggregate.rawValue)(\(entity.properties[relationship].name)\(member))"
    }
  }
}
