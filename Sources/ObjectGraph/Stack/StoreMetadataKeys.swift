// Keys of a store's metadata that the stack fills in.

/// The store's type: `String`.
public let NSStoreTypeKey: String = "NSStoreType"
/// The store's identity: a UUID's `String`.
public let NSStoreUUIDKey: String = "NSStoreUUID"
/// Version hashes of the store's entities, by name: `[String: Data]`.
public let NSStoreModelVersionHashesKey: String = "NSStoreModelVersionHashes"
/// How the version hashes are made: `Int`, 1. They are not Apple's, and only compare with others of this number.
public let NSStoreModelVersionHashesVersionKey: String = "NSStoreModelVersionHashesVersion"
/// Version identifiers of the model: `[Any]`.
public let NSStoreModelVersionIdentifiersKey: String = "NSStoreModelVersionIdentifiers"
/// The version of this framework that wrote the store: `Int`.
public let NSPersistenceFrameworkVersion: String = "NSPersistenceFrameworkVersion"
/// The first system version that can read the store. Stores here do not depend on it.
public let NSPersistentStoreOSCompatibility: String = "NSPersistentStoreOSCompatibility"
