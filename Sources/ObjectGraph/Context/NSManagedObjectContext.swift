public import Foundation
public import Model
internal import Schema
internal import StoreContract

/// A scratch pad of objects: fetches them from a coordinator's stores, tracks what is done to them, and saves.
///
/// A context belongs to its queue: call it, and touch its objects, inside `perform` or `performAndWait`; a main-queue
/// context may be used directly on the main thread. It may be passed to any thread; its objects may not.
open class NSManagedObjectContext: NSObject, @unchecked Sendable {
  // unchecked: all state is confined to the queue, except the settings that `settings` guards.

  // MARK: objects

  final let registry = ContextRegistry()
  /// Set while the context makes an object for something that a store holds.
  final var arrival: Arrival?
  /// Objects with pending changes, kept alive here, in the order they were first changed.
  final var pending: [NSManagedObject] = []
  /// Objects that the event which is going on has touched.
  final var event: [NSManagedObject] = []
  /// Objects whose delete rules have still to be carried out.
  final var undelivered: [NSManagedObject] = []
  /// Objects whose versions the next save checks though it may not write them.
  final var checked: [NSManagedObject] = []
  /// Objects kept alive by `retainsRegisteredObjects`.
  final var retained: [ObjectIdentifier: NSManagedObject] = [:]
  /// Several objects are being refreshed, of which those rebased wait for the others.
  final var isRefreshingSeveral = false
  final var rebased: [NSManagedObject] = []
  final var events = EventState()
  final var undoSupport: UndoSupport?
  /// Which states of the stores it reads.
  final var generation = ContextGeneration.newest

  // MARK: stores and models

  /// The parent: as `parent`, for the context's own queue.
  final var above: NSManagedObjectContext?
  final var places: [StorePlaceInContext] = []
  final var knownModel: ModelInfo?
  final var entityByClass: [ObjectIdentifier: EntityInfo] = [:]

  // MARK: queue

  final let queue: DispatchQueue
  final let queueKey = DispatchSpecificKey<Bool>()
  final let kind: NSManagedObjectContextConcurrencyType
  final let settings = ContextSettings()
  final var mergeObserver: (any NSObjectProtocol)?

  /// Makes a context with a queue of its own or one on the main queue. Give it a coordinator, or a parent, next.
  public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
    kind = concurrencyType
    switch concurrencyType {
    case .mainQueueConcurrencyType: queue = .main
    case .privateQueueConcurrencyType, .confinementConcurrencyType:
      queue = DispatchQueue(label: "annals.context")
    }
    super.init()
    registry.context = self
    if kind != .mainQueueConcurrencyType { queue.setSpecific(key: queueKey, value: true) }
    CurrentContext.register(self)
  }

  /// Makes a context with a queue of its own or one on the main queue.
  public convenience init(_ type: ConcurrencyType) { self.init(concurrencyType: type.concurrencyType) }

  deinit {
    if let mergeObserver { NotificationCenter.default.removeObserver(mergeObserver) }
    // Objects keep each other in no circles through the context; those in use elsewhere lose it.
  }

  /// What kind of queue it has.
  public final var concurrencyType: NSManagedObjectContextConcurrencyType { kind }

  /// Where its objects are fetched from and saved to.
  ///
  /// Setting another one forgets the objects of the one before. A context with a parent has its parent's, and can't be
  /// given one of its own.
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    get { settings.coordinator }
    set {
      guard settings.parent == nil || newValue == nil else {
        ProgrammerError.stop(
          "The context '\(name ?? "")' has a parent, through which it fetches and saves: it can't have a coordinator too."
        )
      }
      if settings.ownCoordinator != nil, settings.ownCoordinator !== newValue { reset() }
      settings.ownCoordinator = newValue
      knownModel = nil
      entityByClass = [:]
      places = []
      observeSiblings()
    }
  }

  /// The context that this one fetches from and saves to, in place of a coordinator.
  ///
  /// A child sees its parent's unsaved changes; its save goes one level up, and reaches the store when the root of the
  /// chain saves. Setting another one forgets the objects of the one before.
  open var parent: NSManagedObjectContext? {
    get { settings.parent }
    set { adopt(parent: newValue) }
  }

  // MARK: settings

  /// A name for people; also kept in the transactions that it saves.
  open var name: String? {
    get { settings.name }
    set { settings.name = newValue }
  }

  /// Who is making the changes, kept in the transactions that it saves.
  open var transactionAuthor: String? {
    get { settings.author }
    set { settings.author = newValue }
  }

  /// For the program's use.
  public final let userInfo = NSMutableDictionary()

  /// Whether objects stay alive once they are registered.
  open var retainsRegisteredObjects: Bool = false {
    didSet {
      retained.removeAll()
      if retainsRegisteredObjects { for object in allObjects() { retained[ObjectIdentifier(object)] = object } }
    }
  }

  /// Whether an object whose row turns out to be gone reads as empty and counts as deleted (the default). If not,
  /// reading it stops the program.
  open var shouldDeleteInaccessibleFaults: Bool = true

  /// Kept for ported code: what is in memory never counts as stale until it is refreshed or merged.
  open var stalenessInterval: TimeInterval = -1

  /// Whether saves of the parent, or without one of other contexts of the coordinator, are merged as they happen.
  open var automaticallyMergesChangesFromParent: Bool = false { didSet { observeSiblings() } }

  /// Whether delete rules are carried out at the end of each event (the default), or only by a save.
  open var propagatesDeletesAtEndOfEvent: Bool = true

  /// What a save does about conflicts: `NSMergePolicy.error` unless set.
  open var mergePolicy: Any = NSMergePolicy.error

  // MARK: what subclasses may override

  /// Saves all pending changes: whole or not at all.
  ///
  /// - Throws: validation errors (1550 and following), merge conflicts (133020, 133021), or the store's error. The
  ///   context and its objects are then as before.
  open func save() throws { try performSave() }

  /// Whether an object whose row is gone shall read as empty; asked when that comes to light.
  open func shouldHandleInaccessibleFault(
    _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
  ) -> Bool { shouldDeleteInaccessibleFaults }
}

/// What `NSManagedObject.init` needs to know about an object that a store holds.
struct Arrival {
  let info: EntityInfo
  let key: ObjectKey
  let place: StorePlaceInContext
}

/// What may be set from any thread.
final class ContextSettings: @unchecked Sendable {
  // unchecked: all behind the lock.
  private let lock = NSLock()
  private var storedName: String?
  private var storedAuthor: String?
  private var storedCoordinator: NSPersistentStoreCoordinator?
  private var storedParent: NSManagedObjectContext?
  let programLock = NSRecursiveLock()

  var name: String? {
    get { lock.withLock { storedName } }
    set { lock.withLock { storedName = newValue } }
  }
  var author: String? {
    get { lock.withLock { storedAuthor } }
    set { lock.withLock { storedAuthor = newValue } }
  }
  /// The coordinator of the root of the chain.
  var coordinator: NSPersistentStoreCoordinator? {
    let (parent, own) = lock.withLock { (storedParent, storedCoordinator) }
    return parent?.settings.coordinator ?? own
  }
  var ownCoordinator: NSPersistentStoreCoordinator? {
    get { lock.withLock { storedCoordinator } }
    set { lock.withLock { storedCoordinator = newValue } }
  }
  var parent: NSManagedObjectContext? {
    get { lock.withLock { storedParent } }
    set { lock.withLock { storedParent = newValue } }
  }
}

/// What kind of queue a context has.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// Kept for ported code: the same as a private queue.
  case confinementConcurrencyType = 0
  /// A queue of its own.
  case privateQueueConcurrencyType = 1
  /// The main queue.
  case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
  /// What kind of queue a context has, by its newer name.
  public struct ConcurrencyType: Hashable, Sendable {
    /// The same, by the older name.
    public let concurrencyType: NSManagedObjectContextConcurrencyType
    /// A queue of its own.
    public static let privateQueue = ConcurrencyType(concurrencyType: .privateQueueConcurrencyType)
    /// The main queue.
    public static let mainQueue = ConcurrencyType(concurrencyType: .mainQueueConcurrencyType)
  }

  /// When an asynchronous block runs.
  public struct ScheduledTaskType: Hashable, Sendable {
    private let isImmediate: Bool
    /// At once, when the caller is on the queue already; else as soon as the queue gets to it.
    public static let immediate = ScheduledTaskType(isImmediate: true)
    /// After what is on the queue already.
    public static let enqueued = ScheduledTaskType(isImmediate: false)
    var runsInPlace: Bool { isImmediate }
  }
}
