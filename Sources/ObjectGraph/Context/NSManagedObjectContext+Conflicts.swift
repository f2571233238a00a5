internal import Foundation
internal import Schema
internal import StoreContract

extension NSManagedObjectContext {
  /// Asks the merge policy to make conflicts go away.
  ///
  /// - Throws: what the policy throws.
  final func resolve(_ conflicts: [StoreConflict], in place: StorePlaceInContext) throws {
    let policy: NSMergePolicy = mergePolicy as? NSMergePolicy ?? NSMergePolicy.error
    var found: [Any] = []
    for conflict in conflicts {
      switch conflict {
      case .version(let key, let expectedVersion, let storedRow):
        guard let object = place.object(for: key) else { continue }
        found.append(
          NSMergeConflict(
            source: object, newVersion: Int(storedRow?.version ?? 0), oldVersion: Int(expectedVersion),
            cachedSnapshot: storedRow.map { ConflictSnapshot.values(of: $0, for: object) }, persistedSnapshot: nil,
            storedRow: storedRow))
      case .constraint(let entity, let properties, let keys, let stored):
        found.append(constraintConflict(entity, properties, keys, stored, place))
      }
    }
    try policy.resolve(mergeConflicts: found)
  }

  private func constraintConflict(
    _ entity: Int, _ properties: [Int], _ keys: [ObjectKey], _ stored: ObjectKey?, _ place: StorePlaceInContext
  ) -> NSConstraintConflict {
    let wanted = Set<ObjectKey>(keys)
    let objects: [NSManagedObject] = pending.filter { object in
      wanted.contains(object.state?.promisedKey ?? object.key)
    }
    let holder: NSManagedObject? = stored.flatMap { object(for: $0, in: place) }
    holder?.realise()
    let names: [String] = properties.map { info(at: entity).entity.properties[$0].name }
    return NSConstraintConflict(
      constraint: names, database: holder,
      databaseSnapshot: holder?.row.map { ConflictSnapshot.values(of: $0, for: holder!) },
      conflictingObjects: objects, conflictingSnapshots: objects.map { $0.committedValues(forKeys: nil) })
  }

  private func info(at index: Int) -> EntityInfo { modelInfo.entities[index] }
}
