internal import Foundation
internal import Schema
internal import StoreContract

// A child's save goes one level up: its parent then has the changes as pending changes of its own. Where both have
// changed a property, the child's value stands.
extension NSManagedObjectContext {
  /// Saves to the parent. What can fail comes before the parent is touched.
  final func pushPending(to parent: NSManagedObjectContext) throws -> SaveSummary {
    try reserveKeys()
    let objects: [NSManagedObject] = pending.filter { $0.hasPendingChanges }
    let changes = PushedChanges(objects)
    try parent.performAndWait { try parent.accept(changes) }
    var summary = SaveSummary()
    for object in objects {
      summary.note(object)
      if object.isDeleted {
        object.flags.subtract([.tracked, .toldOfSave])
      } else {
        clean(object, row: try object.place.flatMap { try rowBelow(object.key, in: $0) }, promised: [:])
      }
    }
    try finishUnwritten(&summary)
    return summary
  }

  /// Takes in what a child has saved.
  private func accept(_ changes: PushedChanges) throws {
    try reserveKeys()
    let updated: [(NSManagedObject, PushedChanges.Object)] = try changes.updated.compactMap { pushed in
      let object: NSManagedObject = try target(of: pushed)
      // What was deleted here stays deleted.
      return object.isDeleted ? nil : (object, pushed)
    }
    let deleted: [NSManagedObject] = try changes.deleted.map { try target(of: $0) }
    let inserted: [(NSManagedObject, PushedChanges.Object)] = try changes.inserted.map { pushed in
      (try insert(pushed), pushed)
    }
    let changed: [(NSManagedObject, PushedChanges.Object)] = inserted + updated
    for (object, pushed) in changed { takeAttributes(pushed, object) }
    for (object, pushed) in changed { takeToOnes(pushed, object) }
    for (object, pushed) in changed { for members in pushed.members { take(members, object) } }
    for (object, pushed) in inserted { object.state?.touched.formUnion(pushed.touched) }
    for object in deleted where !object.isDeleted && object.registry === registry { markDeleted(object) }
    processPendingChanges()
  }

  private func place(of pushed: PushedChanges.Object) throws -> StorePlaceInContext {
    if let place = place(for: pushed.store) { return place }
    throw GraphError.make(
      NSPersistentStoreSaveError, "The store \(pushed.store.storeName) was removed: nothing can be saved to it.")
  }

  /// The object that a child has changed or deleted, with its values.
  private func target(of pushed: PushedChanges.Object) throws -> NSManagedObject {
    let place: StorePlaceInContext = try place(of: pushed)
    let object: NSManagedObject? = object(for: pushed.key, in: place)
    if let object, object.isDeleted { return object }
    if let object, object.isFault, let row = try rowBelow(pushed.key, in: place) { fulfil(object, with: row) }
    guard let object, !object.isFault else {
      throw GraphError.make(
        NSManagedObjectReferentialIntegrityError,
        "\(pushed.info.entity.name) can't be saved to the parent '\(name ?? "")': the object was deleted from its store meanwhile. Refresh it, or delete it here too."
      )
    }
    return object
  }

  /// The parent's own instance of a new object. Its class is not told that it was inserted: the child's was.
  private func insert(_ pushed: PushedChanges.Object) throws -> NSManagedObject {
    let place: StorePlaceInContext = try place(of: pushed)
    let known: NSManagedObject? = object(for: pushed.key, in: place)
    guard let object = known else {
      throw GraphError.make(
        NSPersistentStoreSaveError, "The store \(pushed.store.storeName) has no entity '\(pushed.info.entity.name)'.")
    }
    object.cachedID = pushed.temporaryID
    object.state = ObjectState(values: pushed.info.defaults)
    object.flags.insert([.realised, .inserted, .insertedInEvent])
    note(object)
    return object
  }

  private func takeAttributes(_ pushed: PushedChanges.Object, _ object: NSManagedObject) {
    for (property, value) in pushed.values where object.info.entity.properties[property].relationship == nil {
      object.setAttribute(property, value)
    }
  }

  private func takeToOnes(_ pushed: PushedChanges.Object, _ object: NSManagedObject) {
    for (property, value) in pushed.values where object.info.entity.properties[property].relationship != nil {
      var destination: NSManagedObject?
      if case .object(let key) = value { destination = object.resolve(key) }
      // What was deleted here meanwhile is no longer there to lead to.
      object.setToOne(property, destination.flatMap { $0.isDeleted ? nil : $0 })
    }
  }

  private func take(_ members: PushedChanges.Members, _ object: NSManagedObject) {
    for key in members.removed {
      if let member = object.resolve(key) { object.dropMember(member, members.property) }
    }
    for key in members.added {
      if let member = object.resolve(key), !member.isDeleted { object.addMember(member, members.property) }
    }
    guard let order = members.order else { return }
    let now: [ObjectKey] = object.memberKeys(members.property)
    let (mine, known) = (Set(now), Set(order))
    let merged: [ObjectKey] = order.filter { mine.contains($0) } + now.filter { !known.contains($0) }
    if merged != now { object.reorder(members.property, merged) }
  }
}

extension NSManagedObject {
  /// Takes a member out on both sides, without reading the members of an unordered relationship.
  final func dropMember(_ member: NSManagedObject, _ property: Int) {
    if info.entity.properties[property].relationship?.isOrdered == true {
      removeMember(member, property)
      return
    }
    inverseLost(member, property)
    if let inverse = info.entity.properties[property].relationship?.inverse { member.inverseLost(self, inverse) }
  }
}
