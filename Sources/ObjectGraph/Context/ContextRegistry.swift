internal import Foundation
internal import Schema
internal import Synchronization

/// A context's objects by key, and their way to the context.
///
/// Objects are kept alive by whoever uses them, not by the table; they take themselves out when they go. That may
/// happen on any thread, therefore the lock; all else about objects belongs to the context's queue.
final class ContextRegistry: @unchecked Sendable {
  // unchecked: the tables are behind the lock; the weak reference is atomic and set once.
  weak var context: NSManagedObjectContext?
  /// Whether to-many relationships are read before they change, so that the change can be undone. On the queue only.
  var recordsUndo = false
  /// Whether pending changes are being laid over newer rows. On the queue only.
  var isCompletingInverses = false
  private let temporary = Mutex(IdentityTable())

  /// Objects that no store holds.
  func temporaryObject(_ key: ObjectKey) -> NSManagedObject? { temporary.withLock { $0.object(for: key.rawValue) } }

  /// Whether there may be objects without a key of a store.
  var hasTemporaryObjects: Bool { temporary.withLock { $0.count > 0 } }

  func add(_ object: NSManagedObject) {
    if let place = object.place {
      place.add(object)
    } else {
      let (address, key): (UInt, UInt64) = (IdentityTable.address(of: object), object.key.rawValue)
      temporary.withLock { $0.insert(address, for: key) }
    }
  }

  func remove(_ object: NSManagedObject) {
    if let place = object.place {
      place.remove(object)
    } else {
      let (address, key): (UInt, UInt64) = (IdentityTable.address(of: object), object.key.rawValue)
      temporary.withLock { $0.remove(address, for: key) }
    }
  }

  func forEachTemporary(_ body: (NSManagedObject) -> Void) {
    for object in temporary.withLock({ $0.objects() }) { body(object) }
  }
}

/// A store as one context sees it: its objects there.
final class StorePlaceInContext: @unchecked Sendable {
  // unchecked: the table is behind the lock, the rest is fixed.
  private let openedStore: NSPersistentStore
  /// The store, or the one that it was migrated to.
  var store: NSPersistentStore { openedStore.current }
  /// The store's number for each entity.
  let entityNumbers: [Int]
  private let infoByNumber: [EntityInfo?]
  private let table = Mutex(IdentityTable())
  /// What an incremental store has still to be told; `nil` for stores that want to know nothing.
  let roll: RegistrationRoll?

  init(store: NSPersistentStore, entityNumbers: [Int], entities: [EntityInfo]) {
    openedStore = store
    roll = (store as? NSIncrementalStore).map { RegistrationRoll(store: $0) }
    self.entityNumbers = entityNumbers
    var byNumber = [EntityInfo?](repeating: nil, count: (entityNumbers.max() ?? -1) + 1)
    for (index, number) in entityNumbers.enumerated() where number >= 0 { byNumber[number] = entities[index] }
    infoByNumber = byNumber
  }

  /// The entity that a key's number stands for.
  func info(of key: ObjectKey) -> EntityInfo? {
    let number: Int = key.entityNumber
    return number < infoByNumber.count ? infoByNumber[number] : nil
  }

  func object(for key: ObjectKey) -> NSManagedObject? { table.withLock { $0.object(for: key.rawValue) } }

  func add(_ object: NSManagedObject) {
    let (address, key): (UInt, UInt64) = (IdentityTable.address(of: object), object.key.rawValue)
    table.withLock { $0.insert(address, for: key) }
    roll?.note(object.key, isRegistered: true)
  }

  func remove(_ object: NSManagedObject) {
    let (address, key): (UInt, UInt64) = (IdentityTable.address(of: object), object.key.rawValue)
    table.withLock { $0.remove(address, for: key) }
    roll?.note(object.key, isRegistered: false)
  }

  func objects() -> [NSManagedObject] { table.withLock { $0.objects() } }
}
