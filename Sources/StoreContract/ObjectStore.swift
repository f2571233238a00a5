public import Foundation
public import Predicates
public import Schema

/// A store as the object graph sees it: the wall between contexts and whatever keeps the rows.
///
/// Calls go down, values come up; a store never calls into objects. Every method may be called from any thread; a
/// commit waits for the one before it.
public protocol ObjectStore: AnyObject, Sendable {
  /// Fixed at creation; part of every object's URI.
  var identifier: UUID { get }

  /// The schema it was opened with.
  var schema: Schema { get }

  /// The store's number for each entity of the schema: what `ObjectKey.entityNumber` holds.
  var entityNumbers: [Int] { get }

  /// Schema index of an entity by the store's number; `nil` for a number the schema does not know.
  func entityIndex(ofNumber number: Int) -> Int?

  var isReadOnly: Bool { get }

  /// The newest committed state. Costs a load; the view never changes afterwards and may be read from any thread.
  func currentView() throws(StoreError) -> any StoreView

  /// Keys for objects about to be inserted, consecutive, never handed out before.
  func reserveKeys(entity index: Int, count: Int) throws(StoreError) -> ObjectKey

  /// Makes the changes durable, whole or not at all.
  ///
  /// When it returns `.committed`, they will be there after a power cut. When it returns `.conflicted` or throws,
  /// nothing has changed.
  func commit(_ changes: ChangeSet) throws(StoreError) -> CommitOutcome

  /// Values that belong to the store itself: names to property-list scalars as strings.
  var metadata: [String: String] { get }

  /// Transactions after one with a number, oldest first, with their changes. Nothing before the oldest kept.
  func transactions(after number: UInt64, limit: Int) throws(StoreError) -> [StoreTransaction]

  /// Number of the oldest transaction that history still holds; 1 when nothing was purged.
  var oldestTransactionNumber: UInt64 { get }

  /// Releases locks and files. Views stay readable.
  func close() throws(StoreError)
}

/// One committed state of a store.
public protocol StoreView: ObjectSource, Sendable {
  /// Number of the last transaction it contains.
  var commitNumber: UInt64 { get }

  /// Keys of the objects that a plan asks for, in its order, within its window.
  ///
  /// Without a sort (and between objects that a sort ranks equal) the order is that of the keys.
  ///
  /// - Parameter overlay: pending changes to evaluate key paths against; objects it has changed are not the view's
  ///   business and are left out, before the window is applied. `nil` for committed values only.
  /// - Parameter report: filled with what was done, when somebody wants to know.
  func keys(
    for plan: FetchPlan, overlay: (any PendingOverlay)?, report: FetchReport?
  ) throws(StoreError) -> [ObjectKey]

  /// How many objects a plan asks for, its window counted in.
  func count(for plan: FetchPlan) throws(StoreError) -> Int

  /// The results of a dictionary fetch, in its order, within its window. Committed values only.
  ///
  /// A store need not implement it: without that, `keys` and `row` are asked.
  func table(for plan: TablePlan, report: FetchReport?) throws(StoreError) -> [TableRow]
}

extension StoreView {
  /// As `keys(for:overlay:report:)`, when nobody wants to know how.
  public func keys(for plan: FetchPlan, overlay: (any PendingOverlay)?) throws(StoreError) -> [ObjectKey] {
    try keys(for: plan, overlay: overlay, report: nil)
  }
}

/// A context's pending changes laid over a view: answers with pending values where there are some, with the view's
/// where there are none.
public protocol PendingOverlay: ObjectSource {
  /// Whether the context has changes of its own to an object (or deleted it), so that the view must leave it out.
  /// Asked once for each candidate of a fetch: a lookup, nothing more.
  func isChanged(_ key: ObjectKey) -> Bool
}

/// What to fetch from a store: bound to its schema, independent of any context.
public struct FetchPlan: Sendable {
  /// Schema index.
  public var entity: Int
  public var includesSubentities: Bool
  public var predicate: BoundPredicate?
  public var sort: [BoundSort]
  /// 0 means no limit.
  public var limit: Int
  public var offset: Int

  public init(
    entity: Int, includesSubentities: Bool = true, predicate: BoundPredicate? = nil, sort: [BoundSort] = [],
    limit: Int = 0, offset: Int = 0
  ) {
    self.entity = entity
    self.includesSubentities = includesSubentities
    self.predicate = predicate
    self.sort = sort
    self.limit = limit
    self.offset = offset
  }
}
