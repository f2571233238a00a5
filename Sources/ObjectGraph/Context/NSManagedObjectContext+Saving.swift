internal import Foundation
internal import Schema
internal import StoreContract

extension NSManagedObjectContext {
  /// How often a merge policy may be asked in one save before it counts as not resolving anything.
  private static let conflictRoundsMax = 10
  /// How often `willSave` may change things in one save before it counts as never ending.
  private static let willSaveRoundsMax = 1000

  final func performSave() throws {
    checkQueue()
    guard !events.isSaving else {
      ProgrammerError.stop("The context '\(name ?? "")' is saving already: don't call save() in willSave or didSave.")
    }
    guard let coordinator = settings.coordinator else {
      throw GraphError.make(
        NSPersistentStoreSaveError,
        "The context '\(name ?? "")' has no coordinator to save to: set persistentStoreCoordinator first.")
    }
    events.isSaving = true
    defer {
      events.isSaving = false
      if !event.isEmpty { scheduleEventEnd() }
    }
    NotificationCenter.default.post(name: .NSManagedObjectContextWillSave, object: self)
    processPendingChanges()
    let saved: SaveSummary
    if hasChanges || !checked.isEmpty {
      try prepareToSave()
      saved = try above.map { try pushPending(to: $0) } ?? commitPending(to: coordinator)
    } else {
      saved = SaveSummary()
    }
    pending.removeAll { !$0.flags.contains(.tracked) }
    advanceGeneration()
    saved.tellObjects()
    saved.post(from: self)
    for object in saved.deleted { detach(object) }
    tellStoresOfObjects()
  }

  /// Lets objects have their last word, and checks them.
  private func prepareToSave() throws {
    for round in 0... {
      let untold: [NSManagedObject] = pending.filter { $0.hasPendingChanges && !$0.flags.contains(.toldOfSave) }
      if untold.isEmpty { break }
      guard round < Self.willSaveRoundsMax else {
        ProgrammerError.stop(
          "\(untold[0].info.entity.name) \(untold[0].objectID) changes itself in every willSave, so that a save never ends: set a property there only when its value differs."
        )
      }
      for object in untold {
        object.flags.insert(.toldOfSave)
        object.willSave()
      }
      processPendingChanges()
    }
    try validatePending()
  }

  private func validatePending() throws {
    var problems: [any Error] = []
    for object in pending where object.hasPendingChanges {
      do {
        if object.isDeleted {
          try object.validateForDelete()
        } else if object.isInserted {
          try object.validateForInsert()
        } else {
          try object.validateForUpdate()
        }
      } catch {
        problems += ValidationErrors.parts(of: error)
      }
    }
    try ValidationErrors.throwIfAny(problems)
  }

  /// Commits until all stores have accepted, or the merge policy gives up.
  private func commitPending(to coordinator: NSPersistentStoreCoordinator) throws -> SaveSummary {
    var summary = SaveSummary()
    for round in 0... {
      try takeKeysOfProgramStores(coordinator)
      let plan = try SavePlan(context: self, coordinator: coordinator)
      if plan.parts.isEmpty { try finishUnwritten(&summary) }
      guard !plan.parts.isEmpty else { return summary }
      let outcomes: [CommitOutcome] = try plan.commit(to: coordinator)
      var conflicts: [StoreConflict] = []
      for (part, outcome) in zip(plan.parts, outcomes) {
        switch outcome {
        case .committed(let receipt): try finish(part, receipt, &summary)
        case .conflicted(let found):
          conflicts = found
          guard round < Self.conflictRoundsMax else { throw unresolved(found, part) }
          try resolve(found, in: part.place)
        }
      }
      if conflicts.isEmpty {
        try finishUnwritten(&summary)
        return summary
      }
      // What the policy changed is checked like any other change.
      processPendingChanges()
      try validatePending()
    }
    return summary
  }

  private func unresolved(_ conflicts: [StoreConflict], _ part: SavePlan.Part) -> any Error {
    GraphError.make(
      NSManagedObjectMergeError,
      "Nothing was saved to \(part.place.store.storeName): the merge policy was asked \(Self.conflictRoundsMax) times and there are still \(conflicts.count) conflicts."
    )
  }

  /// Makes the objects of a committed part what the store now says they are.
  private func finish(_ part: SavePlan.Part, _ receipt: CommitReceipt, _ summary: inout SaveSummary) throws {
    summary.views.append((part.place, receipt.view))
    summary.promised.merge(part.promised) { first, _ in first }
    let promised: [ObjectKey: ObjectKey] = summary.promised
    for object in part.inserted {
      settle(object, in: part.place)
      if object.cachedID?.isTemporaryID == true { object.showPermanentID() }
    }
    for object in part.inserted + part.updated {
      guard !object.flags.contains(.deleted) else { continue }
      summary.note(object)
      let row: Row? = try receipt.view.row(for: object.key)
      clean(object, row: row, promised: promised)
    }
    for object in part.deleted {
      summary.note(object)
      object.flags.subtract([.tracked, .toldOfSave])
    }
    for object in checked { object.flags.remove(.checked) }
    checked = []
  }

  /// Gives a new object the key that the store has promised it.
  private func settle(_ object: NSManagedObject, in place: StorePlaceInContext) {
    guard object.key.isTemporary, let state = object.state, let key = state.promisedKey else { return }
    registry.remove(object)
    object.key = key
    object.place = place
    let temporary: NSManagedObjectID? = object.cachedID
    object.cachedID = nil
    temporary?.supersede(by: object.objectID)
    state.promisedKey = nil
    place.add(object)
    if retainsRegisteredObjects { retained[ObjectIdentifier(object)] = object }
  }

  /// Makes a saved object clean.
  final func clean(_ object: NSManagedObject, row: Row?, promised: [ObjectKey: ObjectKey]) {
    object.flags.subtract(.changed)
    object.flags.subtract([.tracked, .toldOfSave])
    if let state = object.state { state.settle(object.info, promised) }
    // A store that answered with a commit has the row; an object that only related ones changed may be a fault still.
    if let row, object.flags.contains(.realised) { object.adopt(row) } else { object.refreshDirect() }
    if !object.flags.contains(.inEvent) { object.endEvent() }
  }

  /// Objects that count as changed but of which there was nothing to write.
  final func finishUnwritten(_ summary: inout SaveSummary) throws {
    for object in pending where object.flags.contains(.tracked) {
      // Objects that turned out to be gone are nobody's news.
      if !object.flags.contains(.inaccessible) {
        guard !object.isInserted, !object.isDeleted else { continue }
        summary.note(object)
      }
      clean(object, row: try summary.row(of: object), promised: summary.promised)
    }
  }
}

/// Which objects a save has saved, for those who want to know.
struct SaveSummary {
  private(set) var inserted: [NSManagedObject] = []
  private(set) var updated: [NSManagedObject] = []
  private(set) var deleted: [NSManagedObject] = []
  /// What the stores were like after the commits.
  var views: [(place: StorePlaceInContext, view: any StoreView)] = []
  /// The keys that new objects have now, by their temporary ones.
  var promised: [ObjectKey: ObjectKey] = [:]

  mutating func note(_ object: NSManagedObject) {
    if object.isDeleted {
      deleted.append(object)
    } else if object.isInserted {
      inserted.append(object)
    } else {
      updated.append(object)
    }
  }

  /// The row of an object of which nothing was written, in case a derived value of it has changed.
  func row(of object: NSManagedObject) throws -> Row? {
    guard object.flags.contains(.realised), let view = views.first(where: { $0.place === object.place })?.view else {
      return nil
    }
    return try view.row(for: object.key)
  }

  func tellObjects() {
    for object in inserted { object.didSave() }
    for object in updated { object.didSave() }
    for object in deleted { object.didSave() }
  }

  func post(from context: NSManagedObjectContext) {
    var objects: [AnyHashable: Any] = [:]
    var ids: [AnyHashable: Any] = [:]
    func add(_ list: [NSManagedObject], _ key: String, _ idKey: String) {
      guard !list.isEmpty else { return }
      objects[key] = Set<NSManagedObject>(list)
      // Made now: observers on other threads may ask an object for nothing but its id.
      ids[idKey] = Set<NSManagedObjectID>(list.map { $0.objectID })
    }
    add(inserted, NSInsertedObjectsKey, NSInsertedObjectIDsKey)
    add(updated, NSUpdatedObjectsKey, NSUpdatedObjectIDsKey)
    add(deleted, NSDeletedObjectsKey, NSDeletedObjectIDsKey)
    let center: NotificationCenter = .default
    center.post(name: .NSManagedObjectContextDidSave, object: context, userInfo: objects)
    center.post(name: .NSManagedObjectContextDidSaveObjectIDs, object: context, userInfo: ids)
  }
}

extension ObjectState {
  /// After a save: what the object owned is in its row now. Transient values stay.
  func settle(_ info: EntityInfo, _ promised: [ObjectKey: ObjectKey]) {
    if info.transients.isEmpty {
      values = []
      objects = [:]
    } else {
      for property in values.indices where info.hasSlot[property] { values[property] = nil }
      objects = objects.filter { info.transients.contains($0.key) }
    }
    overlayRow = nil
    touched = PropertyBits()
    promisedPlace = nil
    openChanges = []
    for index in members.indices { members[index]?.settle { promised[$0] ?? $0 } }
  }
}
