internal import Foundation
internal import Schema

/// What a child's save hands to its parent: values and keys, no objects.
struct PushedChanges {
  struct Members {
    let property: Int
    let added: [ObjectKey]
    let removed: [ObjectKey]
    /// All members in the child's order, of an ordered relationship.
    let order: [ObjectKey]?
  }

  struct Object {
    let key: ObjectKey
    let info: EntityInfo
    let store: NSPersistentStore
    /// Under which contexts show a new object until the root has saved it.
    var temporaryID: NSManagedObjectID?
    /// Attributes and to-one relationships that the child has changed.
    var values: [(property: Int, value: Value)] = []
    var members: [Members] = []
    /// What setters of a new object were called for.
    var touched = PropertyBits()
  }

  private(set) var inserted: [Object] = []
  private(set) var updated: [Object] = []
  private(set) var deleted: [Object] = []

  /// - Parameter objects: of the child, with pending changes and keys of their stores.
  init(_ objects: [NSManagedObject]) {
    for object in objects {
      guard let place = object.place else { continue }
      var pushed = Object(key: object.key, info: object.info, store: place.store)
      if object.isDeleted {
        deleted.append(pushed)
        continue
      }
      pushed.values = Self.values(of: object)
      pushed.members = Self.members(of: object)
      if object.isInserted {
        let id: NSManagedObjectID = object.objectID
        pushed.temporaryID = id.isTemporaryID ? id : nil
        pushed.touched = object.state?.touched ?? PropertyBits()
        inserted.append(pushed)
      } else {
        updated.append(pushed)
      }
    }
  }

  private static func values(of object: NSManagedObject) -> [(property: Int, value: Value)] {
    guard let state = object.state, !state.values.isEmpty else { return [] }
    var values: [(property: Int, value: Value)] = []
    for (property, own) in state.values.enumerated() {
      guard let own, object.isInserted || own != object.savedValue(property) else { continue }
      values.append((property, own))
    }
    return values
  }

  /// Only of the sides that stores keep: the parent completes the others itself.
  private static func members(of object: NSManagedObject) -> [Members] {
    guard let state = object.state, !state.members.isEmpty else { return [] }
    var pushed: [Members] = []
    for (index, property) in object.info.toManyProperties.enumerated() {
      guard object.info.storage[property] == .links, let members = state.members[index], members.hasChanges else {
        continue
      }
      pushed.append(
        Members(
          property: property, added: members.added.sorted(), removed: members.removed.sorted(),
          order: members.isOrdered ? members.order : nil))
    }
    return pushed
  }
}
