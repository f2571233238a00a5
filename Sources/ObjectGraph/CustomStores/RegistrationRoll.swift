internal import Foundation
internal import Schema
internal import Synchronization

/// Which objects of an incremental store a context has got and let go of since the store was last told.
///
/// Objects may go on any thread; the store is told on its coordinator's queue.
final class RegistrationRoll: Sendable {
  private struct State {
    /// 1 for objects that came, -1 for those that went, 0 for those that came and went, or the reverse.
    var changes: [ObjectKey: Int] = [:]
    var isScheduled = false
  }

  private let state = Mutex(State())
  private let reference: StoreReference

  /// The store may go before its contexts do.
  private final class StoreReference: @unchecked Sendable {
    // unchecked: set once; a weak reference may be read from any thread.
    weak let store: NSIncrementalStore?
    init(_ store: NSIncrementalStore) { self.store = store }
  }

  init(store: NSIncrementalStore) { reference = StoreReference(store) }

  func note(_ key: ObjectKey, isRegistered: Bool) {
    let isFirst: Bool = state.withLock { state in
      state.changes[key, default: 0] += isRegistered ? 1 : -1
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isFirst { reference.store?.persistentStoreCoordinator?.perform { self.tell() } }
  }

  /// Tells the store now what is still untold, unless it is the store that makes the objects, in answer to a request.
  func catchUp() {
    guard state.withLock({ !$0.changes.isEmpty }) else { return }
    guard let coordinator = reference.store?.persistentStoreCoordinator, !coordinator.isOnQueue else { return }
    coordinator.performAndWait { tell() }
  }

  private func tell() {
    let changes: [ObjectKey: Int] = state.withLock { state in
      defer { state = State() }
      return state.changes
    }
    guard let store = reference.store else { return }
    func ids(_ change: Int) -> [NSManagedObjectID] {
      changes.filter { $0.value.signum() == change }.keys.sorted().compactMap { store.core.objectID($0, in: store) }
    }
    let (registered, gone): ([NSManagedObjectID], [NSManagedObjectID]) = (ids(1), ids(-1))
    if !registered.isEmpty { store.managedObjectContextDidRegisterObjects(with: registered) }
    if !gone.isEmpty { store.managedObjectContextDidUnregisterObjects(with: gone) }
  }
}

extension NSManagedObjectContext {
  /// Tells incremental stores which of their objects the context has got.
  final func tellStoresOfObjects() {
    for place in places { place.roll?.catchUp() }
  }
}
