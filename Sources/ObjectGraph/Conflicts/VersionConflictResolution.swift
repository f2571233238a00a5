internal import Foundation
internal import Schema

/// Makes an object fit to be saved over a newer stored version of itself.
struct VersionConflictResolution {
  private let conflict: NSMergeConflict
  private let object: NSManagedObject
  private let type: NSMergePolicyType

  init(_ conflict: NSMergeConflict, _ type: NSMergePolicyType) {
    self.conflict = conflict
    object = conflict.sourceObject
    self.type = type
  }

  /// Whether the object in memory is what counts.
  private var objectWins: Bool {
    type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
  }

  /// - Throws: `NSManagedObjectMergeError` where neither side can give way: the object was deleted from the store and
  ///   the policy would keep what was changed here.
  func resolve() throws {
    guard let context = object.managedObjectContext else { return }
    guard let row = conflict.storedRow else { return try resolveDeletedFromStore(context) }
    if object.isDeleted {
      if objectWins { object.adopt(row) } else { undelete(context) }
      return
    }
    switch type {
    case .errorMergePolicyType: throw MergeErrors.versions([conflict])
    case .rollbackMergePolicyType:
      context.refresh(object, mergeChanges: false)
      // An object that was only checked is compared again: by the version that it has from now on.
      if object.flags.contains(.checked) { object.realise() }
    case .overwriteMergePolicyType:
      keepEverything(over: row)
      context.rebase(object, onto: row, keepsEverything: true)
    case .mergeByPropertyStoreTrumpMergePolicyType:
      yieldWhatBothChanged(to: row)
      context.rebase(object, onto: row)
    case .mergeByPropertyObjectTrumpMergePolicyType: context.rebase(object, onto: row)
    }
    if type != .rollbackMergePolicyType { context.completeInverses(of: object) }
    object.awake(fromSnapshotEvents: .mergePolicy)
  }

  /// Properties that were not changed here take part in the save as well.
  private func keepEverything(over row: Row) {
    for property in storedProperties where ownValue(property) == nil {
      let mine: Value = object.savedValue(property)
      guard mine != row.value(object.info.slots[property]) else { continue }
      object.storeOwn(property, mine)
      object.state?.touched.insert(property)
    }
  }

  /// Takes the stored value where both sides changed it.
  private func yieldWhatBothChanged(to row: Row) {
    for property in storedProperties {
      guard ownValue(property) != nil else { continue }
      let stored: Value = row.value(object.info.slots[property])
      guard stored != object.savedValue(property) else { continue }
      if object.info.entity.properties[property].relationship != nil { yieldToOne(property, stored) }
      object.state?.values[property] = nil
      object.state?.objects[property] = nil
      object.state?.touched.remove(property)
    }
  }

  /// A to-one relationship is set back through its setter, so that the other side follows.
  private func yieldToOne(_ property: Int, _ stored: Value) {
    var destination: NSManagedObject?
    if case .object(let key) = stored { destination = object.resolve(key) }
    object.setToOne(property, destination)
  }

  private var storedProperties: [Int] {
    object.info.entity.properties.indices.filter { object.info.hasSlot[$0] }
  }

  private func ownValue(_ property: Int) -> Value? {
    guard let values = object.state?.values, !values.isEmpty else { return nil }
    return values[property]
  }

  // MARK: deletions

  private func resolveDeletedFromStore(_ context: NSManagedObjectContext) throws {
    guard object.isDeleted || !objectWins else { throw MergeErrors.deleted(conflict) }
    context.pending.removeAll { $0 === object }
    context.revert(object)
    // From here on it is what any object is whose row turned out to be gone.
    object.adopt(nil)
    object.flags.insert([.inaccessible, .deleted])
    context.note(object)
  }

  /// Takes a deletion back. What it nullified points at the object again; what it deleted along stays deleted.
  private func undelete(_ context: NSManagedObjectContext) {
    context.pending.removeAll { $0 === object }
    context.undelivered.removeAll { $0 === object }
    for property in object.info.relationships { restoreInverses(property, context) }
    context.revert(object)
    context.turnIntoFault(object)
  }

  private func restoreInverses(_ property: Int, _ context: NSManagedObjectContext) {
    guard let place = object.place, let inverse = object.info.entity.properties[property].relationship?.inverse else {
      return
    }
    var keys: [ObjectKey] = []
    if object.info.toManyPlace[property] >= 0 {
      keys = context.savedMembers(of: object, in: place, property: property)
    } else if case .object(let key) = object.savedValue(property) {
      keys = [key]
    }
    for key in keys {
      guard let other = place.object(for: key), other.state != nil else { continue }
      if other.info.toManyPlace[inverse] >= 0 {
        other.withMembers(inverse) { $0.cancelRemoval(of: object.key) }
      } else if let values = other.state?.values, !values.isEmpty, values[inverse] == .null {
        other.state?.values[inverse] = nil
        other.state?.touched.remove(inverse)
      }
    }
  }
}
