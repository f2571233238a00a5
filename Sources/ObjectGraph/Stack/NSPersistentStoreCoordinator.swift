public import Foundation
public import Model
package import Schema

/// Stands between contexts and stores: knows the model, opens stores, and makes several of them act as one.
///
/// May be used from any thread: commits and changes to the list of stores take turns on its queue.
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
  // unchecked: mutable state is read and written under `guarding` only.
  private let guarding = NSLock()
  let programLock = NSRecursiveLock()
  private var storedName: String?
  private var stores: [NSPersistentStore] = []
  private var frozen: (schema: Schema, entities: [NSEntityDescription])?
  private var openFailures: [(url: URL?, error: any Error)] = []

  let queue: DispatchQueue = DispatchQueue(label: "annals.coordinator")
  private static let queueKey = DispatchSpecificKey<ObjectIdentifier>()

  /// The model. Frozen when the first store is added or the first context uses it.
  public let managedObjectModel: NSManagedObjectModel

  /// A coordinator without stores. The model may not be changed from now on.
  public init(managedObjectModel: NSManagedObjectModel) {
    self.managedObjectModel = managedObjectModel
    super.init()
    queue.setSpecific(key: Self.queueKey, value: ObjectIdentifier(self))
    CoordinatorRegistry.add(self)
  }

  /// A name for people, also the label in messages.
  open var name: String? {
    get { guarding.withLock { storedName } }
    set { guarding.withLock { storedName = newValue } }
  }

  /// The open stores, in the order they were added.
  open var persistentStores: [NSPersistentStore] { guarding.withLock { stores } }

  var isOnQueue: Bool { DispatchQueue.getSpecific(key: Self.queueKey) == ObjectIdentifier(self) }

  // MARK: the frozen model

  /// The model as values; freezes it.
  ///
  /// - Throws: `NSPersistentStoreIncompatibleSchemaError` over a `ModelError` that lists the model's faults.
  package func frozenSchema() throws -> Schema {
    if let schema = guarding.withLock({ frozen?.schema }) { return schema }
    do {
      let schema: Schema = try managedObjectModel.schema()
      let entities: [NSEntityDescription] = managedObjectModel.entityDescriptions
      guarding.withLock { frozen = (schema, entities) }
      return schema
    } catch {
      throw GraphError.make(
        NSPersistentStoreIncompatibleSchemaError, "The model can't be used: \(error.description)", underlying: error)
    }
  }

  /// The model as values. A model with faults stops the program here: adding a store reports them as an error first.
  package var schema: Schema {
    do { return try frozenSchema() } catch {
      ProgrammerError.stop((error as any Error).localizedDescription)
    }
  }

  /// The description of an entity of the schema.
  package func entityDescription(at schemaIndex: Int) -> NSEntityDescription {
    if let frozen = guarding.withLock({ frozen }) { return frozen.entities[schemaIndex] }
    _ = schema
    return entityDescription(at: schemaIndex)
  }

  // MARK: the list of stores

  func append(_ store: NSPersistentStore) {
    guarding.withLock {
      stores.append(store)
      openFailures.removeAll { $0.url == store.url }
    }
  }

  func replace(_ store: NSPersistentStore, by successor: NSPersistentStore) {
    guarding.withLock { stores = stores.map { $0 === store ? successor : $0 } }
  }

  func drop(_ store: NSPersistentStore) {
    guarding.withLock { stores.removeAll { $0 === store } }
  }

  /// Remembers why a store is missing, for the errors of those who then look for it.
  func noteOpenFailure(_ error: any Error, url: URL?) {
    guarding.withLock {
      openFailures.removeAll { $0.url == url }
      openFailures.append((url, error))
    }
  }

  var lastOpenFailure: (any Error)? { guarding.withLock { openFailures.last?.error } }
}
