internal import Foundation
internal import Model

/// The coordinators of this process: those that have a store open hear of each other's commits to it.
enum CoordinatorRegistry {
  private final class Table: @unchecked Sendable {
    // unchecked: `coordinators` is read and written under `lock` only.
    struct Entry { weak var coordinator: NSPersistentStoreCoordinator? }
    let lock = NSLock()
    var coordinators: [Entry] = []
  }

  private static let table = Table()

  static func add(_ coordinator: NSPersistentStoreCoordinator) {
    table.lock.withLock {
      table.coordinators.removeAll { $0.coordinator == nil }
      table.coordinators.append(Table.Entry(coordinator: coordinator))
    }
  }

  /// The models of the coordinators, each once, the newest coordinator's last.
  static var models: [NSManagedObjectModel] {
    let coordinators: [NSPersistentStoreCoordinator] = table.lock.withLock {
      table.coordinators.compactMap { $0.coordinator }
    }
    var models: [NSManagedObjectModel] = []
    for coordinator in coordinators where !models.contains(where: { $0 === coordinator.managedObjectModel }) {
      models.append(coordinator.managedObjectModel)
    }
    return models
  }

  /// Every store object in the process that stands for one open store.
  static func stores(of backend: SharedBackend) -> [(NSPersistentStoreCoordinator, NSPersistentStore)] {
    let coordinators: [NSPersistentStoreCoordinator] = table.lock.withLock {
      table.coordinators.compactMap { $0.coordinator }
    }
    var found: [(NSPersistentStoreCoordinator, NSPersistentStore)] = []
    for coordinator in coordinators {
      for store in coordinator.persistentStores where store.sharedBackend === backend {
        found.append((coordinator, store))
      }
    }
    return found
  }
}
