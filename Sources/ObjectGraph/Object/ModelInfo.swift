internal import Foundation
internal import Model
internal import Schema
internal import Synchronization

/// What the graph works out once about a model.
final class ModelInfo: Sendable {
  let schema: Schema
  /// By schema index.
  let entities: [EntityInfo]
  let entitiesByName: [String: EntityInfo]

  private init(model: NSManagedObjectModel) throws {
    let schema: Schema = try model.schema()
    let descriptions: [NSEntityDescription] = model.entityDescriptions
    let resolver = ClassResolver(modules: model.classModules)
    self.schema = schema
    entities = schema.entities.indices.map {
      EntityInfo(schema: schema, index: $0, description: descriptions[$0], classes: resolver)
    }
    var byName: [String: EntityInfo] = [:]
    for info in entities { byName[info.entity.name] = info }
    entitiesByName = byName
  }

  /// Freezes the model at first. Any thread.
  ///
  /// - Throws: `ModelError` with the model's faults.
  static func of(_ model: NSManagedObjectModel) throws -> ModelInfo {
    try model.runtime.withLock { runtime in
      if let known = runtime as? ModelInfo { return known }
      let made = try ModelInfo(model: model)
      runtime = made
      return made
    }
  }

  /// The entity of a description. Stops the program when its model is faulty, which a coordinator would have thrown.
  static func entity(of description: NSEntityDescription) -> EntityInfo {
    do {
      let info: ModelInfo = try ModelInfo.of(description.managedObjectModel)
      let entity: EntityInfo = info.entities[description.schemaIndex]
      guard entity.description === description else {
        ProgrammerError.stop("The entity '\(description.name ?? "")' is not among its model's entities.")
      }
      return entity
    } catch {
      ProgrammerError.stop("The model of the entity '\(description.name ?? "")' can't be used: \(error)")
    }
  }

  /// Entities whose objects are of a class, by the class itself or by its name.
  func entities(of objectClass: NSManagedObject.Type) -> [EntityInfo] {
    let named: [EntityInfo] = entities.filter { $0.isNamed(after: objectClass) }
    for info in named { info.adopt(objectClass) }
    let resolved: [EntityInfo] = entities.filter { $0.hasOwnClass && $0.objectClass == objectClass }
    return resolved.isEmpty ? named : resolved
  }
}
