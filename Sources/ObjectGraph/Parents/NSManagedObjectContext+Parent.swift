internal import Foundation
internal import Schema
internal import StoreContract

// A child context reads what lies below it from its parent: rows and members of single objects as the parent has them
// now, fetches over a `ParentView`. Between contexts of a chain objects go by the keys that their store has reserved
// for them, also new ones, whose ids stay temporary until the root saves.
extension NSManagedObjectContext {
  /// Makes another context the one that this one fetches from and saves to.
  final func adopt(parent: NSManagedObjectContext?) {
    guard parent !== above else { return }
    if let parent { checkLink(to: parent) }
    if above != nil { reset() }
    above = parent
    settings.parent = parent
    knownModel = nil
    entityByClass = [:]
    places = []
    observeSiblings()
  }

  private func checkLink(to parent: NSManagedObjectContext) {
    guard settings.ownCoordinator == nil else {
      ProgrammerError.stop(
        "The context '\(name ?? "")' has a coordinator already: a context has either a coordinator or a parent.")
    }
    guard parent.kind != .confinementConcurrencyType, kind != .confinementConcurrencyType else {
      ProgrammerError.stop(
        "A context of the confinement type can be neither parent nor child: make '\((parent.kind == .confinementConcurrencyType ? parent.name : name) ?? "")' with a private or the main queue."
      )
    }
    var ancestor: NSManagedObjectContext? = parent
    while let context = ancestor {
      if context === self { ProgrammerError.stop("The context '\(name ?? "")' can't be its own ancestor.") }
      ancestor = context.settings.parent
    }
  }

  // MARK: reading what lies below

  /// What lies below as fetches see it: the newest state of a store, with the pending changes of all ancestors.
  final func view(of place: StorePlaceInContext) throws -> (any StoreView)? {
    guard let above else { return try committedView(of: place) }
    return try above.performAndWait { try above.viewForChildren(of: place.store) }
  }

  /// The state of a store that the root of the chain reads: the newest, unless it is pinned to another. A store that
  /// can't be read stops the program where no error can be thrown.
  final func committedView(of place: StorePlaceInContext) throws -> (any StoreView)? {
    guard let above else { return try generationView(of: place.store) }
    return try above.performAndWait { try above.place(for: place.store).flatMap { try above.committedView(of: $0) } }
  }

  /// An object's row as it lies below; `nil` when there is none.
  final func rowBelow(_ key: ObjectKey, in place: StorePlaceInContext) throws -> Row? {
    guard let above else { return try committedView(of: place)?.row(for: key) }
    return try above.performAndWait { try above.rowForChildren(key, of: place.store) }
  }

  /// Members of a relationship as they lie below, in order if it is ordered.
  final func membersBelow(_ key: ObjectKey, _ property: Int, in place: StorePlaceInContext) throws -> [ObjectKey] {
    if let above { return try above.performAndWait { try above.membersForChildren(key, property, of: place.store) } }
    var members: [ObjectKey] = []
    try committedView(of: place)?.forEachMember(of: key, relationship: property) {
      (member: ObjectKey) throws(StoreError) -> Bool in
      members.append(member)
      return true
    }
    return members
  }

  // MARK: answering children, on this context's queue

  private func viewForChildren(of store: NSPersistentStore) throws -> (any StoreView)? {
    processChanges()
    try reserveKeys()
    guard let place = place(for: store), let base = try view(of: place) else { return nil }
    var rows: [ObjectKey: Row?] = [:]
    var members: [ParentView.Relationship: ParentView.Members] = [:]
    for object in pending where object.place === place && object.hasPendingChanges {
      rows[object.key] = object.isDeleted ? .some(nil) : try object.pendingRow()
      if !object.isDeleted { collectMembers(of: object, &members) }
    }
    return rows.isEmpty ? base : ParentView(base: base, rows: rows, members: members)
  }

  private func collectMembers(
    of object: NSManagedObject, _ members: inout [ParentView.Relationship: ParentView.Members]
  ) {
    guard let state = object.state, !state.members.isEmpty else { return }
    for (index, property) in object.info.toManyProperties.enumerated() {
      guard let changed = state.members[index], changed.hasChanges else { continue }
      members[ParentView.Relationship(owner: object.key, property: property)] = ParentView.Members(
        added: changed.added, removed: changed.removed, order: changed.isOrdered ? changed.order : nil)
    }
  }

  private func rowForChildren(_ key: ObjectKey, of store: NSPersistentStore) throws -> Row? {
    try reserveKeys()
    guard let place = place(for: store) else { return nil }
    guard let object = place.object(for: key) else { return try rowBelow(key, in: place) }
    if object.isDeleted { return nil }
    return object.isFault ? try rowBelow(key, in: place) : try object.pendingRow()
  }

  private func membersForChildren(
    _ key: ObjectKey, _ property: Int, of store: NSPersistentStore
  ) throws -> [ObjectKey] {
    try reserveKeys()
    guard let place = place(for: store) else { return [] }
    guard let object = place.object(for: key), let state = object.state, !state.members.isEmpty,
      state.members[object.info.toManyPlace[property]] != nil
    else { return try membersBelow(key, property, in: place) }
    return object.memberKeys(property)
  }

  // MARK: keys

  /// Gives new objects the keys they will have in their stores, as contexts of a chain know them by these. Their ids
  /// stay temporary.
  final func reserveKeys() throws {
    guard registry.hasTemporaryObjects else { return }
    let new: [NSManagedObject] = pending.filter { $0.isInserted && $0.key.isTemporary && !$0.isDeleted }
    guard !new.isEmpty else { return }
    for object in new { _ = object.objectID }
    try takeKeys(new) { object, temporary in
      guard let temporary, let place = object.place else { return }
      let permanent = NSManagedObjectID(key: object.key, info: object.info, store: place.store)
      temporary.promise(permanent)
      object.cachedID = temporary
      place.store.provisionalIDs.add(temporary, for: object.key)
    }
  }

  /// The id by which this context knows an object. A temporary one may be that of a new object of an ancestor.
  final func settled(_ id: NSManagedObjectID) -> NSManagedObjectID {
    let known: NSManagedObjectID = id.resolved
    guard known.isTemporaryID, above != nil, registry.temporaryObject(known.key) == nil else { return known }
    var ancestor: NSManagedObjectContext? = above
    while let context = ancestor {
      // Without a store there are no keys, and the id leads nowhere.
      ancestor = context.performAndWait {
        try? context.reserveKeys()
        return context.above
      }
    }
    return id.resolved
  }

  /// Moves new objects to the keys that their stores have promised them.
  ///
  /// - Parameter rename: given each object, which has its key by then, and the id it had, if one was made.
  final func takeKeys(
    _ objects: [NSManagedObject], rename: (NSManagedObject, NSManagedObjectID?) -> Void
  ) throws {
    guard let coordinator = settings.coordinator else {
      throw GraphError.make(
        NSPersistentStoreSaveError, "The context '\(name ?? "")' has no coordinator: it can't give out permanent ids.")
    }
    try promiseKeys(objects, coordinator: coordinator)
    var permanent: [ObjectKey: ObjectKey] = [:]
    for object in objects {
      guard let state = object.state, let key = state.promisedKey, let place = state.promisedPlace else { continue }
      permanent[object.key] = key
      let before: NSManagedObjectID? = object.cachedID
      registry.remove(object)
      object.key = key
      object.place = place
      object.cachedID = nil
      place.add(object)
      rename(object, before)
    }
    guard !permanent.isEmpty else { return }
    // Whoever refers to a new object has pending changes itself.
    for object in pending { object.state?.rekey(permanent) }
  }
}
