public import Foundation
internal import Model
internal import Schema
internal import StoreContract

extension NSPersistentStoreCoordinator {
  /// The store at a URL, if it is open here.
  public func persistentStore(for url: URL) -> NSPersistentStore? {
    persistentStores.first { $0.url.map { StorePlace.samePlace($0, url) } ?? false }
  }

  /// Where a store is. A store in memory has a URL of its own, which names its identity.
  public func url(for store: NSPersistentStore) -> URL {
    store.url ?? URL(string: "memory://\(store.identifier ?? "")") ?? URL(fileURLWithPath: "/dev/null")
  }

  /// The id that a URI stands for: `x-coredata://STORE/Entity/p7`, as `uriRepresentation()` makes it.
  ///
  /// - Returns: `nil` when the URI is none, or its store is not open here or has no such entity. Whether there is such
  ///   an object is not found out.
  public func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
    guard url.scheme == "x-coredata", let host = url.host else { return nil }
    let parts: [String] = url.path.split(separator: "/").map { String($0) }
    guard parts.count == 2, parts[1].hasPrefix("p"),
      let store = persistentStores.first(where: { $0.identifier.caseInsensitiveCompare(host) == .orderedSame }),
      let index = schema.entityIndexByName[parts[0]], let backend = store.backend
    else { return nil }
    let name = String(parts[1].dropFirst())
    let key: ObjectKey
    if let own = store as? any ProgramStore {
      key = own.core.references.key(entityNumber: backend.entityNumbers[index], text: name)
    } else if let ordinal = UInt64(name), ordinal <= ObjectKey.ordinalMax {
      key = ObjectKey(entityNumber: backend.entityNumbers[index], ordinal: ordinal)
    } else {
      return nil
    }
    return NSManagedObjectID(key: key, info: ModelInfo.entity(of: entityDescription(at: index)), store: store)
  }

  /// Names of the types of stores that can be added. The values only stand for them: Linux has no way to put a class
  /// into an `NSValue`.
  public class var registeredStoreTypes: [String: NSValue] {
    let own: [String] = [NSSQLiteStoreType, NSInMemoryStoreType]
    return Dictionary(uniqueKeysWithValues: Set(own + StoreClasses.types).map { ($0, NSNumber(value: true)) })
  }

  /// The open stores that hold an entity, in the order they were added.
  package func stores(holding entityIndex: Int) -> [NSPersistentStore] {
    persistentStores.filter { entityIndex < $0.holdsEntity.count && $0.holdsEntity[entityIndex] }
  }

  /// The open stores that hold an entity.
  ///
  /// - Throws: the error of `noStoreError` when there is none.
  package func requireStores(holding entityIndex: Int) throws -> [NSPersistentStore] {
    let found: [NSPersistentStore] = stores(holding: entityIndex)
    guard found.isEmpty else { return found }
    throw noStoreError(entityIndex: entityIndex)
  }

  /// The store that new objects of an entity go to: the first that holds it and can be written.
  ///
  /// - Throws: `NSPersistentStoreSaveError` when every store with the entity is read only; else as `requireStores`.
  package func store(forInsertionOf entityIndex: Int) throws -> NSPersistentStore {
    let holding: [NSPersistentStore] = try requireStores(holding: entityIndex)
    if let store = holding.first(where: { !$0.isReadOnly }) { return store }
    let entity: String = entityDescription(at: entityIndex).name ?? ""
    throw GraphError.make(
      NSPersistentStoreSaveError,
      "Objects of the entity \(entity) can't be saved: the store \(holding[0].storeName) is open for reading only. Open it without the read-only option, or add another store for the entity.",
      userInfo: [NSAffectedStoresErrorKey: holding])
  }

  /// What to throw when an entity, or with `nil` anything at all, has no store: it says whether opening failed before.
  package func noStoreError(entityIndex: Int? = nil) -> any Error {
    let entity: String? = entityIndex.flatMap { entityDescription(at: $0).name }
    let subject: String = entity.map { " that holds the entity \($0)" } ?? ""
    guard let failure = lastOpenFailure else {
      return GraphError.make(
        NSPersistentStoreOperationError,
        "No store\(subject) is loaded. Add one to the coordinator, or wait until loadPersistentStores has called back.")
    }
    return GraphError.make(
      NSPersistentStoreOperationError,
      "No store\(subject) is loaded: opening it failed. \(failure.localizedDescription) Add the store again when that is put right.",
      underlying: failure)
  }
}
