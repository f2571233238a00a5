public import Foundation
public import Model

/// A store of the program's own that is read and written as a whole. Such classes can be declared and registered;
/// adding a store of one is not built yet and throws.
open class NSAtomicStore: NSPersistentStore, @unchecked Sendable {
  // unchecked: as the class it extends; nodes belong to whoever loads and saves the store.
  private var nodes: [NSManagedObjectID: NSAtomicStoreCacheNode] = [:]

  /// Reads everything. Subclasses override; the base class throws.
  open func load() throws { throw Self.unbuilt("load()") }

  /// Writes everything. Subclasses override; the base class throws.
  open func save() throws { throw Self.unbuilt("save()") }

  /// A node for a new object. Subclasses override; the base class stops the program.
  open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
    Unbuilt.stop("NSAtomicStore.newCacheNode(for:)", "A subclass has to override it.")
  }

  /// Puts an object's values into its node. Subclasses override; the base class stops the program.
  open func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
    Unbuilt.stop("NSAtomicStore.updateCacheNode(_:from:)", "A subclass has to override it.")
  }

  /// The store's own name for a new object. Subclasses override; the base class stops the program.
  open func newReferenceObject(for managedObject: NSManagedObject) -> Any {
    Unbuilt.stop("NSAtomicStore.newReferenceObject(for:)", "A subclass has to override it.")
  }

  /// The nodes that the store has.
  open func cacheNodes() -> Set<NSAtomicStoreCacheNode> { Set(nodes.values) }

  /// Takes nodes in.
  open func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
    for node in cacheNodes { nodes[node.objectID] = node }
  }

  /// Called before nodes go, for objects that were deleted.
  open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

  /// The node of an object.
  open func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? { nodes[objectID] }

  /// The id of an object by the store's own name for it. Not built yet: stops the program.
  open func objectID(for entity: NSEntityDescription, withReferenceObject data: Any) -> NSManagedObjectID {
    Unbuilt.stop("NSAtomicStore.objectID(for:withReferenceObject:)", Self.instead)
  }

  /// The store's own name for an object. Not built yet: stops the program.
  open func referenceObject(for objectID: NSManagedObjectID) -> Any {
    Unbuilt.stop("NSAtomicStore.referenceObject(for:)", Self.instead)
  }

  private static let instead = "Keep the objects in a store of type NSSQLiteStoreType or NSInMemoryStoreType."

  private static func unbuilt(_ method: String) -> any Error {
    Unbuilt.error("NSAtomicStore.\(method)", "A subclass has to override it.")
  }
}

/// An object's values as an atomic store keeps them.
open class NSAtomicStoreCacheNode: NSObject {
  /// Whose values they are.
  public let objectID: NSManagedObjectID
  /// The values by property name.
  open var propertyCache: NSMutableDictionary?

  /// A node without values.
  public init(objectID moid: NSManagedObjectID) {
    objectID = moid
    super.init()
  }

  /// A value by its property's name.
  open func value(forKey key: String) -> Any? { propertyCache?[key] }

  /// Sets a value by its property's name.
  open func setValue(_ value: Any?, forKey key: String) {
    let cache: NSMutableDictionary = propertyCache ?? NSMutableDictionary()
    cache[key] = value
    propertyCache = cache
  }
}
