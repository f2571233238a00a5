// Keys of the options that a store can be opened with. Every one of Core Data's is known; what it does here is said
// beside it.

/// `true` opens the store for reading only: no lock is taken and nothing is written.
public let NSReadOnlyPersistentStoreOption: String = "NSReadOnlyPersistentStoreOption"
/// Seconds to wait for another process to let go of the store; without it, opening fails at once.
public let NSPersistentStoreTimeoutOption: String = "NSPersistentStoreTimeoutOption"
/// History is always kept in the log: the option is accepted and changes nothing.
public let NSPersistentHistoryTrackingKey: String = "NSPersistentHistoryTrackingKey"
/// `true` posts `NSPersistentStoreRemoteChange` after each commit to the store by a coordinator of this process.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey: String =
  "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// Migration is not available: a store of another model fails to open whatever this says.
public let NSMigratePersistentStoresAutomaticallyOption: String = "NSMigratePersistentStoresAutomaticallyOption"
/// Migration is not available: a store of another model fails to open whatever this says.
public let NSInferMappingModelAutomaticallyOption: String = "NSInferMappingModelAutomaticallyOption"
/// Migration is not available: `true` is refused.
public let NSPersistentStoreDeferredLightweightMigrationOptionKey: String =
  "NSPersistentStoreDeferredLightweightMigrationOptionKey"
/// Migration is not available: a manager given is refused.
public let NSPersistentStoreStagedMigrationManagerOptionKey: String =
  "NSPersistentStoreStagedMigrationManagerOptionKey"
/// `true` is refused: a store of another model can't be read by this one.
public let NSIgnorePersistentStoreVersioningOption: String = "NSIgnorePersistentStoreVersioningOption"
/// With `destroyPersistentStore`: accepted; destroying never needs the model.
public let NSPersistentStoreForceDestroyOption: String = "NSPersistentStoreForceDestroyOption"
/// There are no connections to pool: accepted, changes nothing.
public let NSPersistentStoreConnectionPoolMaxSizeKey: String = "NSPersistentStoreConnectionPoolMaxSize"
/// Pragmas are SQLite's: accepted for ported code, changes nothing. Commits are always synced.
public let NSSQLitePragmasOption: String = "NSSQLitePragmasOption"
/// There are no statistics to gather: accepted, changes nothing.
public let NSSQLiteAnalyzeOption: String = "NSSQLiteAnalyzeOption"
/// Compaction is not available: accepted, changes nothing.
public let NSSQLiteManualVacuumOption: String = "NSSQLiteManualVacuumOption"
/// Linux has no file protection classes: accepted, changes nothing.
public let NSPersistentStoreFileProtectionKey: String = "NSPersistentStoreFileProtectionKey"
/// For binary stores, which are not available: accepted, changes nothing.
public let NSBinaryStoreSecureDecodingClasses: String = "NSBinaryStoreSecureDecodingClasses"
/// For binary stores, which are not available: accepted, changes nothing.
public let NSBinaryStoreInsecureDecodingCompatibilityOption: String =
  "NSBinaryStoreInsecureDecodingCompatibilityOption"

/// With `NSReadOnlyPersistentStoreOption`: `true` opens a store whose log is damaged, with what was committed before the
/// damage, where opening otherwise throws. Annals' own: Core Data has no word for it.
public let AnnalsReadDamagedStoreOption: String = "AnnalsReadDamagedStoreOption"

/// The file system that a store lives on, an `any FileSystem`; the disk's without it. For tests.
package let fileSystemOption: String = "AnnalsFileSystemOption"
/// Kept for ported code: no store of this package is XML.
public let NSValidateXMLStoreOption: String = "NSValidateXMLStoreOption"
