internal import Foundation
internal import Schema

/// A to-many relationship as a mutable set: what is done to it is done to the object.
///
/// Reads show the relationship as it is now. (Foundation here casts a set to a Swift `Set` by looking past overrides;
/// such a cast gives the members as they were when this set was made.)
final class RelationshipSet: NSMutableSet {
  private let owner: NSManagedObject?
  private let property: Int

  convenience init(owner: NSManagedObject, property: Int) {
    let members: [NSManagedObject] = owner.members(property)
    self.init(members: members, owner: owner, property: property)
  }

  private init(members: [AnyObject], owner: NSManagedObject?, property: Int) {
    self.owner = owner
    self.property = property
    super.init(objects: members, count: members.count)
  }

  required init(capacity numItems: Int) {
    owner = nil
    property = 0
    super.init(capacity: numItems)
  }

  required convenience init?(coder: NSCoder) { nil }

  private var members: [NSManagedObject] { owner?.members(property) ?? [] }

  override var count: Int { owner?.memberCount(property) ?? 0 }

  override func member(_ object: Any) -> Any? {
    guard let owner, let object = object as? NSManagedObject, owner.hasMember(object, property) else { return nil }
    return object
  }

  override func objectEnumerator() -> NSEnumerator { NSArray(array: members).objectEnumerator() }
  override var allObjects: [Any] { members }
  override func add(_ object: Any) { owner?.addMember(managed(object), property) }
  override func remove(_ object: Any) { owner?.removeMember(managed(object), property) }
  override func removeAllObjects() { owner?.setMembers([], property) }
  override func copy(with zone: NSZone? = nil) -> Any { NSSet(array: members) }
  override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableSet(array: members) }

  private func managed(_ object: Any) -> NSManagedObject {
    guard let managed = object as? NSManagedObject else { owner!.stopForWrongValue(object, property) }
    return managed
  }
}
