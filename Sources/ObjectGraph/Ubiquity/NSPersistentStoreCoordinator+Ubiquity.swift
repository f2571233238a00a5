public import Foundation

extension NSPersistentStoreCoordinator {
  /// Removes a synced store and the transactions it has exchanged. Not built yet: throws, and removes nothing.
  public class func removeUbiquitousContentAndPersistentStore(
    at storeURL: URL, options: [AnyHashable: Any]? = nil
  ) throws {
    throw Unbuilt.error(
      "NSPersistentStoreCoordinator.removeUbiquitousContentAndPersistentStore(at:options:)",
      "Use destroyPersistentStore for a store that is not synced.")
  }
}
