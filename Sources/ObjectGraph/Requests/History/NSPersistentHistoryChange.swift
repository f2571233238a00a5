public import Foundation
public import Model

/// What one transaction did to one object. A value: any thread.
public final class NSPersistentHistoryChange: NSObject, NSCopying, @unchecked Sendable {
  // unchecked: everything is set once, before anybody sees the change; the weak reference is atomic.
  private let header: HistoryHeader
  weak var owner: NSPersistentHistoryTransaction?

  /// Unique in its store's history, ascending.
  public let changeID: Int64
  /// The object.
  public let changedObjectID: NSManagedObjectID
  /// Whether the object was inserted, updated or deleted.
  public let changeType: NSPersistentHistoryChangeType
  /// For a delete: values of the attributes that the model says to preserve, by name.
  public let tombstone: [AnyHashable: Any]?
  /// For an update: what changed.
  public let updatedProperties: Set<NSPropertyDescription>?

  init(
    header: HistoryHeader, position: Int, id: NSManagedObjectID, type: NSPersistentHistoryChangeType,
    tombstone: [AnyHashable: Any]?, updatedProperties: Set<NSPropertyDescription>?
  ) {
    self.header = header
    changeID = Int64(truncatingIfNeeded: header.number << 24 | UInt64(position & 0xFF_FFFF))
    changedObjectID = id
    changeType = type
    self.tombstone = tombstone
    self.updatedProperties = updatedProperties
    super.init()
  }

  /// The transaction; without its changes when it was not kept.
  public var transaction: NSPersistentHistoryTransaction? {
    owner ?? NSPersistentHistoryTransaction(header, changes: nil)
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  public override var description: String {
    "<NSPersistentHistoryChange: \(changeType) of \(changedObjectID)>"
  }

  /// An entity that stands for changes, to make fetch requests of.
  public class var entityDescription: NSEntityDescription? { HistoryEntities.change }

  /// An entity that stands for changes, to make fetch requests of.
  public class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
    HistoryEntities.change
  }

  /// A fetch request for changes, to be given to `NSPersistentHistoryChangeRequest.fetchHistory(withFetch:)`.
  public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = HistoryEntities.change
    return request
  }
}

extension NSPersistentHistoryChange: NSFetchRequestResult {}
