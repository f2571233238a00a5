internal import Foundation
internal import Schema
internal import StoreContract

extension NSManagedObjectContext {
  /// Makes an object show what its store holds now.
  ///
  /// - Parameters:
  ///   - object: one of this context's.
  ///   - flag: whether its pending changes are kept, laid over the newer values. Without changes, or when they are not
  ///     kept, it becomes a fault.
  public final func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
    checkQueue()
    guard object.registry === registry else {
      ProgrammerError.stop("\(object.objectID) can't be refreshed: it is not in the context '\(name ?? "")'.")
    }
    guard let place = object.place, !object.isInserted else { return }
    if flag, object.hasChanges {
      rebase(object, in: place)
    } else {
      if !flag { discardChanges(of: object) }
      turnIntoFault(object)
    }
    object.flags.insert(.refreshedInEvent)
    noteInEvent(object)
  }

  /// Refreshes all objects, keeping pending changes.
  public final func refreshAllObjects() {
    checkQueue()
    let objects: [NSManagedObject] = allObjects()
    completingInverses {
      for object in objects where !object.isInserted { refresh(object, mergeChanges: true) }
    }
  }

  /// Moves an object with pending changes onto the row that the store holds now.
  private func rebase(_ object: NSManagedObject, in place: StorePlaceInContext) {
    let row: Row?
    do { row = try rowBelow(object.key, in: place) } catch { return }
    guard let row else {
      // Changes of an object that is gone are left for the save to report; without any of its own it goes too.
      let isChanged: Bool = object.changedProperties().contains { property in
        let storage: RelationshipStorage = object.info.storage[property]
        return storage != .inverseOfRow && storage != .inverseOfLinks
      }
      guard !isChanged, !object.isDeleted else { return }
      pending.removeAll { $0 === object }
      revert(object)
      turnIntoFault(object)
      return
    }
    rebase(object, onto: row)
    if isRefreshingSeveral { rebased.append(object) } else { completeInverses(of: object) }
    object.awake(fromSnapshotEvents: .refresh)
  }

  /// Refreshes objects, and completes the inverses of those with pending changes once all show their newer values.
  final func completingInverses(_ body: () -> Void) {
    let isOutermost: Bool = !isRefreshingSeveral
    isRefreshingSeveral = true
    body()
    guard isOutermost else { return }
    isRefreshingSeveral = false
    let objects: [NSManagedObject] = rebased
    rebased = []
    for object in objects where object.registry === registry { completeInverses(of: object) }
  }

  /// Where a to-one relationship keeps its pending value over a newer one, both destinations have to know: what the
  /// newer row leads to does not lead back, what the pending value leads to does.
  final func completeInverses(of object: NSManagedObject) {
    guard let state = object.state, !state.values.isEmpty, !object.isDeleted else { return }
    registry.isCompletingInverses = true
    defer { registry.isCompletingInverses = false }
    for property in object.info.relationships where object.info.hasSlot[property] {
      guard let own = state.values[property],
        let inverse = object.info.entity.properties[property].relationship?.inverse
      else { continue }
      let saved: Value = object.savedValue(property)
      guard own != saved else { continue }
      if case .object(let key) = saved, let destination = object.resolve(key) {
        destination.inverseLost(object, inverse)
      }
      if case .object(let key) = own, let destination = object.resolve(key), !destination.isDeleted {
        destination.inverseGained(object, inverse)
      }
    }
  }

  /// Makes a row the snapshot of an object and keeps what setters have set to another value than the one saved.
  ///
  /// - Parameter keepsEverything: whether values that are as they were saved are kept as well.
  final func rebase(_ object: NSManagedObject, onto row: Row, keepsEverything: Bool = false) {
    forgetOwners(of: object, replacedBy: row)
    if let state = object.state {
      for property in state.values.indices where object.info.hasSlot[property] {
        let isChanged: Bool = keepsEverything || state.values[property] != object.savedValue(property)
        if state.touched.contains(property), isChanged { continue }
        state.values[property] = nil
        state.objects[property] = nil
      }
      state.overlayRow = nil
      for index in state.members.indices { state.members[index]?.forget(keepingChanges: true) }
    }
    object.adopt(row)
  }

  /// Where a newer row leads to another owner, those who list the object as a member have to look again.
  private func forgetOwners(of object: NSManagedObject, replacedBy row: Row) {
    guard object.row != nil else { return }
    for property in object.info.relationships where object.info.hasSlot[property] {
      let before: Value = object.savedValue(property)
      let after: Value = row.value(object.info.slots[property])
      guard before != after, let inverse = object.info.entity.properties[property].relationship?.inverse else {
        continue
      }
      for case .object(let key) in [before, after] {
        guard let owner = object.place?.object(for: key), owner.info.toManyPlace[inverse] >= 0,
          owner.state?.members.isEmpty == false
        else { continue }
        owner.withMembers(inverse) { $0.forget(keepingChanges: true) }
      }
    }
  }

  /// Lets an object's values go; they are read again when asked for.
  final func turnIntoFault(_ object: NSManagedObject) {
    let hadValues: Bool = object.flags.contains(.realised)
    if hadValues {
      object.flags.insert(.faulting)
      object.willTurnIntoFault()
    }
    object.setRow(nil)
    object.state = nil
    object.flags.subtract([.realised, .direct, .inaccessible])
    if hadValues {
      object.didTurnIntoFault()
      object.flags.remove(.faulting)
    }
  }

  /// Drops what was set on an object, on both sides of its relationships.
  private func discardChanges(of object: NSManagedObject) {
    guard object.flags.contains(.updated) else { return }
    object.revertRelationships()
    object.flags.subtract([.updated, .updatedInEvent, .toldOfSave])
    if !object.hasChanges {
      object.flags.remove(.tracked)
      pending.removeAll { $0 === object }
    }
  }

  /// Drops all pending changes: new objects go, deleted ones come back, changed ones are as they were last fetched or
  /// saved. The undo manager forgets all its steps.
  public final func rollback() {
    checkQueue()
    undoSupport?.manager.removeAllActions()
    undelivered.removeAll()
    let dropped: [NSManagedObject] = pending
    pending = []
    for object in dropped {
      object.endEvent()
      if object.isInserted {
        detach(object)
        object.flags.insert(.deletedInEvent)
      } else {
        revert(object)
        object.flags.insert(.refreshedInEvent)
        object.awake(fromSnapshotEvents: .rollback)
      }
      noteInEvent(object)
    }
    processPendingChanges()
  }

  /// Makes an object clean, as it was last fetched or saved.
  final func revert(_ object: NSManagedObject) {
    object.state = nil
    object.flags.subtract(.changed)
    object.flags.subtract([.tracked, .toldOfSave, .propagated])
    if object.flags.contains(.inaccessible) { object.flags.subtract([.inaccessible, .realised]) }
    object.refreshDirect()
  }

  /// Forgets all objects and all pending changes. Objects from before are of no use any more.
  public final func reset() {
    checkQueue()
    forgetUndoSteps()
    generation.forget()
    pending = []
    event = []
    undelivered = []
    retained = [:]
    for object in allObjects() {
      detach(object)
      object.flags = []
    }
    NotificationCenter.default.post(
      name: .NSManagedObjectContextObjectsDidChange, object: self, userInfo: [NSInvalidatedAllObjectsKey: true])
  }

  /// Makes the next save fail, or its merge policy decide, if the store has a newer version of an object that is not
  /// itself saved.
  public final func detectConflicts(for object: NSManagedObject) {
    guard object.registry === registry, object.place != nil else { return }
    object.realise()
    object.flags.insert(.checked)
    checked.append(object)
  }
}
