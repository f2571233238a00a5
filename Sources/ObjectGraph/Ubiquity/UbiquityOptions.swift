// Store options of sync through a shared folder: known by name, and refused when a store is opened with them.

/// Name of the content that is kept in sync.
public let NSPersistentStoreUbiquitousContentNameKey: String = "NSPersistentStoreUbiquitousContentNameKey"
/// Folder for the transactions that are exchanged.
public let NSPersistentStoreUbiquitousContentURLKey: String = "NSPersistentStoreUbiquitousContentURLKey"
/// Tells this peer from others.
public let NSPersistentStoreUbiquitousPeerTokenOption: String = "NSPersistentStoreUbiquitousPeerTokenOption"
/// The container that the folder is in.
public let NSPersistentStoreUbiquitousContainerIdentifierKey: String =
  "NSPersistentStoreUbiquitousContainerIdentifierKey"
/// Turns a copy of a synced store into a plain one.
public let NSPersistentStoreRemoveUbiquitousMetadataOption: String = "NSPersistentStoreRemoveUbiquitousMetadataOption"
/// Makes the store anew from the exchanged transactions.
public let NSPersistentStoreRebuildFromUbiquitousContentOption: String =
  "NSPersistentStoreRebuildFromUbiquitousContentOption"
