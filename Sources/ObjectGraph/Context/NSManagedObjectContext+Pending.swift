internal import Foundation
internal import Schema

extension NSManagedObjectContext {
  /// Marks an object for deletion by the next save. Its `prepareForDeletion` runs now, its delete rules at the end of
  /// the event.
  public final func delete(_ object: NSManagedObject) {
    checkQueue()
    guard object.registry === registry else {
      ProgrammerError.stop(
        "\(object.info.entity.name) \(object.objectID) can't be deleted: it is not in the context '\(name ?? "")'.")
    }
    guard !object.isDeleted else { return }
    object.prepareForDeletion()
    markDeleted(object)
  }

  /// Takes an object into the list of those to delete.
  final func markDeleted(_ object: NSManagedObject) {
    object.flags.insert([.deleted, .deletedInEvent])
    object.flags.remove([.toldOfSave, .propagated])
    note(object)
    undelivered.append(object)
  }

  /// Ends the event: carries out delete rules and tells observers what has changed. Called by itself at the end of
  /// `perform` blocks, and before fetches and saves.
  public final func processPendingChanges() {
    checkQueue()
    processChanges()
    undoSupport?.manager.endEventGroup()
  }

  /// Does what ends an event, but leaves open the undo step that it belongs to.
  final func processChanges() {
    guard !events.isProcessing else { return }
    events.isProcessing = true
    if propagatesDeletesAtEndOfEvent || events.isSaving { propagateDeletes() }
    if let step: UndoStep = undoStep() { register(step) }
    dropStillborn()
    events.isProcessing = false
    guard !event.isEmpty else { return }
    let ended: [NSManagedObject] = event
    event = []
    let changes = EventChanges(ended)
    for object in ended {
      object.flags.remove(.inEvent)
      object.flags.subtract(.eventKinds)
    }
    if !changes.isEmpty {
      NotificationCenter.default.post(
        name: .NSManagedObjectContextObjectsDidChange, object: self, userInfo: changes.userInfo)
    }
    // Observers may still ask what values the event has changed.
    for object in ended where !object.flags.contains(.inEvent) { object.endEvent() }
  }

  /// Carries out the delete rules of everything deleted, and of what that deletes.
  final func propagateDeletes() {
    var next: Int = 0
    while next < undelivered.count {
      let object: NSManagedObject = undelivered[next]
      next += 1
      guard object.isDeleted, !object.flags.contains(.propagated), !object.flags.contains(.inaccessible) else {
        continue
      }
      object.flags.insert(.propagated)
      for property in object.info.relationships { propagateDelete(of: object, property) }
    }
    undelivered.removeAll()
  }

  private func propagateDelete(of object: NSManagedObject, _ property: Int) {
    guard let relationship = object.info.entity.properties[property].relationship else { return }
    switch relationship.deleteRule {
    case .noAction, .deny: return
    case .cascade:
      for destination in object.destinations(property) where !destination.isDeleted { delete(destination) }
    case .nullify:
      guard let inverse = relationship.inverse else { return }
      for destination in object.destinations(property) where !destination.isDeleted {
        destination.inverseLost(object, inverse)
      }
    }
  }

  /// Objects that were inserted and deleted before any save never were.
  private func dropStillborn() {
    guard pending.contains(where: { $0.isInserted && $0.isDeleted }) else { return }
    pending.removeAll { object in
      guard object.isInserted, object.isDeleted else { return false }
      if object.flags.contains(.insertedInEvent) { object.flags.remove(.deletedInEvent) }
      object.flags.remove(.insertedInEvent)
      detach(object)
      return true
    }
  }

  /// Takes an object out of the context. It keeps its id, and reads as empty.
  final func detach(_ object: NSManagedObject) {
    registry.remove(object)
    retained[ObjectIdentifier(object)] = nil
    object.registry = nil
    object.state = nil
    object.setRow(nil)
    object.flags.subtract(.changed)
    object.flags.subtract([.tracked, .direct, .realised, .toldOfSave, .propagated, .checked])
  }
}

extension NSManagedObject {
  /// The objects that a relationship leads to, to one or to many.
  final func destinations(_ property: Int) -> [NSManagedObject] {
    if info.toManyPlace[property] >= 0 { return members(property) }
    return toOne(property).map { [$0] } ?? []
  }
}

/// What an event has done, as its notification tells it.
struct EventChanges {
  private var inserted: Set<NSManagedObject> = []
  private var updated: Set<NSManagedObject> = []
  private var deleted: Set<NSManagedObject> = []
  private var refreshed: Set<NSManagedObject> = []
  private var invalidated: Set<NSManagedObject> = []

  init(_ objects: [NSManagedObject]) {
    for object in objects {
      let flags: ObjectFlags = object.flags
      if flags.contains(.deletedInEvent) {
        deleted.insert(object)
      } else if flags.contains(.insertedInEvent) {
        inserted.insert(object)
      } else if flags.contains(.updatedInEvent), !flags.contains(.deleted) {
        updated.insert(object)
      } else if flags.contains(.refreshedInEvent) {
        refreshed.insert(object)
      } else if flags.contains(.invalidatedInEvent) {
        invalidated.insert(object)
      }
    }
  }

  var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty && invalidated.isEmpty
  }

  var userInfo: [AnyHashable: Any] {
    var info: [AnyHashable: Any] = [:]
    if !inserted.isEmpty { info[NSInsertedObjectsKey] = inserted }
    if !updated.isEmpty { info[NSUpdatedObjectsKey] = updated }
    if !deleted.isEmpty { info[NSDeletedObjectsKey] = deleted }
    if !refreshed.isEmpty { info[NSRefreshedObjectsKey] = refreshed }
    if !invalidated.isEmpty { info[NSInvalidatedObjectsKey] = invalidated }
    return info
  }
}
