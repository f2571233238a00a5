internal import Foundation
internal import Schema
internal import Synchronization

extension NSPersistentStoreCoordinator {
  /// Registers a class of stores of the program's own under a type, or with `nil` removes it.
  ///
  /// Stores of that type can then be added. The class has to be an `NSAtomicStore` or an `NSIncrementalStore`; another
  /// one stops the program.
  public class func registerStoreClass(_ storeClass: AnyClass?, forStoreType storeType: String) {
    guard let storeClass else { return StoreClasses.set(nil, for: storeType) }
    guard storeClass is NSAtomicStore.Type || storeClass is NSIncrementalStore.Type,
      let storeClass = storeClass as? NSPersistentStore.Type
    else {
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

  /// Makes and opens a store of a registered class.
  func openProgramStore(
    _ storeClass: NSPersistentStore.Type, _ type: String, _ configuration: String?, _ holds: [Bool], _ url: URL?,
    _ options: [AnyHashable: Any]?
  ) throws -> NSPersistentStore {
    guard let url else {
      throw GraphError.make(NSPersistentStoreOpenError, "A store of type \(type) needs a URL.")
    }
    let store: NSPersistentStore = storeClass.init(
      persistentStoreCoordinator: self, configurationName: configuration, at: url, options: options)
    guard let own = store as? any ProgramStore else {
      ProgrammerError.stop("\(storeClass) is no NSIncrementalStore or NSAtomicStore.")
    }
    var wanted: String?
    if let incremental = storeClass as? NSIncrementalStore.Type {
      wanted = incremental.identifierForNewStore(at: url) as? String
    }
    guard let identifier = UUID(uuidString: wanted ?? store.identifier) else {
      throw GraphError.make(
        NSPersistentStoreOpenError, "\(storeClass).identifierForNewStore(at:) has to return the text of a UUID.")
    }
    own.core.entities = try ModelInfo.of(managedObjectModel).entities
    let backend: SharedBackend
    do {
      let opening = StoreOpening(place: .memory, schema: nil, isReadOnly: store.isReadOnly)
      backend = SharedBackend(try own.open(identifier), name: nil, opening: opening)
    } catch {
      throw GraphError.wrapping(error, during: .open, store: url.path)
    }
    store.attach(type: type, holdsEntity: holds, backend: backend)
    return store
  }
}

/// The classes of stores that the program has registered.
enum StoreClasses {
  // A registry of the process, as Core Data has it.
  private static let classes = Mutex<[String: NSPersistentStore.Type]>([:])

  static func set(_ storeClass: NSPersistentStore.Type?, for type: String) {
    classes.withLock { $0[type] = storeClass }
  }

  static func storeClass(of type: String) -> NSPersistentStore.Type? { classes.withLock { $0[type] } }

  static var types: [String] { classes.withLock { Array($0.keys) } }
}
