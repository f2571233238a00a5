internal import Schema

extension UndoStep {
  /// Puts everything back to what it was before the event. What that changes is an event in turn, whose step does the
  /// opposite.
  func apply(in context: NSManagedObjectContext) {
    for part in parts {
      guard case .deletion(let full) = part.kind else { continue }
      context.bringBack(part.object, full)
    }
    for part in parts where part.object.registry === context.registry {
      for (property, value) in part.before { part.object.putBack(value, property) }
      if case .update = part.kind { part.object.awake(fromSnapshotEvents: .undoUpdate) }
    }
    for part in parts {
      switch part.kind {
      case .insertion: context.takeOut(part.object, clearing: true)
      case .undeletion: context.takeOut(part.object, clearing: false)
      case .deletion, .update: break
      }
    }
  }
}

extension NSManagedObject {
  /// Gives a property the value it had, on this side only: the other side's is put back as its own.
  final func putBack(_ value: UndoValue, _ property: Int) {
    switch value {
    case .value(let value, let object):
      willMutate(property)
      storeOwn(property, value)
      if let object {
        ensureState().objects[property] = object
      } else if let state, !state.objects.isEmpty {
        state.objects[property] = nil
      }
    case .toOne(let reference):
      willMutate(property)
      storeOwn(property, .object(reference.currentKey))
    case .members(let added, let removed, let before, let after):
      loadMembers(property)
      willMutateMembers(property)
      let now: [ObjectKey] = memberKeys(property)
      withMembers(property) { members in
        for reference in added { members.remove(reference.currentKey) }
        for reference in removed { members.add(reference.currentKey) }
        guard members.isOrdered else { return }
        members.reorder(Self.order(members.keys, before, wasAsAfter: now == after.map { $0.currentKey }))
      }
    }
  }

  /// The order to put members back into. Members that came otherwise in the meantime stay at the end.
  private static func order(_ keys: [ObjectKey], _ before: [UndoReference], wasAsAfter: Bool) -> [ObjectKey] {
    let wanted: [ObjectKey] = before.map { $0.currentKey }
    if wasAsAfter, wanted.count == keys.count { return wanted }
    let present = Set<ObjectKey>(keys)
    let known = Set<ObjectKey>(wanted)
    return wanted.filter { present.contains($0) } + keys.filter { !known.contains($0) }
  }
}

extension NSManagedObjectContext {
  /// Takes back a deletion: unmarks the object, or inserts it again with its values if a save has carried it out, or if
  /// it was never saved.
  final func bringBack(_ object: NSManagedObject, _ full: UndoStep.FullValues) {
    if object.registry === registry {
      guard object.isDeleted else { return }
      object.flags.subtract([.deleted, .deletedInEvent, .propagated, .toldOfSave])
      events.undeleted.insert(object)
      // One that was only deleted has nothing left to save; observers hear of it as refreshed.
      if !object.hasChanges {
        object.flags.remove(.tracked)
        pending.removeAll { $0 === object }
      }
      object.flags.insert(.refreshedInEvent)
      noteInEvent(object)
      object.awake(fromSnapshotEvents: .undoDeletion)
      return
    }
    guard object.registry == nil else { return }
    object.registry = registry
    object.flags = [.realised, .inserted, .insertedInEvent]
    let state = ObjectState(values: object.info.defaults)
    object.state = state
    if let place = full.place, !object.key.isTemporary {
      // The row is gone, its key is not used again: it comes back under it.
      object.place = place
      state.promisedKey = object.key
      state.promisedPlace = place
    }
    registry.add(object)
    note(object)
    for (property, value) in full.values { object.putBack(value, property) }
    object.awake(fromSnapshotEvents: .undoDeletion)
  }

  /// Takes back an insertion, or the undoing of a deletion.
  ///
  /// - Parameter clearing: whether its relationships are emptied first: those of a new object were not there before it,
  ///   and must not carry delete rules on to objects that have been put back elsewhere.
  final func takeOut(_ object: NSManagedObject, clearing: Bool) {
    guard object.registry === registry, !object.isDeleted else { return }
    if clearing {
      for property in object.info.relationships {
        if object.info.toManyPlace[property] >= 0 {
          if object.memberCount(property) > 0 { object.setMembers([], property) }
        } else if object.toOne(property) != nil {
          object.setToOne(property, nil)
        }
      }
      object.awake(fromSnapshotEvents: .undoInsertion)
    }
    object.flags.insert([.deleted, .deletedInEvent])
    object.flags.subtract([.toldOfSave, .propagated])
    note(object)
    undelivered.append(object)
  }
}
