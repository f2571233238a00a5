public import Foundation
public import Model
internal import Schema
internal import StoreContract

/// A store of the program's own that reads and writes as it is asked: a server, a database, files.
///
/// A subclass answers fetches and saves in `execute(_:with:)`, and gives values when faults fire. Register the class with
/// `NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:)`.
///
/// Its methods are called on the coordinator's queue, one at a time, while the context that asks waits. Query generations,
/// history and batch requests are not for such stores.
open class NSIncrementalStore: NSPersistentStore, ProgramStore, @unchecked Sendable {
  // unchecked: as the class it extends; what a subclass adds is used on the coordinator's queue.
  let core = ProgramStoreCore()

  // MARK: what subclasses override

  /// Executes a request: an `NSFetchRequest<NSManagedObject>`, for which it returns an array of objects of `context` (as
  /// `context.object(with:)` makes them) or of their ids; or an `NSSaveChangesRequest`, for which what it returns does
  /// not count. The base class stops the program.
  open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
    mustOverride("execute(_:with:)")
  }

  /// An object's values: attributes, and ids of to-one relationships (those left out are asked for one by one). The base
  /// class stops the program.
  ///
  /// - Throws: 133000 (`NSManagedObjectReferentialIntegrityError`) when there is no such object.
  open func newValuesForObject(
    with objectID: NSManagedObjectID, with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode {
    mustOverride("newValuesForObject(with:with:)")
  }

  /// The id of a to-one relationship, or `NSNull`; an array of ids of a to-many relationship. The base class stops the
  /// program.
  open func newValue(
    forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
    with context: NSManagedObjectContext?
  ) throws -> Any {
    mustOverride("newValue(forRelationship:forObjectWith:with:)")
  }

  /// Ids for new objects, in their order, as `newObjectID(for:referenceObject:)` makes them. The base class stops the
  /// program.
  open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    mustOverride("obtainPermanentIDs(for:)")
  }

  /// The identity of a store that is being made: the text of a UUID.
  open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

  /// Called when a context has objects of the store that it did not have before, at the latest when the call that made
  /// them returns: the store may want to keep what it knows of them. Each context tells for itself.
  open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

  /// Called some time after a context has let go of objects of the store.
  open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

  // MARK: what subclasses use

  /// The id of an object by the store's own name for it: something hashable, such as a string or a number.
  open func newObjectID(for entity: NSEntityDescription, referenceObject data: Any) -> NSManagedObjectID {
    let (key, info): (ObjectKey, EntityInfo) = core.key(of: entity, reference: data)
    return NSManagedObjectID(key: key, info: info, store: self)
  }

  /// The store's own name for an object.
  open func referenceObject(for objectID: NSManagedObjectID) -> Any {
    guard let reference = core.references.reference(of: objectID.resolved.key) else {
      ProgrammerError.stop("\(objectID) is no object of the store \(storeName).")
    }
    return reference.base
  }

  private func mustOverride(_ method: String) -> Never {
    ProgrammerError.stop("\(Swift.type(of: self)) has to override \(method).")
  }

  // MARK: what the graph uses

  func open(_ identifier: UUID) throws -> any ObjectStore {
    core.entityNumbers = Array(core.entities.indices)
    try loadMetadata()
    let known: String? = metadata?[NSStoreUUIDKey] as? String
    guard let schema = core.entities.first?.schema else {
      throw GraphError.make(NSPersistentStoreOpenError, "The model has no entities: there is nothing to store.")
    }
    return IncrementalBackend(identifier: known.flatMap { UUID(uuidString: $0) } ?? identifier, schema, self)
  }

  func keys(for objects: [NSManagedObject]) throws -> [ObjectKey] {
    let ids: [NSManagedObjectID] = try obtainPermanentIDs(for: objects)
    guard ids.count == objects.count else {
      ProgrammerError.stop(
        "\(Swift.type(of: self)).obtainPermanentIDs gave \(ids.count) ids for \(objects.count) objects.")
    }
    return ids.map { $0.key }
  }

  override func ownView(for context: NSManagedObjectContext) throws -> (any StoreView)? {
    (backend as? IncrementalBackend)?.view(for: context)
  }
}
