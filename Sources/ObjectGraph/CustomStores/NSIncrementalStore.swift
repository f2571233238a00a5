public import Foundation
public import Model

/// A store of the program's own that reads and writes as it is asked. Such classes can be declared and registered;
/// adding a store of one is not built yet and throws.
open class NSIncrementalStore: NSPersistentStore, @unchecked Sendable {
  // unchecked: as the class it extends; what a subclass adds is the subclass's business.

  /// Executes a request. Subclasses override; the base class throws.
  open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
    throw Self.unbuilt("execute(_:with:)")
  }

  /// An object's values. Subclasses override; the base class throws.
  open func newValuesForObject(
    with objectID: NSManagedObjectID, with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode {
    throw Self.unbuilt("newValuesForObject(with:with:)")
  }

  /// A relationship's id or ids. Subclasses override; the base class throws.
  open func newValue(
    forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
    with context: NSManagedObjectContext?
  ) throws -> Any {
    throw Self.unbuilt("newValue(forRelationship:forObjectWith:with:)")
  }

  /// Ids for new objects. Subclasses override; the base class throws.
  open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    throw Self.unbuilt("obtainPermanentIDs(for:)")
  }

  /// The identity of a store that is being made.
  open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

  /// Called when a context has objects of the store.
  open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

  /// Called when a context has let go of objects of the store.
  open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

  /// The id of an object by the store's own name for it. Not built yet: stops the program.
  open func newObjectID(for entity: NSEntityDescription, referenceObject data: Any) -> NSManagedObjectID {
    Unbuilt.stop("NSIncrementalStore.newObjectID(for:referenceObject:)", Self.instead)
  }

  /// The store's own name for an object. Not built yet: stops the program.
  open func referenceObject(for objectID: NSManagedObjectID) -> Any {
    Unbuilt.stop("NSIncrementalStore.referenceObject(for:)", Self.instead)
  }

  private static let instead = "Keep the objects in a store of type NSSQLiteStoreType or NSInMemoryStoreType."

  private static func unbuilt(_ method: String) -> any Error {
    Unbuilt.error("NSIncrementalStore.\(method)", "A subclass has to override it.")
  }
}

/// An object's values as an incremental store gives them.
open class NSIncrementalStoreNode: NSObject {
  /// Whose values they are.
  public let objectID: NSManagedObjectID
  private var values: [String: Any]
  private var storedVersion: UInt64

  /// - Parameters:
  ///   - values: by property name; ids for relationships.
  ///   - version: compared when the object is saved.
  public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
    self.objectID = objectID
    self.values = values
    storedVersion = version
    super.init()
  }

  /// The version of the values.
  open var version: UInt64 { storedVersion }

  /// Takes other values.
  open func update(withValues values: [String: Any], version: UInt64) {
    self.values = values
    storedVersion = version
  }

  /// A property's value; `nil` or `NSNull` for none.
  open func value(for prop: NSPropertyDescription) -> Any? { values[prop.name] }
}
