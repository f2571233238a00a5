public import Schema

extension NSManagedObjectModel {
  /// The model as values, in a fixed order. The first call freezes the model; later ones return the same schema.
  ///
  /// Any thread. Costs a pass over the model once.
  ///
  /// - Throws: `ModelError` with every fault of the model; it stays mutable then.
  public func schema() throws(ModelError) -> Schema {
    throw ModelError("freezing is being built", diagnostics: [])
  }

  /// Descriptions in the order of the frozen schema's entities; empty until the model is frozen.
  package var entityDescriptions: [NSEntityDescription] { freezeLock.withLock { $0?.entities ?? [] } }
}
