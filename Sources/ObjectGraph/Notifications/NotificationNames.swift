public import Foundation

extension Notification.Name {
  /// Posted by a context before it saves.
  public static let NSManagedObjectContextWillSave = Notification.Name("NSManagingContextWillSaveChangesNotification")
  /// Posted by a context after it saved; the objects saved are in `userInfo`.
  public static let NSManagedObjectContextDidSave = Notification.Name("NSManagingContextDidSaveChangesNotification")
  /// Posted by a context when changes were processed, at the end of an event.
  public static let NSManagedObjectContextObjectsDidChange =
    Notification.Name("NSObjectsChangedInManagingContextNotification")
  /// Posted by a context after it saved; the ids of the objects saved are in `userInfo`.
  public static let NSManagedObjectContextDidSaveObjectIDs =
    Notification.Name("NSManagedObjectContextDidSaveObjectIDsNotification")
  /// Posted by a context after it merged changes; the ids of the objects concerned are in `userInfo`.
  public static let NSManagedObjectContextDidMergeChangesObjectIDs =
    Notification.Name("NSManagedObjectContextDidMergeChangesObjectIDsNotification")
  /// Posted by a coordinator before its stores are swapped for others.
  public static let NSPersistentStoreCoordinatorStoresWillChange =
    Notification.Name("NSPersistentStoreCoordinatorStoresWillChangeNotification")
  /// Posted by a coordinator after a store was added, removed or moved.
  public static let NSPersistentStoreCoordinatorStoresDidChange =
    Notification.Name("_NSPersistentStoreCoordinatorStoresDidChangeNotification")
  /// Posted by a coordinator before it closes a store that is being removed; its object is the store.
  public static let NSPersistentStoreCoordinatorWillRemoveStore =
    Notification.Name("_NSPersistentStoreCoordinatorWillRemoveStoreNotification")
  /// Posted by a coordinator when a store with the remote change option was written to.
  public static let NSPersistentStoreRemoteChange = Notification.Name("NSPersistentStoreRemoteChangeNotification")
}
