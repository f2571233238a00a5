internal import Schema
internal import Synchronization

/// The temporary ids under which a chain of contexts shows new objects whose keys the store has reserved, by those
/// keys: so that every context of the chain shows the same id. Any thread.
final class ProvisionalIDs: Sendable {
  private struct Reference {
    weak var id: NSManagedObjectID?
  }

  private struct State {
    var ids: [UInt64: Reference] = [:]
    var pruneAt = 1024
  }

  private let state = Mutex(State())
  private let isInUse = Atomic<Bool>(false)

  func add(_ id: NSManagedObjectID, for key: ObjectKey) {
    state.withLock { state in
      state.ids[key.rawValue] = Reference(id: id)
      // Of objects that were never saved nobody says so.
      if state.ids.count > state.pruneAt {
        state.ids = state.ids.filter { $0.value.id != nil }
        state.pruneAt = max(1024, state.ids.count * 2)
      }
    }
    isInUse.store(true, ordering: .releasing)
  }

  func remove(_ key: ObjectKey) {
    state.withLock { state in
      state.ids[key.rawValue] = nil
      if state.ids.isEmpty { isInUse.store(false, ordering: .releasing) }
    }
  }

  /// The id to show for a key instead of the permanent one.
  func id(for key: ObjectKey) -> NSManagedObjectID? {
    guard isInUse.load(ordering: .acquiring) else { return nil }
    return state.withLock { $0.ids[key.rawValue]?.id }
  }
}
