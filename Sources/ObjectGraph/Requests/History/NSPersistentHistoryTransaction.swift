public import Foundation
public import Model
internal import StoreContract

/// One save, or one batch request, as history tells it. A value: any thread.
public final class NSPersistentHistoryTransaction: NSObject, NSCopying, @unchecked Sendable {
  // unchecked: everything is set once, before anybody sees the transaction.
  let header: HistoryHeader
  /// What it changed; `nil` when the request asked for transactions only.
  public private(set) var changes: [NSPersistentHistoryChange]?

  init(_ header: HistoryHeader, changes: [NSPersistentHistoryChange]?) {
    self.header = header
    self.changes = changes
    super.init()
    for change in changes ?? [] { change.owner = self }
  }

  /// When it was committed, by the clock of the machine then: order goes by number, never by time.
  public var timestamp: Date { Date(timeIntervalSinceReferenceDate: header.timestamp) }
  /// Its place in its store's history: from 1, ascending.
  public var transactionNumber: Int64 { Int64(clamping: header.number) }
  /// Identifier of its store.
  public var storeID: String { header.storeID }
  /// Identifier of the program's bundle, or the program's name. Logs do not record it: it is the reader's own.
  public var bundleID: String { Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName }
  /// The process that committed it.
  public var processID: String { "\(header.processID)" }
  /// The `name` of the context that saved.
  public var contextName: String? { header.contextName }
  /// The `transactionAuthor` of the context that saved.
  public var author: String? { header.author }
  /// The place in history after it, for every store that the request went through so far.
  public var token: NSPersistentHistoryToken { header.token }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// A notification as a save of the transaction would have posted, for `mergeChanges(fromContextDidSave:)`. Empty when
  /// the request asked for transactions without changes.
  public func objectIDNotification() -> Notification {
    var inserted: Set<NSManagedObjectID> = []
    var updated: Set<NSManagedObjectID> = []
    var deleted: Set<NSManagedObjectID> = []
    for change in changes ?? [] {
      switch change.changeType {
      case .insert: inserted.insert(change.changedObjectID)
      case .update: updated.insert(change.changedObjectID)
      case .delete: deleted.insert(change.changedObjectID)
      }
    }
    var info: [AnyHashable: Any] = [:]
    if !inserted.isEmpty { info[NSInsertedObjectIDsKey] = inserted }
    if !updated.isEmpty { info[NSUpdatedObjectIDsKey] = updated }
    if !deleted.isEmpty { info[NSDeletedObjectIDsKey] = deleted }
    return Notification(name: .NSManagedObjectContextDidSaveObjectIDs, object: nil, userInfo: info)
  }

  public override var description: String {
    let writer: String = header.author.map { " by \($0)" } ?? ""
    return "<NSPersistentHistoryTransaction: \(header.number)\(writer), \(timestamp)>"
  }

  /// An entity that stands for transactions, to make fetch requests of.
  public class var entityDescription: NSEntityDescription? { HistoryEntities.transaction }

  /// An entity that stands for transactions, to make fetch requests of.
  public class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
    HistoryEntities.transaction
  }

  /// A fetch request for transactions, to be given to `NSPersistentHistoryChangeRequest.fetchHistory(withFetch:)`.
  public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = HistoryEntities.transaction
    return request
  }
}

extension NSPersistentHistoryTransaction: NSFetchRequestResult {}

/// What a transaction is, without its changes.
struct HistoryHeader: Sendable {
  let number: UInt64
  let timestamp: Double
  let author: String?
  let contextName: String?
  let processID: Int32
  let storeID: String
  let token: NSPersistentHistoryToken
}
