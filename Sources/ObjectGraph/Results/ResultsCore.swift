internal import Foundation
internal import Schema

/// What controllers of one set of results share: the typed one that the program made, and the erased ones that its
/// delegate is passed.
final class ResultsCore: @unchecked Sendable {
  // unchecked: belongs to the context's queue, on which the notifications that it listens to are posted.
  let request: any FetchSettingsHolder
  let context: NSManagedObjectContext
  let sectionKeyPath: String?
  let cacheName: String?
  private(set) weak var delegate: (any NSFetchedResultsControllerDelegate)?
  /// Methods that the delegate turned out not to have.
  var missing = DelegateMethods()
  private(set) var results = ResultList()
  private(set) var hasFetched = false
  /// The ids that the delegate was last told.
  private var toldIDs: [NSManagedObjectID] = []
  private var observers: [any NSObjectProtocol] = []
  private var isTelling = false
  private var waiting: Set<NSManagedObject>?
  private var isReset = false

  init(
    request: any FetchSettingsHolder, context: NSManagedObjectContext, sectionKeyPath: String?, cacheName: String?
  ) {
    self.request = request
    self.context = context
    self.sectionKeyPath = sectionKeyPath
    self.cacheName = cacheName
  }

  deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

  func setDelegate(_ delegate: (any NSFetchedResultsControllerDelegate)?) {
    self.delegate = delegate
    missing = DelegateMethods()
    observe()
  }

  // MARK: fetching

  func performFetch() throws {
    results = try fetch()
    hasFetched = true
    isReset = false
    toldIDs = results.ids
    observe()
    tellSnapshot(reloaded: [])
  }

  private func fetch() throws -> ResultList {
    let settings: FetchSettings = request.settings
    let name: String = settings.entityName ?? settings.entity?.name ?? "no entity"
    guard settings.sortDescriptors?.isEmpty == false else {
      throw GraphError.make(
        NSCoreDataError, "The fetched results controller for \(name) needs a fetch request with a sort descriptor.")
    }
    guard settings.resultType == .managedObjectResultType else {
      throw GraphError.make(
        NSCoreDataError,
        "The fetched results controller for \(name) needs a fetch request that returns objects: set its resultType.")
    }
    let found: [Any] = try context.results(of: settings, affectedStores: request.affectedStores)
    return try ResultList(found.compactMap { $0 as? NSManagedObject }, sectionKeyPath: sectionKeyPath, entity: name)
  }

  // MARK: following

  private func observe() {
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
    observers = []
    guard delegate != nil, hasFetched else { return }
    let center: NotificationCenter = .default
    observers = [
      center.addObserver(forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil) {
        [weak self] note in self?.objectsDidChange(note)
      },
      center.addObserver(forName: .NSManagedObjectContextDidSave, object: context, queue: nil) {
        [weak self] _ in self?.didSave()
      },
    ]
  }

  private func objectsDidChange(_ note: Notification) {
    let info: [AnyHashable: Any] = note.userInfo ?? [:]
    if info[NSInvalidatedAllObjectsKey] != nil {
      isReset = true
      return update(touched: [])
    }
    func objects(_ key: String) -> Set<NSManagedObject> { info[key] as? Set<NSManagedObject> ?? [] }
    let changed: Set<NSManagedObject> =
      objects(NSUpdatedObjectsKey).union(objects(NSRefreshedObjectsKey)).union(objects(NSInvalidatedObjectsKey))
    let others: Set<NSManagedObject> = objects(NSInsertedObjectsKey).union(objects(NSDeletedObjectsKey))
    guard !isReset, concerns(changed) || concerns(others) else { return }
    update(touched: changed)
  }

  /// Whether any of the objects is of the entity that is fetched, or could decide about one that is.
  private func concerns(_ objects: Set<NSManagedObject>) -> Bool {
    guard let name = request.settings.entityName ?? request.settings.entity?.name else { return false }
    return objects.contains { object in
      var entity: Int? = object.info.index
      while let index = entity {
        if object.info.schema.entities[index].name == name { return true }
        entity = object.info.schema.entities[index].superentity
      }
      return false
    }
  }

  /// Looks again, and tells what is different.
  private func update(touched: Set<NSManagedObject>) {
    if isTelling {
      // The delegate has changed something while it was told: one thing after the other.
      waiting = (waiting ?? []).union(touched)
      return
    }
    isTelling = true
    defer { isTelling = false }
    var touched: Set<NSManagedObject> = touched
    while true {
      waiting = nil
      let before: ResultList = results
      results = isReset ? ResultList() : fetchAgain()
      tell(ResultChanges(from: before, to: results, touched: touched))
      guard let more = waiting else { return }
      touched = more
    }
  }

  private func fetchAgain() -> ResultList {
    do { return try fetch() } catch {
      if (error as NSError).code == NSCoreDataError {
        ProgrammerError.stop("The results can't be kept up to date. \(error.localizedDescription)")
      }
      // The store was removed or can't be read: what is not there can't be listed.
      return ResultList()
    }
  }

  /// New objects have their permanent ids now; whoever goes by ids has to know.
  private func didSave() {
    guard !isTelling, results.ids != toldIDs else { return }
    isTelling = true
    defer { isTelling = false }
    var changes = ResultChanges()
    changes.before = toldIDs
    changes.after = results.ids
    guard !tellSnapshot(reloaded: []) else { return }
    tellDifference(changes)
  }

  // MARK: telling

  private func tell(_ changes: ResultChanges) {
    guard !changes.isEmpty else { return }
    if tellSnapshot(reloaded: changes.reloaded) || tellDifference(changes) { return }
    guard let delegate else { return }
    let controller = facade()
    delegate.controllerWillChangeContent(controller)
    for section in changes.deletedSections {
      let info = SectionInfo(name: section.name, indexTitle: indexTitle(section.name), members: section.objects)
      delegate.controller(controller, didChange: info, atSectionIndex: section.index, for: .delete)
    }
    for section in changes.insertedSections {
      let info = SectionInfo(name: section.name, indexTitle: indexTitle(section.name), members: section.objects)
      delegate.controller(controller, didChange: info, atSectionIndex: section.index, for: .insert)
    }
    for change in changes.objects {
      delegate.controller(
        controller, didChange: change.object, at: change.from, for: change.type, newIndexPath: change.to)
    }
    delegate.controllerDidChangeContent(controller)
    toldIDs = results.ids
  }

  /// - Returns: whether the delegate takes snapshots.
  @discardableResult
  private func tellSnapshot(reloaded: [NSManagedObjectID]) -> Bool {
    guard let delegate, !missing.contains(.snapshot) else { return false }
    let snapshot = NSDiffableDataSourceSnapshotReference()
    for section in results.sections {
      snapshot.appendSections(withIdentifiers: [section.name])
      let ids: [NSManagedObjectID] = results.objects[section.range].map { $0.objectID }
      snapshot.appendItems(withIdentifiers: ids, intoSectionWithIdentifier: section.name)
    }
    snapshot.reloadItems(withIdentifiers: reloaded)
    delegate.controller(facade(), didChangeContentWith: snapshot)
    guard !missing.contains(.snapshot) else { return false }
    toldIDs = results.ids
    return true
  }

  /// - Returns: whether the delegate takes differences.
  @discardableResult
  private func tellDifference(_ changes: ResultChanges) -> Bool {
    guard let delegate, sectionKeyPath == nil, !missing.contains(.difference) else { return false }
    var told: ResultChanges = changes
    told.before = toldIDs
    delegate.controller(facade(), didChangeContentWith: told.difference())
    guard !missing.contains(.difference) else { return false }
    toldIDs = results.ids
    return true
  }

  private func facade() -> NSFetchedResultsController<any NSFetchRequestResult> {
    let erased = NSFetchRequest<any NSFetchRequestResult>()
    erased.settings = request.settings
    erased.affectedStores = request.affectedStores
    return NSFetchedResultsController<any NSFetchRequestResult>(core: self, request: erased)
  }

  // MARK: sections

  func sectionInfos() -> [any NSFetchedResultsSectionInfo] {
    results.sections.map { section in
      SectionInfo(
        name: section.name, indexTitle: indexTitle(section.name), members: Array(results.objects[section.range]))
    }
  }

  func indexTitle(_ name: String) -> String? {
    if let delegate, !missing.contains(.indexTitle) {
      let title: String? = delegate.controller(facade(), sectionIndexTitleForSectionName: name)
      if !missing.contains(.indexTitle) { return title }
    }
    return name.first.map { String($0).uppercased() }
  }

  var indexTitles: [String] {
    var seen = Set<String>()
    return results.sections.compactMap { indexTitle($0.name) }.filter { seen.insert($0).inserted }
  }

  func section(forIndexTitle title: String) -> Int? {
    results.sections.firstIndex { indexTitle($0.name) == title }
  }
}

/// Methods of a delegate that it may lack.
struct DelegateMethods: OptionSet {
  let rawValue: Int
  static let snapshot = DelegateMethods(rawValue: 1)
  static let difference = DelegateMethods(rawValue: 2)
  static let indexTitle = DelegateMethods(rawValue: 4)
}

/// A section as it is handed out.
struct SectionInfo: NSFetchedResultsSectionInfo {
  let name: String
  let indexTitle: String?
  let members: [NSManagedObject]
  var numberOfObjects: Int { members.count }
  var objects: [Any]? { members }
}
