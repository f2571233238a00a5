internal import Foundation

/// The errors of the error policy.
enum MergeErrors {
  static func versions(_ conflicts: [NSMergeConflict]) -> any Error {
    let objects: [NSManagedObject] = conflicts.map { $0.sourceObject }
    let first: String = conflicts.first.map { "\($0.sourceObject.objectID)" } ?? ""
    let more: String = conflicts.count > 1 ? " and \(conflicts.count - 1) more" : ""
    return GraphError.make(
      NSManagedObjectMergeError,
      "Nothing was saved: \(first)\(more) changed in the store since it was read. Refresh the objects, or set a merge policy that resolves conflicts.",
      userInfo: [NSPersistentStoreSaveConflictsErrorKey: conflicts, NSAffectedObjectsErrorKey: objects])
  }

  /// For policies that would keep an object which the store no longer has.
  static func deleted(_ conflict: NSMergeConflict) -> any Error {
    GraphError.make(
      NSManagedObjectMergeError,
      "Nothing was saved: \(conflict.sourceObject.objectID) was deleted from the store since it was read. Delete it here too, or insert a new object with its values.",
      userInfo: [
        NSPersistentStoreSaveConflictsErrorKey: [conflict], NSAffectedObjectsErrorKey: [conflict.sourceObject],
      ])
  }

  static func constraints(_ conflicts: [NSConstraintConflict]) -> any Error {
    let objects: [NSManagedObject] = conflicts.flatMap { $0.conflictingObjects }
    let first: String = conflicts.first.map { describe($0) } ?? ""
    let more: String = conflicts.count > 1 ? " There are \(conflicts.count - 1) more conflicts." : ""
    return GraphError.make(
      NSManagedObjectConstraintMergeError,
      "Nothing was saved: \(first)\(more) Change or delete the objects under \(NSAffectedObjectsErrorKey), or set a merge policy that resolves conflicts.",
      userInfo: [NSPersistentStoreSaveConflictsErrorKey: conflicts, NSAffectedObjectsErrorKey: objects])
  }

  private static func describe(_ conflict: NSConstraintConflict) -> String {
    let values: String = conflict.constraint.map { "\($0) '\(conflict.constraintValues[$0] ?? "")'" }
      .joined(separator: " and ")
    let entity: String = conflict.conflictingObjects.first?.entity.name ?? "objects"
    if let holder = conflict.databaseObject {
      return "\(entity) must be unique by \(values), which \(holder.objectID) has in the store."
    }
    return "\(conflict.conflictingObjects.count) unsaved objects of \(entity) share \(values), which must be unique."
  }
}
