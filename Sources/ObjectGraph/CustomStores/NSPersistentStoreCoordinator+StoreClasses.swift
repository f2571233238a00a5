internal import Foundation
internal import Schema
internal import Synchronization

extension NSPersistentStoreCoordinator {
  /// Registers a class of stores of the program's own under a type, or with `nil` removes it.
  ///
  /// Adding a store of such a type is not built yet and throws.
  public class func registerStoreClass(_ storeClass: AnyClass?, forStoreType storeType: String) {
    if let storeClass, !(storeClass is NSPersistentStore.Type) {
      ProgrammerError.stop(
        "\(storeClass) can't be registered for the store type \(storeType): it is no NSIncrementalStore or NSAtomicStore."
      )
    }
    StoreClasses.set(storeClass, for: storeType)
  }

  /// Registers a class of stores of the program's own under a type, or with `nil` removes it: see the form with a
  /// type's name.
  public class func registerStoreClass(_ storeClass: AnyClass?, type storeType: NSPersistentStore.StoreType) {
    registerStoreClass(storeClass, forStoreType: storeType.rawValue)
  }
}

/// The classes of stores that the program has registered.
enum StoreClasses {
  // A registry of the process, as Core Data has it.
  private static let classes = Mutex<[String: ObjectIdentifier]>([:])

  static func set(_ storeClass: AnyClass?, for type: String) {
    let identity: ObjectIdentifier? = storeClass.map { ObjectIdentifier($0) }
    classes.withLock { $0[type] = identity }
  }

  static func isRegistered(_ type: String) -> Bool { classes.withLock { $0[type] != nil } }

  static var types: [String] { classes.withLock { Array($0.keys) } }
}
