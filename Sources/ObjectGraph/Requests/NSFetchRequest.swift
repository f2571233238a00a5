public import Foundation
public import Model

/// What to fetch: which entity's objects, which of them, in which order, and how to return them.
///
/// The entity named is looked up when the request is executed. `ResultType` is not constrained: see
/// `NSFetchRequestResult`. Not to be changed while it is executed.
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest, FetchSettingsHolder {
  package var settings: FetchSettings = FetchSettings()

  /// A request without an entity: set `entity` before it is executed.
  public override init() { super.init() }

  /// - Parameter entityName: looked up in the model of the context that executes the request.
  public init(entityName: String) {
    super.init()
    settings.entityName = entityName
  }

  open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// The entity; `nil` while only its name is known.
  open var entity: NSEntityDescription? {
    get { settings.entity }
    set {
      settings.entity = newValue
      settings.entityName = newValue?.name
    }
  }

  /// Name of the entity.
  open var entityName: String? { settings.entityName }

  /// Which objects: all of the entity's when `nil`.
  open var predicate: NSPredicate? {
    get { settings.predicate }
    set { settings.predicate = newValue }
  }

  /// The order of the results; any order when `nil` or empty.
  open var sortDescriptors: [NSSortDescriptor]? {
    get { settings.sortDescriptors }
    set { settings.sortDescriptors = newValue }
  }

  /// The most objects to return; 0, the default, for all.
  open var fetchLimit: Int {
    get { settings.fetchLimit }
    set { settings.fetchLimit = newValue }
  }

  /// How many of the first matches to leave out.
  open var fetchOffset: Int {
    get { settings.fetchOffset }
    set { settings.fetchOffset = newValue }
  }

  /// How many objects' rows to read at a time; 0, the default, leaves it to the store. Changes no result.
  open var fetchBatchSize: Int {
    get { settings.fetchBatchSize }
    set { settings.fetchBatchSize = newValue }
  }

  /// Whether objects of sub-entities match too: true by default.
  open var includesSubentities: Bool {
    get { settings.includesSubentities }
    set { settings.includesSubentities = newValue }
  }

  /// Whether objects come back as faults: true by default.
  open var returnsObjectsAsFaults: Bool {
    get { settings.returnsObjectsAsFaults }
    set { settings.returnsObjectsAsFaults = newValue }
  }

  /// Whether rows are read along with ids: true by default. Changes no result.
  open var includesPropertyValues: Bool {
    get { settings.includesPropertyValues }
    set { settings.includesPropertyValues = newValue }
  }

  /// Whether unsaved changes of the context count: true by default.
  open var includesPendingChanges: Bool {
    get { settings.includesPendingChanges }
    set { settings.includesPendingChanges = newValue }
  }

  /// Whether objects that the context already has take newer values from the store: false by default.
  open var shouldRefreshRefetchedObjects: Bool {
    get { settings.shouldRefreshRefetchedObjects }
    set { settings.shouldRefreshRefetchedObjects = newValue }
  }

  /// Relationships whose members should be read along. Changes no result.
  open var relationshipKeyPathsForPrefetching: [String]? {
    get { settings.relationshipKeyPathsForPrefetching }
    set { settings.relationshipKeyPathsForPrefetching = newValue }
  }

  /// What to return for each object found.
  open var resultType: NSFetchRequestResultType {
    get { settings.resultType }
    set { settings.resultType = newValue }
  }

  /// With dictionaries: whether equal ones are returned once.
  open var returnsDistinctResults: Bool {
    get { settings.returnsDistinctResults }
    set { settings.returnsDistinctResults = newValue }
  }

  /// With dictionaries: names, `NSPropertyDescription`s and `NSExpressionDescription`s to put into them.
  open var propertiesToFetch: [Any]? {
    get { settings.propertiesToFetch }
    set { settings.propertiesToFetch = newValue }
  }

  /// With dictionaries: names and `NSPropertyDescription`s to group by.
  open var propertiesToGroupBy: [Any]? {
    get { settings.propertiesToGroupBy }
    set { settings.propertiesToGroupBy = newValue }
  }

  /// With groups: which of them to return.
  open var havingPredicate: NSPredicate? {
    get { settings.havingPredicate }
    set { settings.havingPredicate = newValue }
  }

  package func results(in context: NSManagedObjectContext) throws -> [Any] { try context.fetch(self) }

  package override class func blank() -> NSPersistentStoreRequest { NSFetchRequest<ResultType>() }

  package override func copyOptions(to copy: NSPersistentStoreRequest) {
    super.copyOptions(to: copy)
    (copy as? NSFetchRequest<ResultType>)?.settings = settings
  }

  open override var description: String {
    let kind: String = settings.entityName ?? "no entity"
    let filter: String = settings.predicate.map { " where \($0.description)" } ?? ""
    return "<NSFetchRequest: \(kind)\(filter), limit \(settings.fetchLimit), offset \(settings.fetchOffset)>"
  }
}

/// A fetch request of any result type: how code that was handed an `NSPersistentStoreRequest` reads it.
package protocol FetchSettingsHolder: NSPersistentStoreRequest {
  var settings: FetchSettings { get set }
  /// Executes it in a context, whatever its results are.
  func results(in context: NSManagedObjectContext) throws -> [Any]
}
