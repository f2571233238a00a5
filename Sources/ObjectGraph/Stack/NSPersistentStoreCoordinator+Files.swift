public import Foundation

extension NSPersistentStoreCoordinator {
  /// Names another place for a store. Moving a store is not available, so this changes nothing but for a store that
  /// is already there.
  ///
  /// - Returns: whether the store is at the URL.
  @discardableResult
  public func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
    store.url.map { StorePlace.samePlace($0, url) } ?? false
  }

  /// Removes a store and all its data. A store that is not there is fine.
  ///
  /// - Throws: `NSPersistentStoreOperationError` when the store is open, in this process or another, or is no store.
  public func destroyPersistentStore(at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil) throws {
    switch try StorePlace(type: storeType, url: url) {
    case .privateMemory: return
    case .namedMemory(let name): try Self.refuseOpen("memory:" + name, "It can't be destroyed")
    case .directory(let path):
      try Self.refuseOpen(path, "It can't be destroyed")
      do {
        try StoreFactories.logStore().destroy(directory: path, options: options ?? [:])
      } catch {
        throw GraphError.wrapping(error, during: .open, store: path)
      }
    }
  }

  /// Removes a store and all its data: see the form with a type's name.
  public func destroyPersistentStore(
    at url: URL, type: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(at: url, ofType: type.rawValue, options: options)
  }

  /// Not available: throws. Close both stores and copy the directory instead.
  public func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
    sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
  ) throws {
    throw Self.notAvailable("replacePersistentStore", "Remove both stores and copy the directory.")
  }

  /// Not available: throws. Close both stores and copy the directory instead.
  public func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
    sourceOptions: [AnyHashable: Any]? = nil, type: NSPersistentStore.StoreType
  ) throws {
    throw Self.notAvailable("replacePersistentStore", "Remove both stores and copy the directory.")
  }

  /// Not available: throws. Remove the store, copy its directory, and add the copy instead.
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
  ) throws -> NSPersistentStore {
    throw Self.notAvailable("migratePersistentStore", "Remove the store, copy its directory, and add the copy.")
  }

  /// Not available: throws. Remove the store, copy its directory, and add the copy instead.
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
    type storeType: NSPersistentStore.StoreType
  ) throws -> NSPersistentStore {
    throw Self.notAvailable("migratePersistentStore", "Remove the store, copy its directory, and add the copy.")
  }

  /// Does nothing: a store is never added with migration deferred, since that option is refused.
  public func finishDeferredLightweightMigration() throws {}

  /// Does nothing: a store is never added with migration deferred, since that option is refused.
  public func finishDeferredLightweightMigrationTask() throws {}

  private static func notAvailable(_ name: String, _ instead: String) -> any Error {
    GraphError.make(NSPersistentStoreOperationError, "\(name) is not available yet. \(instead)")
  }
}
