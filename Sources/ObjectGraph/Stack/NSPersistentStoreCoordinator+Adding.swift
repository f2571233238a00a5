public import Foundation
internal import Model
internal import Schema
internal import StoreContract

extension NSPersistentStoreCoordinator {
  /// Opens a store, making it when there is none, and adds it.
  ///
  /// Costs a replay of the store's log. Any thread; one store at a time.
  ///
  /// - Parameters:
  ///   - storeType: `NSSQLiteStoreType` (our log store) or `NSInMemoryStoreType`.
  ///   - configuration: which of the model's entities it holds; `nil` for all.
  ///   - storeURL: its directory.
  ///   - options: see `StoreOptions.swift`.
  /// - Throws: `NSPersistentStoreOpenError` and its kin, over the store's typed error.
  @discardableResult
  public func addPersistentStore(
    ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    let store: NSPersistentStore
    do {
      store = try performAndWait { () throws -> NSPersistentStore in
        let store = try openStore(storeType, configuration, storeURL, options)
        append(store)
        return store
      }
    } catch {
      noteOpenFailure(error, url: storeURL)
      throw error
    }
    store.didAdd(to: self)
    NotificationCenter.default.post(
      name: .NSPersistentStoreCoordinatorStoresDidChange, object: self, userInfo: [NSAddedPersistentStoresKey: [store]])
    return store
  }

  /// Opens a store, making it when there is none, and adds it: see the form with a type's name.
  @discardableResult
  public func addPersistentStore(
    type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try addPersistentStore(
      ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
  }

  /// Opens and adds the store that a description describes, and calls back: before it returns, or later on another
  /// thread when the description says to add asynchronously.
  public func addPersistentStore(
    with storeDescription: NSPersistentStoreDescription,
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    // The caller hands description and block over: with the asynchronous form it must not touch them until called back.
    nonisolated(unsafe) let description = storeDescription
    nonisolated(unsafe) let block = block
    let add: @Sendable () -> Void = {
      do {
        try self.addPersistentStore(
          ofType: description.type, configurationName: description.configuration, at: description.url,
          options: description.options)
        block(description, nil)
      } catch {
        block(description, error)
      }
    }
    if description.shouldAddStoreAsynchronously { DispatchQueue.global().async(execute: add) } else { add() }
  }

  /// Removes a store: its objects can no longer be fetched, and faults for them no longer fire.
  ///
  /// - Throws: `NSPersistentStoreOperationError` when the store is not one of this coordinator's.
  public func remove(_ store: NSPersistentStore) throws {
    guard persistentStores.contains(where: { $0 === store }) else {
      throw GraphError.make(
        NSPersistentStoreOperationError,
        "The store \(store.storeName) can't be removed: it is not among this coordinator's stores.")
    }
    let center = NotificationCenter.default
    center.post(name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store)
    store.willRemove(from: self)
    performAndWait {
      drop(store)
      store.detach()
    }
    center.post(
      name: .NSPersistentStoreCoordinatorStoresDidChange, object: self,
      userInfo: [NSRemovedPersistentStoresKey: [store]])
  }

  // MARK: opening

  /// - Parameters:
  ///   - memory: what a store in memory is kept in; `nil` for empty memory of its own.
  ///   - predecessor: one of the coordinator's stores that the new one takes the place of.
  func openStore(
    _ type: String, _ configuration: String?, _ url: URL?, _ options: [AnyHashable: Any]?, memory: Any? = nil,
    inPlaceOf predecessor: NSPersistentStore? = nil
  ) throws -> NSPersistentStore {
    let reading = StoreOptionReading(options: options ?? [:])
    try reading.refuseUnavailable()
    let schema: Schema = try frozenSchema()
    let holds: [Bool] = try entities(of: configuration, schema: schema)
    if let storeClass = StoreClasses.storeClass(of: type) {
      if let url, persistentStore(for: url) != nil { throw Self.alreadyAdded(url) }
      return try openProgramStore(storeClass, type, configuration, holds, url, options)
    }
    let place: StorePlace = try StorePlace(type: type, url: url)
    if let url, place != .privateMemory, persistentStore(for: url) != nil {
      throw Self.alreadyAdded(url)
    }
    let isReadOnly: Bool = reading.flag(NSReadOnlyPersistentStoreOption)
    let backend: SharedBackend = try openBackend(type, place, holds, url, options, memory: memory)
    let identifier: String = backend.store.identifier.uuidString
    if let twin = persistentStores.first(where: { $0.identifier == identifier && $0 !== predecessor }) {
      throw GraphError.make(
        NSPersistentStoreOpenError,
        "The store \(url?.path ?? "in memory") is a copy of \(twin.storeName), with the same identity, and that one is added: objects of the two could not be told apart. Add it to another coordinator.",
        userInfo: url.map { [NSURLErrorKey: $0] } ?? [:])
    }
    return NSPersistentStore(
      type: type, coordinator: self,
      configurationName: configuration ?? Self.defaultConfigurationName, url: url, isReadOnly: isReadOnly,
      options: options, holdsEntity: holds, backend: backend)
  }

  private static func alreadyAdded(_ url: URL) -> any Error {
    GraphError.make(
      NSPersistentStoreOpenError,
      "The store \(url.path) is already added to this coordinator. Use it, or remove it first.",
      userInfo: [NSURLErrorKey: url])
  }

  /// Opens what a store reads and writes, waiting for the lock as the options say.
  func openBackend(
    _ type: String, _ place: StorePlace, _ holds: [Bool], _ url: URL?, _ options: [AnyHashable: Any]?,
    memory: Any? = nil
  ) throws -> SharedBackend {
    let reading = StoreOptionReading(options: options ?? [:])
    let schema: Schema = marked(try frozenSchema(), holds)
    let isReadOnly: Bool = reading.flag(NSReadOnlyPersistentStoreOption)
    return try waitForLock(reading.timeout, storeName: url?.path ?? "in memory") {
      do {
        return try Self.open(place, schema: schema, isReadOnly: isReadOnly, options: reading.options, memory: memory)
      } catch let error as StoreError where error.code == .incompatibleSchema {
        throw Self.incompatible(error, type, url, options)
      }
    }
  }

  static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

  private func entities(of configuration: String?, schema: Schema) throws -> [Bool] {
    guard let listed = managedObjectModel.entities(forConfigurationName: configuration) else {
      let known: String = managedObjectModel.configurations.joined(separator: ", ")
      throw GraphError.make(
        NSPersistentStoreIncompatibleSchemaError,
        "The model has no configuration named '\(configuration ?? "")'; it has \(known.isEmpty ? "only the default one" : known)."
      )
    }
    let names: Set<String> = Set(listed.compactMap { $0.name })
    return schema.entities.map { names.contains($0.name) }
  }

  /// As Core Data says it, with the store's metadata: its version hashes tell which model it was made with.
  private static func incompatible(
    _ error: StoreError, _ type: String, _ url: URL?, _ options: [AnyHashable: Any]?
  ) -> CocoaError {
    var info: [String: Any] = [
      "reason": "The model used to open the store is incompatible with the one used to create the store"
    ]
    info["metadata"] = url.flatMap { try? metadataForPersistentStore(ofType: type, at: $0, options: options) }
    return GraphError.wrapping(error, during: .open, store: url?.path ?? "in memory", userInfo: info)
  }

  /// The schema with version hashes of the entities that the store holds, and of no others.
  private func marked(_ schema: Schema, _ holds: [Bool]) -> Schema {
    if !holds.contains(false) { return schema }
    let hashes: [Data?] = schema.entities.map { holds[$0.index] ? $0.versionHash : nil }
    return schema.marked(versionHashes: hashes, versionIdentifiers: schema.versionIdentifiers)
  }

  private static func open(
    _ place: StorePlace, schema: Schema, isReadOnly: Bool, options: [AnyHashable: Any], memory: Any?
  ) throws -> SharedBackend {
    let factory: any StoreFactory.Type = try StoreFactories.logStore()
    var opening = StoreOpening(place: .memory, schema: schema, isReadOnly: isReadOnly, options: options)
    switch place {
    case .privateMemory:
      // A store of its own that nobody has written can't be read only: there would never be anything in it.
      opening.isReadOnly = false
      opening.options[fileSystemOption] = memory ?? factory.memory()
      return SharedBackend(try factory.open(opening), name: nil, opening: opening)
    case .namedMemory:
      opening.isReadOnly = false
      opening.options[fileSystemOption] = memory ?? factory.memory()
    case .directory(let path):
      opening.place = .directory(path)
      // Paths of another file system than the disk's say nothing about who shares them.
      if options[fileSystemOption] != nil {
        return SharedBackend(try factory.open(opening), name: nil, opening: opening)
      }
    }
    let final = opening
    guard let name = place.sharedName else {
      return SharedBackend(try factory.open(final), name: nil, opening: final)
    }
    return try SharedBackends.backend(named: name, opening: final, schema: schema) {
      try factory.open(final)
    }
  }

  /// Opens, and while another process holds the store tries again until the time is up.
  private func waitForLock(
    _ seconds: TimeInterval, storeName: String, _ open: () throws -> SharedBackend
  ) throws -> SharedBackend {
    let deadline = ContinuousClock.now.advanced(by: .seconds(seconds))
    while true {
      do {
        return try open()
      } catch let error as StoreError where error.code == .locked && seconds > 0 {
        guard ContinuousClock.now < deadline else {
          throw GraphError.make(
            NSPersistentStoreTimeoutError, "\(error.description) Waited \(seconds) seconds for it.", underlying: error)
        }
        Thread.sleep(forTimeInterval: 0.02)
      } catch {
        throw GraphError.wrapping(error, during: .open, store: storeName)
      }
    }
  }
}
