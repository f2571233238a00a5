public import Foundation
public import Model
internal import Schema

/// Inserts rows straight into a store: no objects are made in a context, none of their hooks run, and no context is
/// told. Values are attributes by name; relationships can't be set.
///
/// Attributes that a row does not name take their defaults. Where a row violates a uniqueness constraint, the context's
/// merge policy decides: by default the whole request fails and inserts nothing; with an object-trump or overwrite
/// policy the stored object takes the values that the row names, and keeps all others; with a store-trump or rollback
/// policy the row is left out. All rows are one transaction.
open class NSBatchInsertRequest: NSPersistentStoreRequest {
  private var storedEntity: NSEntityDescription?
  private var storedName: String

  /// - Parameters:
  ///   - entityName: looked up in the context's model when the request is executed.
  ///   - dictionaries: the rows: attribute values by name.
  public init(entityName: String, objects dictionaries: [[String: Any]]) {
    storedName = entityName
    objectsToInsert = dictionaries
    super.init()
  }

  /// - Parameters:
  ///   - entity: what is inserted.
  ///   - dictionaries: the rows: attribute values by name.
  public init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
    storedEntity = entity
    storedName = entity.name ?? ""
    objectsToInsert = dictionaries
    super.init()
  }

  /// - Parameters:
  ///   - entity: what is inserted.
  ///   - handler: called for each row with an empty dictionary to fill; returns true, filling nothing, when there are no
  ///     more.
  public init(entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool) {
    storedEntity = entity
    storedName = entity.name ?? ""
    dictionaryHandler = handler
    super.init()
  }

  /// - Parameters:
  ///   - entity: what is inserted.
  ///   - handler: called for each row with an object to fill, which belongs to no context and is used again for the next
  ///     row; returns true, filling nothing, when there are no more.
  public init(entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) {
    storedEntity = entity
    storedName = entity.name ?? ""
    managedObjectHandler = handler
    super.init()
  }

  /// - Parameters:
  ///   - entityName: of what is inserted.
  ///   - handler: as in the form with an entity.
  public init(entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool) {
    storedName = entityName
    dictionaryHandler = handler
    super.init()
  }

  /// - Parameters:
  ///   - entityName: of what is inserted.
  ///   - handler: as in the form with an entity.
  public init(entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) {
    storedName = entityName
    managedObjectHandler = handler
    super.init()
  }

  open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

  /// Name of the entity.
  open var entityName: String { storedName }
  /// The entity; `nil` while only its name is known.
  open var entity: NSEntityDescription? { storedEntity }
  /// The rows, when they were given as a list.
  open var objectsToInsert: [[String: Any]]?
  /// Gives the rows one by one.
  open var dictionaryHandler: ((NSMutableDictionary) -> Bool)?
  /// Gives the rows one by one, as objects.
  open var managedObjectHandler: ((NSManagedObject) -> Bool)?
  /// What the result tells: whether it worked, unless set.
  open var resultType: NSBatchInsertRequestResultType = .statusOnly

  package override class func blank() -> NSPersistentStoreRequest { NSBatchInsertRequest(entityName: "", objects: []) }

  package override func copyOptions(to copy: NSPersistentStoreRequest) {
    super.copyOptions(to: copy)
    guard let copy = copy as? NSBatchInsertRequest else { return }
    copy.storedEntity = storedEntity
    copy.storedName = storedName
    copy.objectsToInsert = objectsToInsert
    copy.dictionaryHandler = dictionaryHandler
    copy.managedObjectHandler = managedObjectHandler
    copy.resultType = resultType
  }
}

/// What the result of a batch insert tells.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
  /// `Bool`: true.
  case statusOnly = 0
  /// `[NSManagedObjectID]` of the rows inserted or, under a constraint, updated.
  case objectIDs = 1
  /// `Int`: how many rows were inserted or updated.
  case count = 2
}

/// What a batch insert returned.
open class NSBatchInsertResult: NSPersistentStoreResult {
  /// As the result type says; never `nil`.
  public let result: Any?
  /// The result type of the request.
  public let resultType: NSBatchInsertRequestResultType

  init(_ outcome: BatchOutcome, _ type: NSBatchInsertRequestResultType) {
    resultType = type
    switch type {
    case .statusOnly: result = true
    case .objectIDs: result = outcome.ids
    case .count: result = outcome.count
    }
    super.init()
  }
}
