internal import Foundation
internal import Schema

/// An ordered relationship as a mutable ordered set: what is done to it is done to the object.
///
/// Reads show the relationship as it is now.
final class RelationshipOrderedSet: NSMutableOrderedSet {
  private let owner: NSManagedObject?
  private let property: Int

  convenience init(owner: NSManagedObject, property: Int) {
    self.init(owner: owner, property: property, members: owner.members(property))
  }

  private init(owner: NSManagedObject?, property: Int, members: [AnyObject]) {
    self.owner = owner
    self.property = property
    super.init(objects: members, count: members.count)
  }

  override init(capacity numItems: Int) {
    owner = nil
    property = 0
    super.init(capacity: numItems)
  }

  required convenience init?(coder: NSCoder) { nil }

  required init(arrayLiteral elements: Any...) {
    owner = nil
    property = 0
    super.init(objects: elements.map { $0 as AnyObject }, count: elements.count)
  }

  private var members: [NSManagedObject] { owner?.members(property) ?? [] }

  override var count: Int { owner?.memberCount(property) ?? 0 }
  override func object(at index: Int) -> Any { members[index] }
  override func index(of object: Any) -> Int {
    guard let object = object as? NSManagedObject else { return NSNotFound }
    return owner?.memberKeys(property).firstIndex(of: object.key) ?? NSNotFound
  }
  override func contains(_ object: Any) -> Bool { index(of: object) != NSNotFound }
  override func copy(with zone: NSZone? = nil) -> Any { NSOrderedSet(array: members) }
  override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableOrderedSet(array: members) }

  override func insert(_ object: Any, at index: Int) {
    let object: NSManagedObject = managed(object)
    // As in Foundation: a member that is there stays where it is.
    guard owner?.hasMember(object, property) == false else { return }
    owner?.addMember(object, property, at: index)
  }

  override func removeObject(at index: Int) { owner?.removeMember(members[index], property) }

  override func replaceObject(at index: Int, with object: Any) {
    let new: NSManagedObject = managed(object)
    let old: NSManagedObject = members[index]
    guard old !== new else { return }
    owner?.removeMember(old, property)
    owner?.insertMember(new, property, at: index)
  }

  override func add(_ object: Any) { owner?.addMember(managed(object), property) }
  override func remove(_ object: Any) { owner?.removeMember(managed(object), property) }
  override func removeAllObjects() { owner?.setMembers([], property) }

  override func exchangeObject(at first: Int, withObjectAt second: Int) {
    var order: [ObjectKey] = owner?.memberKeys(property) ?? []
    order.swapAt(first, second)
    owner?.reorder(property, order)
  }

  override func moveObjects(at indexes: IndexSet, to index: Int) {
    var order: [ObjectKey] = owner?.memberKeys(property) ?? []
    let moved: [ObjectKey] = indexes.map { order[$0] }
    for position in indexes.reversed() { order.remove(at: position) }
    order.insert(contentsOf: moved, at: Swift.min(index, order.count))
    owner?.reorder(property, order)
  }

  private func managed(_ object: Any) -> NSManagedObject {
    guard let managed = object as? NSManagedObject else { owner!.stopForWrongValue(object, property) }
    return managed
  }
}
