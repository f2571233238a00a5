internal import Foundation
public import Schema

extension NSManagedObjectModel {
  /// The model as values, in a fixed order. The first call freezes the model; later ones return the same schema.
  ///
  /// Any thread. Costs a pass over the model once, a lock afterwards.
  ///
  /// - Throws: `ModelError` with every fault of the model; it stays mutable then.
  public func schema() throws(ModelError) -> Schema {
    let result: Result<Schema, ModelError> = freezeLock.withLock { frozen in
      if let frozen { return .success(frozen.schema) }
      do throws(ModelError) {
        let made: FrozenModel = try freeze()
        frozen = made
        return .success(made.schema)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Descriptions in the order of the frozen schema's entities; empty until the model is frozen.
  package var entityDescriptions: [NSEntityDescription] { freezeLock.withLock { $0?.entities ?? [] } }

  private func freeze() throws(ModelError) -> FrozenModel {
    let faults: [ModelDiagnostic] = ModelChecker(model: self).check().filter { $0.severity == .error }
    guard faults.isEmpty else { throw ModelError("The model can't be used.", diagnostics: faults) }
    let freezer = ModelFreezer(self)
    let unmarked: Schema = try freezer.schema()
    for (index, entity) in freezer.entities.enumerated() {
      entity.freeze(index: index, freezer.properties[index])
    }
    frozenEntitiesByName = entitiesByName
    isFrozen = true
    let schema: Schema = unmarked.marked(
      versionHashes: freezer.entities.map { $0.versionHash },
      versionIdentifiers: versionIdentifiers.compactMap { $0 as? String }.sorted())
    return FrozenModel(schema: schema, entities: freezer.entities)
  }
}

extension NSEntityDescription {
  fileprivate func freeze(index: Int, _ columns: [SchemaColumn]) {
    frozen.schemaIndex = index
    frozen.schemaProperties = columns.map { $0.property }
    frozen.properties = columns.lazy.filter { !$0.isElement }.map { $0.property }
    for property in frozen.properties { frozen.propertiesByName[property.name] = property }
    for column in columns where column.isElement { column.property.isFrozen = true }
    frozen.attributesByName = frozen.propertiesByName.compactMapValues { $0 as? NSAttributeDescription }
    frozen.relationshipsByName = frozen.propertiesByName.compactMapValues { $0 as? NSRelationshipDescription }
    frozen.versionHash = versionHash
    for property in ownProperties { property.isFrozen = true }
    for index in indexes { index.isFrozen = true }
    isFrozen = true
  }
}
