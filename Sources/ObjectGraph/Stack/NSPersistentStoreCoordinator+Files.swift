public import Foundation

extension NSPersistentStoreCoordinator {
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

  /// Does nothing: a store is never added with migration deferred, since that option is refused.
  public func finishDeferredLightweightMigration() throws {}

  /// Does nothing: a store is never added with migration deferred, since that option is refused.
  public func finishDeferredLightweightMigrationTask() throws {}
}
