public import Foundation
internal import Schema
internal import StoreContract

extension NSPersistentStoreCoordinator {
  /// The metadata of a store: `NSStoreTypeKey`, `NSStoreUUIDKey`, `NSStoreModelVersionHashesKey` and the like, and what the
  /// program set.
  public func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

  /// Sets the program's metadata of a store: property-list values. They are kept with the next save to the store.
  public func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
    store.metadata = metadata ?? [:]
  }

  /// Reads the metadata of a store without a coordinator or model: see `NSManagedObjectModel.isConfiguration(withName:
  /// compatibleWithStoreMetadata:)`. The store is read only, and may be open meanwhile, here or in another process.
  ///
  /// Costs a replay of the store's log, unless this process has it open.
  ///
  /// - Throws: `NSPersistentStoreOpenError` and its kin.
  public class func metadataForPersistentStore(
    ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    if let storeClass = StoreClasses.storeClass(of: storeType) {
      return try storeClass.metadataForPersistentStore(with: url)
    }
    let path: String = try directory(storeType, url)
    do {
      let opening = StoreOpening(
        place: .directory(path), schema: nil, isReadOnly: true, options: options ?? [:])
      let store: any ObjectStore = try StoreFactories.logStore().open(opening)
      defer { try? store.close() }
      return StoreMetadata.full(
        StoreMetadata.decode(store.metadata), type: storeType, identifier: store.identifier.uuidString,
        schema: store.schema)
    } catch {
      throw GraphError.wrapping(error, during: .open, store: path)
    }
  }

  /// Reads the metadata of a store: see the form with a type's name.
  public class func metadataForPersistentStore(
    type: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try metadataForPersistentStore(ofType: type.rawValue, at: url, options: options)
  }

  /// Replaces the program's metadata of a store that nobody has open.
  ///
  /// - Throws: `NSPersistentStoreOpenError` and its kin; the store must not be open, here or in another process.
  public class func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    if let storeClass = StoreClasses.storeClass(of: storeType) {
      return try storeClass.setMetadata(metadata, forPersistentStoreAt: url)
    }
    let path: String = try directory(storeType, url)
    try refuseOpen(path, "Its metadata can't be set from outside")
    do {
      let opening = StoreOpening(
        place: .directory(path), schema: nil, isReadOnly: false, options: options ?? [:])
      let store: any ObjectStore = try StoreFactories.logStore().open(opening)
      defer { try? store.close() }
      let kept: [String: Any] = (metadata ?? [:]).filter { !StoreMetadata.reservedKeys.contains($0.key) }
      var changes = ChangeSet(timestamp: Date.timeIntervalSinceReferenceDate)
      for key in store.metadata.keys where kept[key] == nil { changes.metadata.updateValue(nil, forKey: key) }
      for (key, value) in StoreMetadata.encode(kept, store: path) { changes.metadata.updateValue(value, forKey: key) }
      _ = try store.commit(changes)
    } catch {
      throw GraphError.wrapping(error, during: .save, store: path)
    }
  }

  /// Replaces the program's metadata of a store that nobody has open: see the form with a type's name.
  public class func setMetadata(
    _ metadata: [String: Any]?, type: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws {
    try setMetadata(metadata, forPersistentStoreOfType: type.rawValue, at: url, options: options)
  }

  static func directory(_ type: String, _ url: URL) throws -> String {
    guard case .directory(let path) = try StorePlace(type: type, url: url) else {
      throw GraphError.make(
        NSPersistentStoreOpenError, "The store \(url.path) is in memory: ask the coordinator that has it open.")
    }
    return path
  }

  static func refuseOpen(_ path: String, _ what: String) throws {
    guard SharedBackends.isOpen(path) else { return }
    throw GraphError.make(
      NSPersistentStoreOperationError,
      "The store \(path) is open in this process. \(what): remove it from its coordinators first.",
      userInfo: [NSFilePathErrorKey: path])
  }
}
