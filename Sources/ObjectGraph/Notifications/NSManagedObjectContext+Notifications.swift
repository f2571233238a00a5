public import Foundation

extension NSManagedObjectContext {
  /// `NSManagedObjectContextWillSave`, by its newer name.
  public class var willSaveObjectsNotification: Notification.Name { .NSManagedObjectContextWillSave }
  /// `NSManagedObjectContextDidSave`, by its newer name.
  public class var didSaveObjectsNotification: Notification.Name { .NSManagedObjectContextDidSave }
  /// `NSManagedObjectContextObjectsDidChange`, by its newer name.
  public class var didChangeObjectsNotification: Notification.Name { .NSManagedObjectContextObjectsDidChange }
  /// Posted after a save, with ids instead of objects.
  public class var didSaveObjectIDsNotification: Notification.Name { .NSManagedObjectContextDidSaveObjectIDs }
  /// Posted after changes were merged, with ids instead of objects.
  public class var didMergeChangesObjectIDsNotification: Notification.Name {
    .NSManagedObjectContextDidMergeChangesObjectIDs
  }

  /// Keys in the `userInfo` of a context's notifications.
  public enum NotificationKey: String, Sendable {
    /// The context whose save was merged.
    case sourceContext = "managedObjectContext"
    /// The query generation that a save made.
    case queryGeneration = "newQueryGeneration"
    /// Present when every object was invalidated.
    case invalidatedAllObjects = "invalidatedAll"
    /// `Set<NSManagedObject>`.
    case insertedObjects = "inserted"
    /// `Set<NSManagedObject>`.
    case updatedObjects = "updated"
    /// `Set<NSManagedObject>`.
    case deletedObjects = "deleted"
    /// `Set<NSManagedObject>`.
    case refreshedObjects = "refreshed"
    /// `Set<NSManagedObject>`.
    case invalidatedObjects = "invalidated"
    /// `Set<NSManagedObjectID>`.
    case insertedObjectIDs = "inserted_objectIDs"
    /// `Set<NSManagedObjectID>`.
    case updatedObjectIDs = "updated_objectIDs"
    /// `Set<NSManagedObjectID>`.
    case deletedObjectIDs = "deleted_objectIDs"
    /// `Set<NSManagedObjectID>`.
    case refreshedObjectIDs = "refreshed_objectIDs"
    /// `Set<NSManagedObjectID>`.
    case invalidatedObjectIDs = "invalidated_objectIDs"
  }
}
