internal import Foundation

/// Tells the coordinators that asked for it that a store of theirs was written to, by any coordinator of the process.
enum RemoteChanges {
  static func announce(_ number: UInt64, of backend: SharedBackend) {
    for (coordinator, store) in CoordinatorRegistry.stores(of: backend) where isAsked(store) {
      let note = RemoteChange(coordinator: coordinator, store: store, number: number)
      // On a queue of its own: an observer may fetch or save, and the committer holds its coordinator's queue.
      queue.async { note.post() }
    }
  }

  private static let queue = DispatchQueue(label: "annals.remote-change")

  private static func isAsked(_ store: NSPersistentStore) -> Bool {
    (store.options?[NSPersistentStoreRemoteChangeNotificationPostOptionKey] as? NSNumber)?.boolValue
      ?? (store.options?[NSPersistentStoreRemoteChangeNotificationPostOptionKey] as? Bool) ?? false
  }

  private struct RemoteChange: Sendable {
    let coordinator: NSPersistentStoreCoordinator
    let store: NSPersistentStore
    let number: UInt64

    func post() {
      let identifier: String = store.identifier
      var info: [AnyHashable: Any] = [
        NSStoreUUIDKey: identifier,
        NSPersistentHistoryTokenKey: NSPersistentHistoryToken(numbers: [identifier: number]),
      ]
      info[NSPersistentStoreURLKey] = coordinator.url(for: store)
      NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: info)
    }
  }
}
