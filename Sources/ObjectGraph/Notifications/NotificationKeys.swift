// Keys in the `userInfo` of notifications that contexts and coordinators post.

/// Objects inserted: `Set<NSManagedObject>`.
public let NSInsertedObjectsKey: String = "inserted"
/// Objects updated: `Set<NSManagedObject>`.
public let NSUpdatedObjectsKey: String = "updated"
/// Objects deleted: `Set<NSManagedObject>`.
public let NSDeletedObjectsKey: String = "deleted"
/// Objects refreshed without being changed here: `Set<NSManagedObject>`.
public let NSRefreshedObjectsKey: String = "refreshed"
/// Objects invalidated: `Set<NSManagedObject>`.
public let NSInvalidatedObjectsKey: String = "invalidated"
/// Present when every object of the context was invalidated.
public let NSInvalidatedAllObjectsKey: String = "invalidatedAll"
/// Ids of the objects inserted: `Set<NSManagedObjectID>`.
public let NSInsertedObjectIDsKey: String = "inserted_objectIDs"
/// Ids of the objects updated: `Set<NSManagedObjectID>`.
public let NSUpdatedObjectIDsKey: String = "updated_objectIDs"
/// Ids of the objects deleted: `Set<NSManagedObjectID>`.
public let NSDeletedObjectIDsKey: String = "deleted_objectIDs"
/// Ids of the objects refreshed: `Set<NSManagedObjectID>`.
public let NSRefreshedObjectIDsKey: String = "refreshed_objectIDs"
/// Ids of the objects invalidated: `Set<NSManagedObjectID>`.
public let NSInvalidatedObjectIDsKey: String = "invalidated_objectIDs"
/// The query generation that a save made.
public let NSManagedObjectContextQueryGenerationKey: String = "newQueryGeneration"

/// Stores added: `[NSPersistentStore]`.
public let NSAddedPersistentStoresKey: String = "added"
/// Stores removed: `[NSPersistentStore]`.
public let NSRemovedPersistentStoresKey: String = "removed"
/// Stores whose place changed: `[NSPersistentStore]`.
public let NSUUIDChangedPersistentStoresKey: String = "changed"
/// In a remote change: the token that history can be fetched up to.
public let NSPersistentHistoryTokenKey: String = "historyToken"
/// In a remote change: the URL of the store that was written.
public let NSPersistentStoreURLKey: String = "storeURL"
