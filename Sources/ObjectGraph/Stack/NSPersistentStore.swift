public import Foundation
internal import Model
internal import Schema
package import StoreContract
internal import Synchronization

/// A place where objects are kept, as a coordinator has it: its URL, options and metadata.
///
/// The coordinator makes stores; a program only reads them. May be used from any thread.
open class NSPersistentStore: NSObject, @unchecked Sendable {
  // unchecked: all mutable state is read and written under `lock` only.
  private let lock = NSLock()
  private weak var coordinator: NSPersistentStoreCoordinator?
  private var storedURL: URL?
  private var storedIsReadOnly: Bool
  private var storedIdentifier: String
  private var userMetadata: [String: Any] = [:]
  private var pendingMetadata: [String: String?] = [:]
  private var shared: SharedBackend?
  private var successor: NSPersistentStore?
  private let isSucceeded = Atomic<Bool>(false)
  /// Temporary ids of new objects that contexts and their parents share.
  let provisionalIDs = ProvisionalIDs()

  private var storedType: String
  /// The configuration of the model whose entities it holds; "PF_DEFAULT_CONFIGURATION_NAME" for all.
  public let configurationName: String
  /// The options it was opened with.
  public let options: [AnyHashable: Any]?
  /// Whether it is one for each entity of the coordinator's schema that it holds; empty until it is added.
  package private(set) var holdsEntity: [Bool] = []

  init(
    type: String, coordinator: NSPersistentStoreCoordinator, configurationName: String, url: URL?, isReadOnly: Bool,
    options: [AnyHashable: Any]?, holdsEntity: [Bool], backend: SharedBackend
  ) {
    storedType = type
    self.coordinator = coordinator
    self.configurationName = configurationName
    self.options = options
    self.holdsEntity = holdsEntity
    storedURL = url
    storedIsReadOnly = isReadOnly
    storedIdentifier = backend.store.identifier.uuidString
    shared = backend
    userMetadata = StoreMetadata.decode(backend.store.metadata)
    super.init()
  }

  /// A store of a class of the program's own, as `NSIncrementalStore` and `NSAtomicStore` are made. Opens nothing.
  ///
  /// - Parameters:
  ///   - root: its coordinator, kept weakly.
  ///   - name: the configuration whose entities it holds; `nil` for all.
  ///   - url: where it is.
  ///   - options: what it is opened with.
  public required init(
    persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) {
    storedType = ""
    coordinator = root
    configurationName = name ?? NSPersistentStoreCoordinator.defaultConfigurationName
    self.options = options
    storedURL = url
    storedIsReadOnly = StoreOptionReading(options: options ?? [:]).flag(NSReadOnlyPersistentStoreOption)
    storedIdentifier = UUID().uuidString
    super.init()
  }

  /// The type it was opened with.
  open var type: String { lock.withLock { storedType } }

  /// Where it is. Setting it names another place and moves nothing: use the coordinator's `setURL(_:for:)`.
  open var url: URL? {
    get { lock.withLock { storedURL } }
    set { lock.withLock { storedURL = newValue } }
  }

  /// Whether saves to it are refused.
  open var isReadOnly: Bool {
    get { lock.withLock { storedIsReadOnly } }
    set { lock.withLock { storedIsReadOnly = newValue } }
  }

  /// The identity that is part of its objects' URIs: a UUID. Our own stores fix theirs when they are made; setting
  /// another one stops the program, since ids handed out would no longer be found.
  open var identifier: String! {
    get { lock.withLock { storedIdentifier } }
    set {
      // Nobody has ids of a store that was not opened.
      if backend == nil, let newValue {
        lock.withLock { storedIdentifier = newValue }
        return
      }
      guard newValue == lock.withLock({ storedIdentifier }) else {
        ProgrammerError.stop(
          "The identifier of the store \(storeName) can't be set to '\(newValue ?? "nil")': it is part of the ids of its objects."
        )
      }
    }
  }

  /// The coordinator; `nil` after the store was removed.
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator? { lock.withLock { coordinator } }

  /// Type, identity and versions, and what the program added. Additions are property-list values; they are kept with
  /// the next save to the store.
  open var metadata: [String: Any]! {
    get { fullMetadata }
    set { setUserMetadata(newValue ?? [:]) }
  }

  // MARK: what stores of the program's own override

  /// Sets `metadata` from what the store's place holds. Subclasses override; the base class has nothing to read.
  open func loadMetadata() throws {}

  /// Called after the store was added.
  open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}

  /// Called before the store is removed.
  open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

  /// The class that migrates stores of this class: `NSMigrationManager`.
  open class func migrationManagerClass() -> AnyClass { NSMigrationManager.self }

  /// The metadata of a store of this class. Subclasses override; the base class throws: ask
  /// `NSPersistentStoreCoordinator.metadataForPersistentStore(ofType:at:options:)`, which knows the store's type.
  open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    throw Unbuilt.error(
      "NSPersistentStore.metadataForPersistentStore(with:)",
      "Ask NSPersistentStoreCoordinator.metadataForPersistentStore(ofType:at:options:).")
  }

  /// Sets the metadata of a store of this class. Subclasses override; the base class throws: ask
  /// `NSPersistentStoreCoordinator.setMetadata(_:forPersistentStoreOfType:at:options:)`, which knows the store's type.
  open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
    throw Unbuilt.error(
      "NSPersistentStore.setMetadata(_:forPersistentStoreAt:)",
      "Ask NSPersistentStoreCoordinator.setMetadata(_:forPersistentStoreOfType:at:options:).")
  }

  open override var description: String { "<NSPersistentStore: \(type), \(storeName)>" }

  /// How messages name the store.
  package var storeName: String {
    guard let url else { return "in memory" }
    return url.isFileURL ? url.path : url.absoluteString
  }

  /// What keeps the rows; `nil` once the store was removed.
  package var backend: (any ObjectStore)? { lock.withLock { shared?.store } }
  package var sharedBackend: SharedBackend? { lock.withLock { shared } }

  /// Lets go of the rows. The store closes when no other coordinator of this process has it.
  func detach() {
    // Closing waits for a commit; the last reference is let go outside the lock.
    let released: SharedBackend? = lock.withLock {
      let released = shared
      shared = nil
      coordinator = nil
      return released
    }
    withExtendedLifetime(released) {}
  }

  /// Lets another store take this one's place, with the same identity and rows: ids and objects that know this one go
  /// on with that one.
  func detach(inFavourOf successor: NSPersistentStore) {
    let pending: [String: String?] = lock.withLock {
      self.successor = successor
      return pendingMetadata
    }
    isSucceeded.store(true, ordering: .releasing)
    successor.inherit(pending, from: self)
    detach()
  }

  /// The store that stands for this one now: itself, unless it was migrated.
  final var current: NSPersistentStore {
    guard isSucceeded.load(ordering: .acquiring) else { return self }
    return lock.withLock { successor }?.current ?? self
  }

  /// Metadata that was set and not saved yet.
  private func inherit(_ pending: [String: String?], from store: NSPersistentStore) {
    let user: [String: Any] = store.lock.withLock { store.userMetadata }
    lock.withLock {
      pendingMetadata = pending
      userMetadata = user
    }
  }

  /// Completes a store of a class of the program's own, once it is open.
  func attach(type: String, holdsEntity: [Bool], backend: SharedBackend) {
    lock.withLock {
      storedType = type
      storedIdentifier = backend.store.identifier.uuidString
      shared = backend
    }
    self.holdsEntity = holdsEntity
  }

  /// What a context reads of a store that has no states of its own; `nil` for others.
  func ownView(for context: NSManagedObjectContext) throws -> (any StoreView)? { nil }

  /// Reads and writes somewhere else from now on.
  func reconnect(to backend: SharedBackend, at url: URL) {
    let released: SharedBackend? = lock.withLock {
      let released = shared
      shared = backend
      storedURL = url
      return released
    }
    withExtendedLifetime(released) {}
  }

  private var fullMetadata: [String: Any] {
    let (own, schema) = lock.withLock { (userMetadata, shared?.store.schema) }
    return StoreMetadata.full(own, type: type, identifier: identifier, schema: schema)
  }

  private func setUserMetadata(_ metadata: [String: Any]) {
    let kept: [String: Any] = metadata.filter { !StoreMetadata.reservedKeys.contains($0.key) }
    let encoded: [String: String] = StoreMetadata.encode(kept, store: storeName)
    lock.withLock {
      // A store of the program's own says who it is when it reads what it wrote.
      if shared == nil, let known = metadata[NSStoreUUIDKey] as? String { storedIdentifier = known }
      for key in userMetadata.keys where encoded[key] == nil { pendingMetadata.updateValue(nil, forKey: key) }
      for (key, value) in encoded { pendingMetadata.updateValue(value, forKey: key) }
      userMetadata = kept
    }
  }

  /// What the next commit has to write into the store's metadata.
  var metadataToCommit: [String: String?] { lock.withLock { pendingMetadata } }

  func didCommitMetadata(_ written: [String: String?]) {
    lock.withLock {
      // What was set again in the meantime stays pending.
      for (key, value) in written where pendingMetadata[key] == .some(value) {
        pendingMetadata.removeValue(forKey: key)
      }
    }
  }
}
