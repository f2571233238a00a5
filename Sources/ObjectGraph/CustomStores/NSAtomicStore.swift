internal import Foundation
public import Model
internal import Schema
internal import StoreContract

/// A store of the program's own that is read and written as a whole: a file in a format of the program's.
///
/// A subclass reads everything in `load()`, a node for each object, and writes everything in `save()`. Between the two
/// its objects are kept in memory, where fetches, faults, constraints and merge policies work as with any store. Batch
/// requests are refused. Register the class with `NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:)`.
///
/// Its methods are called on the coordinator's queue, while the context that saves waits.
open class NSAtomicStore: NSPersistentStore, ProgramStore, @unchecked Sendable {
  // unchecked: as the class it extends; the nodes belong to the coordinator's queue.
  private var nodes: [NSManagedObjectID: NSAtomicStoreCacheNode] = [:]
  let core = ProgramStoreCore()

  // MARK: what subclasses override

  /// Reads everything: makes nodes, gives them to `addCacheNodes(_:)`, and sets `metadata` with at least the
  /// `NSStoreUUIDKey` that was written. Called once, when the store is added; with nothing at the URL there is nothing to
  /// do. The base class stops the program.
  open func load() throws { mustOverride("load()") }

  /// Writes everything: `cacheNodes()` and `metadata`. When it throws, nothing was saved, and the nodes are as they were.
  /// The base class stops the program.
  open func save() throws { mustOverride("save()") }

  /// A node for a new object, whose id is its own already. The base class stops the program.
  open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
    mustOverride("newCacheNode(for:)")
  }

  /// Puts an object's values into its node: called for new and changed objects when the nodes of all new ones are there.
  /// The base class stops the program.
  open func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
    mustOverride("updateCacheNode(_:from:)")
  }

  /// The store's own name for a new object, something hashable that no other object of its entity has. The base class
  /// stops the program.
  open func newReferenceObject(for managedObject: NSManagedObject) -> Any {
    mustOverride("newReferenceObject(for:)")
  }

  /// Called before nodes go, for objects that were deleted.
  open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

  // MARK: what subclasses use

  /// The nodes that the store has.
  open func cacheNodes() -> Set<NSAtomicStoreCacheNode> { Set(nodes.values) }

  /// Takes nodes in.
  open func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
    for node in cacheNodes { nodes[node.objectID] = node }
  }

  /// The node of an object.
  open func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? { nodes[objectID] }

  /// The id of an object by the store's own name for it: something hashable, such as a string or a number.
  open func objectID(for entity: NSEntityDescription, withReferenceObject data: Any) -> NSManagedObjectID {
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
    let factory: any StoreFactory.Type = try StoreFactories.logStore()
    let schema: Schema? = core.entities.first?.schema
    let memory: any ObjectStore = try factory.open(
      StoreOpening(place: .memory, schema: schema, isReadOnly: false, options: [fileSystemOption: factory.memory()]))
    core.entityNumbers = memory.entityNumbers
    try loadMetadata()
    try load()
    let known: String? = metadata?[NSStoreUUIDKey] as? String
    let backend = AtomicBackend(identifier: known.flatMap { UUID(uuidString: $0) } ?? identifier, memory, self)
    try backend.take(Array(nodes.values))
    return backend
  }

  func keys(for objects: [NSManagedObject]) throws -> [ObjectKey] {
    objects.map { core.key(of: $0.entity, reference: newReferenceObject(for: $0)).0 }
  }

  /// The nodes and their values, to go back to when a save fails.
  struct Nodes {
    fileprivate let nodes: [NSManagedObjectID: NSAtomicStoreCacheNode]
    fileprivate let values: [(node: NSAtomicStoreCacheNode, values: NSMutableDictionary?)]
  }

  /// Brings the nodes to what a save writes, and returns what they were.
  func apply(_ saving: ObjectsOfSave) -> Nodes {
    let changed: [NSAtomicStoreCacheNode] = saving.updated.compactMap { cacheNode(for: $0.objectID) }
    let before = Nodes(
      nodes: nodes,
      values: changed.map { node in
        (node, node.propertyCache.map { NSMutableDictionary(dictionary: $0 as? [AnyHashable: Any] ?? [:]) })
      })
    addCacheNodes(Set(saving.inserted.map { newCacheNode(for: $0) }))
    for object in saving.inserted + saving.updated {
      if let node = cacheNode(for: object.objectID) { updateCacheNode(node, from: object) }
    }
    let gone: [NSAtomicStoreCacheNode] = saving.deleted.compactMap { cacheNode(for: $0.objectID) }
    if !gone.isEmpty { willRemoveCacheNodes(Set(gone)) }
    for node in gone { nodes[node.objectID] = nil }
    return before
  }

  func restore(_ before: Nodes) {
    nodes = before.nodes
    for (node, values) in before.values { node.propertyCache = values }
  }
}
