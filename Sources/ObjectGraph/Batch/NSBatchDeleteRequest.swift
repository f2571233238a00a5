public import Foundation

/// Deletes all matching rows straight in the stores: no objects change in a context, none of their hooks run, and no
/// context is told. Sees what is saved only. One transaction a store.
///
/// Delete rules are carried out among the rows: cascade deletes what it leads to, nullify clears the other side, deny
/// fails the whole request, as does a mandatory relationship that would lose its value.
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
  let fetch: FetchSettings
  private let erased: NSFetchRequest<any NSFetchRequestResult>
  let objectIDs: [NSManagedObjectID]?

  /// - Parameter fetch: which rows. Predicate, sort, limit, offset and sub-entities count, result options do not.
  public init<Result>(fetchRequest fetch: NSFetchRequest<Result>) {
    self.fetch = fetch.settings
    erased = NSFetchRequest<any NSFetchRequestResult>()
    erased.settings = fetch.settings
    erased.affectedStores = fetch.affectedStores
    objectIDs = nil
    super.init()
    affectedStores = fetch.affectedStores
  }

  /// - Parameter objects: which rows: all of one entity or its sub-entities.
  public convenience init(objectIDs objects: [NSManagedObjectID]) {
    self.init(ids: objects)
  }

  private init(ids: [NSManagedObjectID]) {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = ids.first?.entity
    if !ids.isEmpty { request.predicate = NSPredicate(format: "SELF IN %@", ids) }
    erased = request
    fetch = request.settings
    objectIDs = ids
    super.init()
  }

  private init(copying other: NSBatchDeleteRequest) {
    fetch = other.fetch
    erased = other.erased
    objectIDs = other.objectIDs
    super.init()
    affectedStores = other.affectedStores
    resultType = other.resultType
  }

  open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

  /// Which rows.
  open var fetchRequest: NSFetchRequest<any NSFetchRequestResult> { erased }
  /// What the result tells: whether it worked, unless set.
  open var resultType: NSBatchDeleteRequestResultType = .resultTypeStatusOnly

  open override func copy(with zone: NSZone? = nil) -> Any { NSBatchDeleteRequest(copying: self) }
}

/// What the result of a batch delete tells.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
  /// `Bool`: true.
  case resultTypeStatusOnly = 0
  /// `[NSManagedObjectID]` of the rows deleted, by cascades too.
  case resultTypeObjectIDs = 1
  /// `Int`: how many rows were deleted.
  case resultTypeCount = 2
}

/// What a batch delete returned.
open class NSBatchDeleteResult: NSPersistentStoreResult {
  /// As the result type says; never `nil`.
  public let result: Any?
  /// The result type of the request.
  public let resultType: NSBatchDeleteRequestResultType

  init(_ outcome: BatchOutcome, _ type: NSBatchDeleteRequestResultType) {
    resultType = type
    switch type {
    case .resultTypeStatusOnly: result = true
    case .resultTypeObjectIDs: result = outcome.ids
    case .resultTypeCount: result = outcome.count
    }
    super.init()
  }
}

/// What executing a batch request came to.
struct BatchOutcome {
  var ids: [NSManagedObjectID] = []
  var count: Int { ids.count }
}
