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
    guard let row = conflict.storedRow else { return try resolveDeletedFromStore() }
    guard let context = object.managedObjectContext else { return }
    if object.isDeleted {
      if objectWins { object.adopt(row) } else { context.refresh(object, mergeChanges: false) }
      return
    }
    switch type {
    case .errorMergePolicyType: throw MergeErrors.versions([conflict])
    case .rollbackMergePolicyType: context.refresh(object, mergeChanges: false)
    case .overwriteMergePolicyType:
      keepEverything(over: row)
      object.adopt(row)
    case .mergeByPropertyStoreTrumpMergePolicyType:
      yieldWhatBothChanged(to: row)
      object.adopt(row)
    case .mergeByPropertyObjectTrumpMergePolicyType: object.adopt(row)
    }
    if !object.isFault { object.awake(fromSnapshotEvents: .mergePolicy) }
  }

  private func resolveDeletedFromStore() throws {
    guard object.isDeleted || !objectWins else {
      throw MergeErrors.deleted(conflict)
    }
    guard let context = object.managedObjectContext else { return }
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [NSDeletedObjectIDsKey: [object.objectID]], into: [context])
  }

  /// Properties that were not changed here take part in the save as well.
  private func keepEverything(over row: Row) {
    for property in storedProperties where ownValue(property) == nil {
      let mine: Value = object.savedValue(property)
      if mine != row.value(object.info.slots[property]) { object.storeOwn(property, mine) }
    }
  }

  /// Takes the stored value where both sides changed it.
  private func yieldWhatBothChanged(to row: Row) {
    for property in storedProperties {
      guard ownValue(property) != nil else { continue }
      let stored: Value = row.value(object.info.slots[property])
      guard stored != object.savedValue(property) else { continue }
      if object.info.entity.properties[property].relationship != nil {
        yieldToOne(property, stored)
      } else {
        object.state?.values[property] = nil
        object.state?.objects[property] = nil
      }
    }
  }

  /// A to-one relationship is set back through its setter, so that the other side follows.
  private func yieldToOne(_ property: Int, _ stored: Value) {
    var destination: NSManagedObject?
    if case .object(let key) = stored { destination = object.resolve(key) }
    object.setToOne(property, destination)
    object.state?.values[property] = nil
  }

  private var storedProperties: [Int] {
    object.info.entity.properties.indices.filter { object.info.hasSlot[$0] }
  }

  private func ownValue(_ property: Int) -> Value? {
    guard let values = object.state?.values, !values.isEmpty else { return nil }
    return values[property]
  }
}
