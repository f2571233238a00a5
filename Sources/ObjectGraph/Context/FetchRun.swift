internal import Foundation
internal import Model
internal import Predicates
internal import Schema
internal import StoreContract

/// One fetch request on its way through a context: bound to each store, laid over with pending changes, cut to its
/// window.
struct FetchRun {
  let context: NSManagedObjectContext
  let settings: FetchSettings
  let variables: [String: Any]
  let info: EntityInfo
  /// Whether it reads the newest state of each store, whatever the context is pinned to.
  var readsNewest = false
  let stores: [NSPersistentStore]
  /// Filled with what the store did, when somebody wants to know.
  var report: FetchReport?

  init(
    context: NSManagedObjectContext, settings: FetchSettings, affectedStores: [NSPersistentStore]?,
    variables: [String: Any] = [:]
  ) throws {
    self.context = context
    self.settings = settings
    self.variables = variables
    guard let coordinator = context.settings.coordinator else {
      throw GraphError.make(
        NSPersistentStoreOperationError,
        "The context '\(context.name ?? "")' has no coordinator to fetch from: set persistentStoreCoordinator first.")
    }
    info = try Self.entity(of: settings, in: context)
    let all: [NSPersistentStore] = try coordinator.requireStores(holding: info.index)
    stores = affectedStores.map { wanted in all.filter { store in wanted.contains { $0 === store } } } ?? all
  }

  private static func entity(of settings: FetchSettings, in context: NSManagedObjectContext) throws -> EntityInfo {
    if let description = settings.entity { return context.entityInfo(of: description) }
    guard let name = settings.entityName else {
      throw GraphError.make(NSPersistentStoreOperationError, "The fetch request names no entity: set its entity.")
    }
    guard let info = context.modelInfo.entitiesByName[name] else {
      ProgrammerError.stop("The fetch request asks for the entity '\(name)', which is not in the context's model.")
    }
    return info
  }

  /// What was found in one store; of several stores whose results are in one order, a part of it.
  struct Found {
    let place: StorePlaceInContext
    let view: any StoreView
    /// The view, or what lies over it where pending changes decide.
    let source: any ObjectSource
    let sort: [BoundSort]
    var keys: [ObjectKey]

    init(
      place: StorePlaceInContext, view: any StoreView, source: (any ObjectSource)? = nil, sort: [BoundSort] = [],
      keys: [ObjectKey]
    ) {
      self.place = place
      self.view = view
      self.source = source ?? view
      self.sort = sort
      self.keys = keys
    }
  }

  /// The keys of what the request asks for, in its order and within its window.
  func keys() throws -> [Found] {
    var found: [Found] = []
    for store in stores {
      guard let place = context.place(for: store) else { continue }
      found.append(try keys(in: place, isOnly: stores.count == 1))
    }
    guard found.count > 1 else { return found }
    return try reading(found[0].place.store) { () throws(StoreError) -> [Found] in
      try StoreMerge(found, offset: settings.fetchOffset, limit: settings.fetchLimit).results()
    }
  }

  func count() throws -> Int {
    if stores.count == 1, let place = context.place(for: stores[0]), let backend = stores[0].backend {
      let bound: Bound = try bind(for: place, backend)
      if bound.candidates.isEmpty, !bound.needsOverlay, let view = try view(of: place) {
        return try reading(stores[0]) { () throws(StoreError) -> Int in
          try view.count(for: bound.plan)
        }
      }
    }
    return try keys().reduce(0) { $0 + $1.keys.count }
  }

  func notExecutable(_ error: QueryError) -> any Error {
    GraphError.make(
      NSPersistentStoreOperationError,
      "The fetch request for \(info.entity.name) can't be executed: \(error)", underlying: error)
  }

  private struct Bound {
    var plan: FetchPlan
    /// Objects with pending changes that may be among the results.
    var candidates: [NSManagedObject]
    /// Whether pending changes of other objects may decide.
    var needsOverlay: Bool
  }

  private func bind(for place: StorePlaceInContext, _ backend: any ObjectStore) throws -> Bound {
    let binder = PredicateBinder(schema: info.schema, entity: info.index, store: backend.identifier)
    var plan = FetchPlan(
      entity: info.index, includesSubentities: settings.includesSubentities, limit: settings.fetchLimit,
      offset: settings.fetchOffset)
    var readsBeyond = false
    do {
      if let predicate = settings.predicate {
        let bound: BoundPredicate = try binder.bind(predicate, variables: variables)
        plan.predicate = bound
        readsBeyond = bound.dependencies.readsBeyondRow
      }
      for descriptor in settings.sortDescriptors ?? [] {
        let bound: BoundSort = try binder.bind(descriptor)
        plan.sort.append(bound)
        readsBeyond = readsBeyond || bound.dependencies.readsBeyondRow
      }
    } catch {
      throw notExecutable(error)
    }
    guard settings.includesPendingChanges, settings.resultType != .dictionaryResultType else {
      return Bound(plan: plan, candidates: [], needsOverlay: false)
    }
    let relevant: [NSManagedObject] = context.pending.filter { isCandidate($0, in: place) }
    let needsOverlay: Bool = readsBeyond && context.pending.contains { $0.hasPendingChanges }
    return Bound(plan: plan, candidates: relevant, needsOverlay: needsOverlay)
  }

  private func isCandidate(_ object: NSManagedObject, in place: StorePlaceInContext) -> Bool {
    guard object.hasPendingChanges else { return false }
    guard
      settings.includesSubentities
        ? info.schema.isKind(object.info.index, of: info.index) : object.info.index == info.index
    else { return false }
    if let itsPlace = object.place ?? object.state?.promisedPlace { return itsPlace === place }
    // A new object will go to the first store that takes it.
    return stores.first === place.store
  }

  private func keys(in place: StorePlaceInContext, isOnly: Bool) throws -> Found {
    guard let backend = place.store.backend else {
      throw removed(place)
    }
    let bound: Bound = try bind(for: place, backend)
    guard let view = try view(of: place) else { throw removed(place) }
    if variables.isEmpty { (view as? IncrementalView)?.request = settings }
    return try reading(place.store) { () throws(StoreError) -> Found in
      var plan: FetchPlan = bound.plan
      if !isOnly {
        plan.limit = plan.limit == 0 ? 0 : plan.limit + plan.offset
        plan.offset = 0
      }
      if bound.candidates.isEmpty, !bound.needsOverlay {
        let keys: [ObjectKey] = try view.keys(for: plan, overlay: nil, report: report)
        return Found(place: place, view: view, sort: plan.sort, keys: keys)
      }
      let overlay = ContextOverlay(context: context, place: place, view: view)
      let keys: [ObjectKey] = try overlaid(plan, bound, view, overlay)
      return Found(place: place, view: view, source: overlay, sort: plan.sort, keys: keys)
    }
  }

  /// What lies below the context: without pending changes of ancestors where the request wants none, or dictionaries.
  func view(of place: StorePlaceInContext) throws -> (any StoreView)? {
    if readsNewest {
      guard let backend = place.store.backend else { return nil }
      return try reading(place.store) { () throws(StoreError) -> any StoreView in try backend.currentView() }
    }
    let isCommitted: Bool = !settings.includesPendingChanges || settings.resultType == .dictionaryResultType
    return isCommitted ? try context.committedView(of: place) : try context.view(of: place)
  }

  func removed(_ place: StorePlaceInContext) -> any Error {
    GraphError.make(
      NSPersistentStoreOperationError, "The store \(place.store.storeName) was removed from its coordinator.")
  }

  /// The keys of a plan with pending changes counted in.
  private func overlaid(
    _ plan: FetchPlan, _ bound: Bound, _ view: any StoreView, _ overlay: ContextOverlay
  ) throws(StoreError) -> [ObjectKey] {
    var wide: FetchPlan = plan
    wide.offset = 0
    // As many more as pending changes could push out.
    if plan.limit > 0 { wide.limit = plan.offset + plan.limit + bound.candidates.count }
    var keys: [ObjectKey] = try view.keys(
      for: wide, overlay: bound.needsOverlay ? overlay : nil, report: report)
    if !bound.needsOverlay { keys.removeAll { overlay.isChanged($0) } }
    let sorter = RowOrder(sort: plan.sort, source: overlay)
    for object in bound.candidates where !object.isDeleted {
      let row: Row = try object.pendingRow()
      if let predicate = plan.predicate, try !predicate.matches(row, in: overlay) { continue }
      keys.insert(object.key, at: try sorter.position(of: row, in: keys))
    }
    let start: Int = min(plan.offset, keys.count)
    let end: Int = plan.limit == 0 ? keys.count : min(start + plan.limit, keys.count)
    return Array(keys[start..<end])
  }

  func reading<Result>(
    _ store: NSPersistentStore, _ body: () throws(StoreError) -> Result
  ) throws -> Result {
    do { return try body() } catch { throw GraphError.wrapping(error, during: .fetch, store: store.storeName) }
  }
}

/// The order of a fetch, over rows: its sort descriptors, then keys.
struct RowOrder {
  let sort: [BoundSort]
  let source: any ObjectSource

  /// Where a row belongs among keys that are in order.
  func position(of row: Row, in keys: [ObjectKey]) throws(StoreError) -> Int {
    var low: Int = 0
    var high: Int = keys.count
    while low < high {
      let middle: Int = (low + high) / 2
      if try isOrdered(keys[middle], before: row) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func isOrdered(_ key: ObjectKey, before row: Row) throws(StoreError) -> Bool {
    if !sort.isEmpty, let other = try source.row(for: key) {
      for descriptor in sort {
        let order: Int = try descriptor.compare(other, row, in: source)
        if order != 0 { return order < 0 }
      }
    }
    return key < row.key
  }
}
