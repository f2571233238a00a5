public import Foundation
internal import Schema
internal import StoreContract

extension NSPersistentStoreCoordinator {
  /// Copies a store to another place, as of its last commit, and goes on with the copy instead of it: "save as".
  ///
  /// The copy has the same identity and history: ids and their URIs stay right, and contexts keep their objects and
  /// pending changes, which their next save writes to the copy. What the old store's place holds stays there. Costs
  /// reading and writing the whole log, while saves through this coordinator wait.
  ///
  /// - Parameters:
  ///   - store: one of this coordinator's stores.
  ///   - URL: a directory that isn't there yet, or memory: `/dev/null`, or `/dev/null/NAME` that nobody has open.
  ///   - options: what the copy is opened with.
  ///   - storeType: `NSSQLiteStoreType` or `NSInMemoryStoreType`.
  /// - Returns: the copy. `store` is no longer among the coordinator's stores.
  /// - Throws: `NSPersistentStoreOperationError` when the store is not one of this coordinator's, or something is at the
  ///   place already; `NSPersistentStoreOpenError` and its kin when copying or opening fails. Then the coordinator still
  ///   has the old store, and no copy is left.
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
  ) throws -> NSPersistentStore {
    let copy: NSPersistentStore = try performAndWait { () throws -> NSPersistentStore in
      let source: SharedBackend = try ownBackend(of: store)
      let place: StorePlace = try StorePlace(type: storeType, url: URL)
      let copy: NSPersistentStore = try copied(store, source, to: place, URL, options, storeType)
      replace(store, by: copy)
      store.detach(inFavourOf: copy)
      return copy
    }
    NotificationCenter.default.post(
      name: .NSPersistentStoreCoordinatorStoresDidChange, object: self,
      userInfo: [NSAddedPersistentStoresKey: [copy], NSRemovedPersistentStoresKey: [store]])
    return copy
  }

  /// Copies a store to another place and goes on with the copy: see the form with a type's name.
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
    type storeType: NSPersistentStore.StoreType
  ) throws -> NSPersistentStore {
    try migratePersistentStore(store, to: storeURL, options: options, withType: storeType.rawValue)
  }

  /// Puts a copy of a store, as of its last commit, in the place of another one, or where none is.
  ///
  /// The copy has the source's identity. A crash leaves what was there or the copy, nothing between. The source may be
  /// open and be written meanwhile. Costs reading and writing the source's log.
  ///
  /// - Parameters:
  ///   - destinationURL: a directory; a store that is there must not be open.
  ///   - destinationOptions: those that a store there is opened with.
  ///   - sourceURL: a directory, or memory by name.
  ///   - sourceOptions: those that the source is opened with.
  ///   - storeType: the type of both.
  /// - Throws: `NSPersistentStoreOperationError` when the destination is open, in this process or another, or is the
  ///   source; `NSPersistentStoreOpenError` and its kin when there is no source, or copying fails.
  public func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
    sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
  ) throws {
    let path: String = try Self.directory(storeType, destinationURL)
    try Self.refuseOpen(path, "It can't be replaced")
    let source: StoreOpening = try Self.source(storeType, sourceURL, sourceOptions)
    guard source.place != .directory(path) else {
      throw GraphError.make(
        NSPersistentStoreOperationError, "The store \(path) can't be replaced with itself: give another source.")
    }
    let destination = StoreOpening(
      place: .directory(path), schema: nil, isReadOnly: false, options: destinationOptions ?? [:])
    do { try StoreFactories.logStore().copy(from: source, to: destination) } catch {
      throw GraphError.wrapping(error, during: .open, store: path)
    }
  }

  /// Puts a copy of a store in the place of another one: see the form with a type's name.
  public func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
    sourceOptions: [AnyHashable: Any]? = nil, type: NSPersistentStore.StoreType
  ) throws {
    try replacePersistentStore(
      at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
      sourceOptions: sourceOptions, ofType: type.rawValue)
  }

  /// Goes on with a store where its directory is now, after a program moved it, or with a copy of it elsewhere.
  ///
  /// - Returns: whether the store is at the URL now. `false`, and nothing has changed, when there is no store with its
  ///   identity, when it can't be opened there, when another coordinator has it open, or when it is in memory.
  @discardableResult
  public func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
    performAndWait {
      if let old = store.url, StorePlace.samePlace(old, url) { return true }
      guard let shared = try? ownBackend(of: store), CoordinatorRegistry.stores(of: shared).count == 1,
        case .directory = shared.opening.place,
        case .directory(let path)? = try? StorePlace(type: store.type, url: url),
        Self.identifier(at: path, like: shared.opening) == store.identifier
      else { return false }
      return reopen(store, shared, at: .directory(path), url)
    }
  }

  // MARK: the steps

  private func ownBackend(of store: NSPersistentStore) throws -> SharedBackend {
    guard persistentStores.contains(where: { $0 === store }), let backend = store.sharedBackend else {
      throw GraphError.make(
        NSPersistentStoreOperationError,
        "The store \(store.storeName) can't be moved: it is not among this coordinator's stores.")
    }
    if store is any ProgramStore {
      throw GraphError.make(
        NSPersistentStoreOperationError,
        "The store \(store.storeName) is a \(Swift.type(of: store)), which only the program can copy: insert its objects into another store."
      )
    }
    return backend
  }

  private func copied(
    _ store: NSPersistentStore, _ source: SharedBackend, to place: StorePlace, _ url: URL,
    _ options: [AnyHashable: Any]?,
    _ type: String
  ) throws -> NSPersistentStore {
    let factory: any StoreFactory.Type = try StoreFactories.logStore()
    var destination = StoreOpening(place: .memory, schema: nil, isReadOnly: false, options: options ?? [:])
    var memory: Any?
    if case .directory(let path) = place {
      destination.place = .directory(path)
      if try factory.exists(directory: path, options: destination.options) { throw Self.occupied(path) }
    } else {
      if let name = place.sharedName, SharedBackends.isOpen(name) { throw Self.occupied(url.path) }
      memory = factory.memory()
      destination.options[fileSystemOption] = memory
    }
    let configuration: String? =
      store.configurationName == Self.defaultConfigurationName ? nil : store.configurationName
    do {
      try factory.copy(from: source.opening, to: destination)
    } catch {
      throw GraphError.wrapping(error, during: .open, store: url.path)
    }
    do {
      return try openStore(type, configuration, url, options, memory: memory, inPlaceOf: store)
    } catch {
      if case .directory(let path) = destination.place {
        // What can't be opened is of no use; the error that counts is why.
        try? factory.destroy(directory: path, options: destination.options)
      }
      throw error
    }
  }

  private static func occupied(_ path: String) -> any Error {
    GraphError.make(
      NSPersistentStoreOperationError,
      "There is something at \(path) already: destroy it first, or choose another place.",
      userInfo: [NSFilePathErrorKey: path])
  }

  private static func source(
    _ type: String, _ url: URL, _ options: [AnyHashable: Any]?
  ) throws -> StoreOpening {
    let place: StorePlace = try StorePlace(type: type, url: url)
    if let name = place.sharedName, let open = SharedBackends.open(name) { return open.opening }
    let given: [AnyHashable: Any] = options ?? [:]
    if case .directory(let path) = place, try StoreFactories.logStore().exists(directory: path, options: given) {
      return StoreOpening(place: .directory(path), schema: nil, isReadOnly: true, options: given)
    }
    throw GraphError.make(
      NSPersistentStoreOpenError, "There is no store at \(url.path) to copy.", userInfo: [NSURLErrorKey: url])
  }

  /// The identity of the store in a directory; `nil` when there is none that can be read.
  private static func identifier(at path: String, like opening: StoreOpening) -> String? {
    let looking = StoreOpening(place: .directory(path), schema: nil, isReadOnly: true, options: opening.options)
    guard let factory = try? StoreFactories.logStore(),
      (try? factory.exists(directory: path, options: opening.options)) == true,
      let store = try? factory.open(looking)
    else { return nil }
    defer { try? store.close() }
    return store.identifier.uuidString
  }

  /// The old place's lock may be the new one's: it is given back before the new place is opened.
  private func reopen(_ store: NSPersistentStore, _ old: SharedBackend, at place: StorePlace, _ url: URL) -> Bool {
    try? old.store.close()
    let holds: [Bool] = store.holdsEntity
    if let backend = try? openBackend(store.type, place, holds, url, store.options) {
      store.reconnect(to: backend, at: url)
      return true
    }
    if let oldURL = store.url, case .directory(let path) = old.opening.place,
      let again = try? openBackend(store.type, .directory(path), holds, oldURL, store.options)
    {
      store.reconnect(to: again, at: oldURL)
    }
    return false
  }
}
