public import Foundation
internal import Schema

/// Keeps the results of a fetch request in order, in sections if wanted, and tells a delegate how they change.
///
/// Follows the context's changes, saved or not, from `performFetch()` on while it has a delegate. Belongs to the
/// context's queue. `ResultType` is not constrained: see `NSFetchRequestResult`.
///
/// The request's limit and offset hold at all times: an object that is pushed beyond the limit is told as deleted, one
/// that moves up as inserted. After a change the request is executed again, so a change costs what the fetch costs.
open class NSFetchedResultsController<ResultType>: NSObject {
  final let core: ResultsCore
  /// What is fetched. Changes of it count from the next `performFetch()` on.
  public final let fetchRequest: NSFetchRequest<ResultType>

  /// A controller that has fetched nothing yet.
  ///
  /// - Parameters:
  ///   - fetchRequest: needs a sort descriptor; with sections, one whose order keeps each section's objects together.
  ///   - context: whose objects they will be.
  ///   - sectionNameKeyPath: objects with the same value there make a section; `nil` for one section of all.
  ///   - name: kept for ported code: sections cost too little here to be kept in a file.
  public init(
    fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
    sectionNameKeyPath: String?, cacheName name: String?
  ) {
    self.fetchRequest = fetchRequest
    core = ResultsCore(
      request: fetchRequest, context: context, sectionKeyPath: sectionNameKeyPath, cacheName: name)
    super.init()
  }

  /// The same controller as its delegate sees it.
  init(core: ResultsCore, request: NSFetchRequest<ResultType>) {
    self.core = core
    fetchRequest = request
    super.init()
  }

  /// Executes the request.
  ///
  /// - Throws: what the fetch throws (134070 when no store with the entity is loaded); 134060 when the request has no
  ///   sort descriptor, returns no objects, or sorts so that objects of one section are not together.
  open func performFetch() throws {
    core.request.settings = fetchRequest.settings
    core.request.affectedStores = fetchRequest.affectedStores
    try core.performFetch()
  }

  /// The context whose objects the results are.
  public final var managedObjectContext: NSManagedObjectContext { core.context }
  /// What makes sections.
  public final var sectionNameKeyPath: String? { core.sectionKeyPath }
  /// The name given.
  public final var cacheName: String? { core.cacheName }

  /// Hears of changes; not kept alive.
  open weak var delegate: (any NSFetchedResultsControllerDelegate)? {
    get { core.delegate }
    set { core.setDelegate(newValue) }
  }

  /// The results, in order; `nil` before `performFetch()`.
  open var fetchedObjects: [ResultType]? {
    guard core.hasFetched else { return nil }
    return core.results.objects.map { typed($0) }
  }

  /// The sections, in order: one when there is no section key path. `nil` before `performFetch()`.
  open var sections: [any NSFetchedResultsSectionInfo]? {
    guard core.hasFetched else { return nil }
    return core.sectionInfos()
  }

  /// The object at a place. Stops the program when there is none.
  open func object(at indexPath: IndexPath) -> ResultType {
    guard indexPath.count == 2, let object = core.results.object(section: indexPath[0], row: indexPath[1]) else {
      ProgrammerError.stop(
        "There is no object at \(indexPath) in the results for \(fetchRequest.entityName ?? "no entity"): they have \(core.results.objects.count) objects in \(core.results.sections.count) sections."
      )
    }
    return typed(object)
  }

  /// Where an object is; `nil` when it is not among the results.
  open func indexPath(forObject object: ResultType) -> IndexPath? {
    (object as? NSManagedObject).flatMap { core.results.indexPath(of: $0) }
  }

  /// The title of a section in an index: the first letter of its name as a capital, unless the delegate says otherwise.
  open func sectionIndexTitle(forSectionName sectionName: String) -> String? { core.indexTitle(sectionName) }

  /// The titles of all sections, each once.
  open var sectionIndexTitles: [String] { core.indexTitles }

  /// Which section a title of the index leads to.
  ///
  /// - Parameters:
  ///   - title: one of `sectionIndexTitles`.
  ///   - sectionIndex: its place among them.
  open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
    guard let section = core.section(forIndexTitle: title) else {
      ProgrammerError.stop(
        "'\(title)' is no section index title of the results for \(fetchRequest.entityName ?? "no entity").")
    }
    return section
  }

  /// Kept for ported code: there are no caches, and nothing to delete.
  open class func deleteCache(withName name: String?) {}

  /// Whether another controller, of any result type, is this one: a delegate is passed an erased one.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? any ResultsController else { return false }
    return other.core === core
  }

  open override var hash: Int { ObjectIdentifier(core).hashValue }

  private func typed(_ object: NSManagedObject) -> ResultType {
    guard let typed = object as? ResultType else {
      ProgrammerError.stop(
        "The results controller for \(fetchRequest.entityName ?? "") is declared to have \(ResultType.self), and found \(type(of: object))."
      )
    }
    return typed
  }
}

/// A controller of any result type.
protocol ResultsController: AnyObject {
  var core: ResultsCore { get }
}

extension NSFetchedResultsController: ResultsController {}
