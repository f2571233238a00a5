internal import Foundation
internal import Schema

/// Makes objects that share the values of a uniqueness constraint give way to each other.
///
/// The stored object keeps its identity: a new object that wins lends it its values and is deleted.
struct ConstraintConflictResolution {
  private let conflict: NSConstraintConflict
  private let type: NSMergePolicyType

  init(_ conflict: NSConstraintConflict, _ type: NSMergePolicyType) {
    self.conflict = conflict
    self.type = type
  }

  private var objectWins: Bool {
    type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
  }

  func resolve() {
    let objects: [NSManagedObject] = conflict.conflictingObjects.filter { !$0.isDeleted }
    guard let stored = conflict.databaseObject else {
      // Only unsaved changes share the values: one of the objects stays, a saved one if there is one.
      let survivor: NSManagedObject? = objects.first { !$0.isInserted } ?? objects.first
      for object in objects where object !== survivor { giveUp(object) }
      return
    }
    for (place, object) in objects.enumerated() where object !== stored {
      // Of several that want the values only the first can win.
      guard objectWins, place == 0 else {
        giveUp(object)
        continue
      }
      if object.isInserted {
        lend(from: object, to: stored)
        object.managedObjectContext?.delete(object)
      } else {
        moveMembers(from: stored, to: object)
        stored.managedObjectContext?.delete(stored)
      }
    }
  }

  /// A new object goes; a saved one takes its stored values again.
  private func giveUp(_ object: NSManagedObject) {
    guard let context = object.managedObjectContext else { return }
    if object.isInserted { context.delete(object) } else { context.refresh(object, mergeChanges: false) }
  }

  private func lend(from object: NSManagedObject, to stored: NSManagedObject) {
    for (index, property) in object.info.entity.properties.enumerated() where object.info.hasSlot[index] {
      guard property.attribute?.derivation == nil else { continue }
      let isSet: Bool = object.state?.touched.contains(index) ?? false
      guard isSet || type == .overwriteMergePolicyType else { continue }
      stored.setValue(object.value(forKey: property.name), forKey: property.name)
    }
    moveMembers(from: object, to: stored)
  }

  /// Members of to-many relationships are never lost: those of the one that goes join those of the one that stays.
  private func moveMembers(from object: NSManagedObject, to survivor: NSManagedObject) {
    for index in object.info.toManyProperties where survivor.info.entity.properties.count > index {
      let name: String = object.info.entity.properties[index].name
      guard survivor.info.entity.properties[index].name == name else { continue }
      switch (object.value(forKey: name), survivor.value(forKey: name)) {
      case (let theirs as NSOrderedSet, let mine as NSOrderedSet):
        let all = NSMutableOrderedSet(orderedSet: mine)
        for member in theirs { all.add(member) }
        if all.count > mine.count { survivor.setValue(all, forKey: name) }
      case (let theirs as NSSet, let mine as NSSet):
        let all = NSMutableSet(set: mine)
        for member in theirs { all.add(member) }
        if all.count > mine.count { survivor.setValue(all, forKey: name) }
      default: continue
      }
    }
  }
}
