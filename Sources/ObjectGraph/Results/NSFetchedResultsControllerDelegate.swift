public import Foundation

/// What has become of an object or section of a controller.
public enum NSFetchedResultsChangeType: UInt, Sendable {
  case insert = 1
  case delete = 2
  case move = 3
  case update = 4
}

/// Hears of changes in the results of a fetched results controller. Called on the queue of its context.
///
/// Every method may be left out. With the one that takes a snapshot, no other is called; with the one that takes a
/// difference, and no sections, neither are those for single objects. The controller passed is an erased view of the
/// delegate's own: `==` tells which one.
///
/// Methods have to be in the class that declares the conformance, not in a subclass of it: Swift fixes there which of
/// them exist.
public protocol NSFetchedResultsControllerDelegate: AnyObject {
  /// The whole of the results: after `performFetch()` and after every change. Items are object ids, sections are
  /// their names.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference)

  /// How the ids of the results have changed. An object that changed in place is removed and inserted at one place.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

  /// One object has changed.
  ///
  /// - Parameters:
  ///   - controller: one that equals the delegate's own.
  ///   - anObject: what has changed.
  ///   - indexPath: where it was before all changes; `nil` for an insertion.
  ///   - type: how.
  ///   - newIndexPath: where it is after all changes; `nil` for a deletion.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

  /// A section came (`sectionIndex` counts after all changes) or went (counts before them). Called before the objects'
  /// changes.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType)

  /// Changes are about to be told.
  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// All changes were told.
  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// The index title of a section; `nil` for none. Left out, it is the first letter of the name, as a capital.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String?
}

// Without Objective-C nothing tells whether a class has a method. The ones it does not have are these, and say so.
extension NSFetchedResultsControllerDelegate {
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
  ) {
    controller.core.missing.insert(.snapshot)
  }

  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) {
    controller.core.missing.insert(.difference)
  }

  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {}

  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {}

  public func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

  public func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String? {
    controller.core.missing.insert(.indexTitle)
    return nil
  }
}

/// A section of a controller's results.
public protocol NSFetchedResultsSectionInfo {
  /// What the objects of the section have in common at the section key path, as text.
  var name: String { get }
  /// Its title in an index.
  var indexTitle: String? { get }
  /// How many objects.
  var numberOfObjects: Int { get }
  /// The objects, in order.
  var objects: [Any]? { get }
}
