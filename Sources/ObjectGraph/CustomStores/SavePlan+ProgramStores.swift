internal import StoreContract

extension SavePlan {
  /// Commits the parts; stores of the program's own get the objects themselves.
  func commit(to coordinator: NSPersistentStoreCoordinator) throws -> [CommitOutcome] {
    let changes: [(NSPersistentStore, ChangeSet)] = parts.map { ($0.place.store, $0.changes) }
    guard parts.contains(where: { $0.place.store is any ProgramStore }) else { return try coordinator.commit(changes) }
    return try coordinator.performAndWait {
      for part in parts { (part.place.store as? any ProgramStore)?.core.saving = objects(of: part) }
      defer { for part in parts { (part.place.store as? any ProgramStore)?.core.saving = nil } }
      return try coordinator.commit(changes)
    }
  }

  private func objects(of part: Part) -> ObjectsOfSave {
    let locked: [NSManagedObject] = part.changes.lockedObjects.compactMap { part.place.object(for: $0.key) }
    return ObjectsOfSave(
      context: context, inserted: part.inserted, updated: part.updated, deleted: part.deleted, locked: locked)
  }
}

extension NSManagedObjectContext {
  /// Stores of the program's own are given objects with the ids that they have for them.
  final func takeKeysOfProgramStores(_ coordinator: NSPersistentStoreCoordinator) throws {
    guard coordinator.persistentStores.contains(where: { $0 is any ProgramStore }) else { return }
    let new: [NSManagedObject] = pending.filter { $0.isInserted && !$0.isDeleted }
    try promiseKeys(new, coordinator: coordinator)
    try obtainPermanentIDs(
      for: new.filter { ($0.place ?? $0.state?.promisedPlace)?.store is any ProgramStore })
  }
}
