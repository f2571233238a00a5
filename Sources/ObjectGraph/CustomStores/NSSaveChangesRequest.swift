public import Foundation

/// What a save asks of an incremental store.
open class NSSaveChangesRequest: NSPersistentStoreRequest {
  /// New objects.
  public let insertedObjects: Set<NSManagedObject>?
  /// Changed objects.
  public let updatedObjects: Set<NSManagedObject>?
  /// Objects to delete.
  public let deletedObjects: Set<NSManagedObject>?
  /// Objects whose versions are to be checked.
  public let lockedObjects: Set<NSManagedObject>?

  /// A request with its objects.
  public init(
    inserted insertedObjects: Set<NSManagedObject>?, updated updatedObjects: Set<NSManagedObject>?,
    deleted deletedObjects: Set<NSManagedObject>?, locked lockedObjects: Set<NSManagedObject>?
  ) {
    self.insertedObjects = insertedObjects
    self.updatedObjects = updatedObjects
    self.deletedObjects = deletedObjects
    self.lockedObjects = lockedObjects
    super.init()
  }

  open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSSaveChangesRequest(
      inserted: insertedObjects, updated: updatedObjects, deleted: deletedObjects, locked: lockedObjects)
    copy.affectedStores = affectedStores
    return copy
  }
}
