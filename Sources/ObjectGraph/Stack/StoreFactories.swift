internal import Foundation

/// Finds the factory of our own stores.
enum StoreFactories {
  /// - Throws: `NSPersistentStoreInvalidTypeError` when the program links the graph without the umbrella.
  static func logStore() throws -> any StoreFactory.Type {
    if let factory = NSClassFromString("Annals.StoreRegistration") as? any StoreFactory.Type { return factory }
    throw GraphError.make(
      NSPersistentStoreInvalidTypeError,
      "No store can be opened: the program links the object graph without its store. Depend on the product Annals (or CoreData) and import it."
    )
  }
}
