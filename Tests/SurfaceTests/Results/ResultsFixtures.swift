import CoreData

/// Applies what it is told, as a list view would, and keeps what it was told.
final class ListView: NSObject, NSFetchedResultsControllerDelegate {
  struct Event: Equatable, CustomStringConvertible {
    let kind: NSFetchedResultsChangeType
    let from: [Int]?
    let to: [Int]?
    var description: String { "\(kind) \(from ?? []) \(to ?? [])" }
  }

  /// Titles by section.
  var rows: [(name: String, titles: [NSManagedObject])] = []
  var events: [Event] = []
  var sectionEvents: [String] = []
  var told = 0
  private var isTelling = false
  private var deletedRows: [IndexPath] = []
  private var insertedRows: [(IndexPath, NSManagedObject)] = []
  private var deletedSections: [Int] = []
  private var insertedSections: [(Int, String)] = []

  func take(_ controller: NSFetchedResultsController<NSManagedObject>) {
    rows = (controller.sections ?? []).map { ($0.name, $0.objects as? [NSManagedObject] ?? []) }
  }

  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    precondition(!isTelling)
    isTelling = true
    (events, sectionEvents) = ([], [])
    (deletedRows, insertedRows, deletedSections, insertedSections) = ([], [], [], [])
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    events.append(Event(kind: type, from: indexPath.map { Array($0) }, to: newIndexPath.map { Array($0) }))
    if type == .delete || type == .move, let indexPath { deletedRows.append(indexPath) }
    if type == .insert || type == .move, let newIndexPath, let object = anObject as? NSManagedObject {
      insertedRows.append((newIndexPath, object))
    }
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    sectionEvents.append("\(type) \(sectionInfo.name) \(sectionIndex)")
    if type == .delete { deletedSections.append(sectionIndex) }
    if type == .insert { insertedSections.append((sectionIndex, sectionInfo.name)) }
  }

  /// Removals at old places, insertions at new ones: the order in which list views do a batch of updates.
  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    isTelling = false
    told += 1
    for path in deletedRows.sorted(by: >) { rows[path.section].titles.remove(at: path.row) }
    for section in deletedSections.sorted(by: >) { rows.remove(at: section) }
    for (section, name) in insertedSections.sorted(by: { $0.0 < $1.0 }) { rows.insert((name, []), at: section) }
    for (path, object) in insertedRows.sorted(by: { $0.0 < $1.0 }) {
      rows[path.section].titles.insert(object, at: path.row)
    }
  }

  /// Whether what was applied is what the controller has.
  func agrees(with controller: NSFetchedResultsController<NSManagedObject>) -> Bool {
    let wanted = (controller.sections ?? []).map { ($0.name, $0.objects as? [NSManagedObject] ?? []) }
    return rows.map { $0.name } == wanted.map { $0.0 } && rows.map { $0.titles } == wanted.map { $0.1 }
  }
}

final class SnapshotView: NSObject, NSFetchedResultsControllerDelegate {
  var snapshots: [NSDiffableDataSourceSnapshotReference] = []
  var others = 0
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
  ) {
    snapshots.append(snapshot)
  }
  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) { others += 1 }
}

final class DifferenceView: NSObject, NSFetchedResultsControllerDelegate {
  var ids: [NSManagedObjectID] = []
  var last: CollectionDifference<NSManagedObjectID>?
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) {
    last = diff
    ids = ids.applying(diff) ?? []
  }
}

extension LibraryFixture {
  func controller(
    sections: String? = nil, _ adjust: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }
  ) -> NSFetchedResultsController<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    if let sections { request.sortDescriptors?.insert(NSSortDescriptor(key: sections, ascending: true), at: 0) }
    adjust(request)
    return NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sections, cacheName: "list")
  }
}
