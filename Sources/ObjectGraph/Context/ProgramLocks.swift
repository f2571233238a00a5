internal import Foundation

// What code had before queues. Locks of the program's own: nothing here takes them.
extension NSManagedObjectContext {
  /// Takes a lock that the context keeps for the program, recursively. Guards nothing by itself: use `perform`.
  public final func lock() { settings.programLock.lock() }
  /// Lets go of the lock that `lock()` took.
  public final func unlock() { settings.programLock.unlock() }
}

extension NSPersistentStoreCoordinator {
  /// Takes a lock that the coordinator keeps for the program, recursively. Guards nothing by itself: use `perform`.
  public func lock() { programLock.lock() }
  /// Lets go of the lock that `lock()` took.
  public func unlock() { programLock.unlock() }
}
