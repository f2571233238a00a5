internal import Foundation
internal import Model
internal import Schema
internal import StoreContract

extension NSManagedObjectContext {
  /// Executes a fetch request. Pending changes are processed first, and count unless the request says otherwise.
  ///
  /// - Returns: what the request's `resultType` says, in its order. Objects that the context has already are the same
  ///   instances and keep the values they have.
  /// - Throws: 134050 and the like for a store that can't be read; an error naming entity and key for a predicate or
  ///   sort descriptor that does not fit the entity; an error naming an option that is not supported.
  public final func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] {
    let found: Fetched = try fetched(request.settings, affectedStores: request.affectedStores)
    if case .objects(let objects) = found, let typed = Self.typed(objects, T.self) { return typed }
    let results: [Any] = found.results
    if let typed = results as? [T] { return typed }
    let strange: Any = results.first { !($0 is T) } ?? results
    ProgrammerError.stop(
      "The fetch request for \(request.entityName ?? "") is declared to return \(T.self), and found \(type(of: strange)): the result type or the entity's class in the model does not fit."
    )
  }

  /// Objects as the class that the request is declared to return; `nil` when they are something else. A cast of each
  /// would cost as much as making it, so objects are asked for their class once for each class.
  private static func typed<T>(_ objects: [NSManagedObject], _: T.Type) -> [T]? {
    guard T.self is NSManagedObject.Type else { return nil }
    var known: ObjectIdentifier?
    for object in objects {
      let itsClass = ObjectIdentifier(type(of: object))
      if itsClass == known { continue }
      guard object is T else { return nil }
      known = itsClass
    }
    // unsafe: T is a class, and every element is an object of it, as was just seen.
    return objects.map { unsafeBitCast($0, to: T.self) }
  }

  /// What a fetch found.
  enum Fetched {
    case objects([NSManagedObject])
    case values([Any])

    var results: [Any] {
      switch self {
      case .objects(let objects): objects
      case .values(let values): values
      }
    }
  }

  /// How many results a fetch of the request would return.
  ///
  /// - Throws: as `fetch(_:)`.
  public final func count<T>(for request: NSFetchRequest<T>) throws -> Int {
    processChanges()
    return try FetchRun(context: self, settings: request.settings, affectedStores: request.affectedStores).count()
  }

  final func results(
    of settings: FetchSettings, affectedStores: [NSPersistentStore]?, variables: [String: Any] = [:]
  ) throws -> [Any] {
    try fetched(settings, affectedStores: affectedStores, variables: variables).results
  }

  private func fetched(
    _ settings: FetchSettings, affectedStores: [NSPersistentStore]?, variables: [String: Any] = [:]
  ) throws -> Fetched {
    checkQueue()
    if settings.resultType != .dictionaryResultType {
      try settings.refuse([.propertiesToGroupBy, .havingPredicate], affectedStores: nil)
    } else {
      try settings.refuse([])
    }
    processChanges()
    let run = try FetchRun(
      context: self, settings: settings, affectedStores: affectedStores, variables: variables)
    if settings.resultType == .countResultType { return .values([NSNumber(value: try run.count())]) }
    if settings.resultType == .dictionaryResultType { return .values(try run.dictionaries()) }
    let found: [FetchRun.Found] = try run.keys()
    switch settings.resultType {
    case .managedObjectIDResultType:
      var ids: [NSManagedObjectID] = []
      for part in found { ids += part.keys.compactMap { id(of: $0, in: part.place) } }
      return .values(ids)
    case .managedObjectResultType:
      defer { tellStoresOfObjects() }
      return .objects(try objects(found, settings))
    default:
      throw GraphError.make(
        NSPersistentStoreUnsupportedRequestTypeError,
        "The fetch request for \(run.info.entity.name) asks for several result types at once: choose one.")
    }
  }

  private func id(of key: ObjectKey, in place: StorePlaceInContext) -> NSManagedObjectID? {
    if key.isTemporary { return registry.temporaryObject(key)?.objectID }
    if let known = place.object(for: key) { return known.objectID }
    return place.info(of: key).map { NSManagedObjectID(key: key, info: $0, store: place.store) }
  }

  private func objects(_ found: [FetchRun.Found], _ settings: FetchSettings) throws -> [NSManagedObject] {
    var objects: [NSManagedObject] = []
    objects.reserveCapacity(found.reduce(0) { $0 + $1.keys.count })
    for part in found {
      for key in part.keys {
        guard let object = key.isTemporary ? registry.temporaryObject(key) : object(for: key, in: part.place) else {
          continue
        }
        objects.append(object)
        if settings.returnsObjectsAsFaults, !settings.shouldRefreshRefetchedObjects { continue }
        try read(object, part, isRefreshing: settings.shouldRefreshRefetchedObjects)
      }
    }
    return objects
  }

  /// Gives a fetched object its values with the fetch.
  private func read(_ object: NSManagedObject, _ part: FetchRun.Found, isRefreshing: Bool) throws {
    let isClean: Bool = object.place != nil && !object.hasChanges
    guard isClean, isRefreshing || object.isFault else { return }
    do {
      guard let row = try part.view.row(for: object.key), row.version != object.version || object.isFault else {
        return
      }
      if !object.isFault { turnIntoFault(object) }
      fulfil(object, with: row)
    } catch {
      throw GraphError.wrapping(error, during: .fetch, store: part.place.store.storeName)
    }
  }
}
