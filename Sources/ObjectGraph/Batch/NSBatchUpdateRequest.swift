public import Foundation
public import Model

/// Sets attributes of all matching rows straight in the stores: no objects change in a context, none of their hooks or
/// validation rules run, and no context is told. Sees what is saved only. One transaction a store.
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
  private var storedEntity: NSEntityDescription?
  private var storedName: String

  /// - Parameter entityName: looked up in the context's model when the request is executed.
  public init(entityName: String) {
    storedName = entityName
    super.init()
  }

  /// A request for an entity's rows.
  public init(entity: NSEntityDescription) {
    storedEntity = entity
    storedName = entity.name ?? ""
    super.init()
  }

  open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

  /// Name of the entity.
  open var entityName: String { storedName }
  /// The entity; `nil` while only its name is known.
  open var entity: NSEntityDescription! { storedEntity }
  /// Which rows; all when `nil`.
  open var predicate: NSPredicate?
  /// Whether rows of sub-entities match too: true by default.
  open var includesSubentities: Bool = true
  /// What to set: attributes, or to-one relationships, by name or `NSPropertyDescription`, to a value, an object id, or
  /// an `NSExpression`, which is evaluated for each row with the values it had.
  open var propertiesToUpdate: [AnyHashable: Any]?
  /// What the result tells: whether it worked, unless set.
  open var resultType: NSBatchUpdateRequestResultType = .statusOnlyResultType

  package override class func blank() -> NSPersistentStoreRequest { NSBatchUpdateRequest(entityName: "") }

  package override func copyOptions(to copy: NSPersistentStoreRequest) {
    super.copyOptions(to: copy)
    guard let copy = copy as? NSBatchUpdateRequest else { return }
    copy.storedEntity = storedEntity
    copy.storedName = storedName
    copy.predicate = predicate
    copy.includesSubentities = includesSubentities
    copy.propertiesToUpdate = propertiesToUpdate
    copy.resultType = resultType
  }
}

/// What the result of a batch update tells.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
  /// `Bool`: true.
  case statusOnlyResultType = 0
  /// `[NSManagedObjectID]` of the rows that matched.
  case updatedObjectIDsResultType = 1
  /// `Int`: how many rows matched.
  case updatedObjectsCountResultType = 2
}

/// What a batch update returned.
open class NSBatchUpdateResult: NSPersistentStoreResult {
  /// As the result type says; never `nil`.
  public let result: Any?
  /// The result type of the request.
  public let resultType: NSBatchUpdateRequestResultType

  init(_ outcome: BatchOutcome, _ type: NSBatchUpdateRequestResultType) {
    resultType = type
    switch type {
    case .statusOnlyResultType: result = true
    case .updatedObjectIDsResultType: result = outcome.ids
    case .updatedObjectsCountResultType: result = outcome.count
    }
    super.init()
  }
}
