public import Foundation
internal import Schema

// What generated accessors of relationships call; see GeneratedAccess.swift.
extension NSManagedObject {
  /// The object that a to-one relationship leads to.
  public final func _object(_ property: Int) -> NSManagedObject? { toOne(mapped(property)) }

  /// Sets a to-one relationship, and its inverse.
  public final func _setObject(_ value: NSManagedObject?, _ property: Int) { setToOne(mapped(property), value) }

  /// The object that a to-one relationship leads to, as its class.
  public final func _typedObject<T: NSManagedObject>(_ property: Int, _: T.Type) -> T? {
    guard let object = toOne(mapped(property)) else { return nil }
    guard let typed = object as? T else { stopForWrongClass(object, T.self, property) }
    return typed
  }

  /// The members of a to-many relationship: as they are now, not changing afterwards.
  public final func _set(_ property: Int) -> NSSet? { NSSet(array: members(mapped(property))) }

  /// Sets the members of a to-many relationship, and their inverses.
  public final func _setSet(_ value: NSSet?, _ property: Int) { writeProperty(mapped(property), value) }

  /// The members of an ordered relationship: as they are now, not changing afterwards.
  public final func _orderedSet(_ property: Int) -> NSOrderedSet? { NSOrderedSet(array: members(mapped(property))) }

  /// Sets the members of an ordered relationship, and their inverses.
  public final func _setOrderedSet(_ value: NSOrderedSet?, _ property: Int) { writeProperty(mapped(property), value) }

  /// The members of a to-many relationship, as their class.
  public final func _typedSet<T: NSManagedObject>(_ property: Int, _: T.Type) -> Set<T> {
    let found: [NSManagedObject] = members(mapped(property))
    var set = Set<T>(minimumCapacity: found.count)
    for object in found {
      guard let typed = object as? T else { stopForWrongClass(object, T.self, property) }
      set.insert(typed)
    }
    return set
  }

  /// Sets the members of a to-many relationship, and their inverses.
  public final func _setTypedSet<T: NSManagedObject>(_ value: Set<T>?, _ property: Int) {
    setMembers(Array(value ?? []), mapped(property))
  }

  /// Adds a member.
  public final func _add(_ member: NSManagedObject, _ property: Int) { addMember(member, mapped(property)) }

  /// Takes a member out.
  public final func _remove(_ member: NSManagedObject, _ property: Int) { removeMember(member, mapped(property)) }

  /// Adds members.
  public final func _addAll(_ members: NSSet, _ property: Int) {
    for member in managed(members.allObjects, property) { addMember(member, mapped(property)) }
  }

  /// Takes members out.
  public final func _removeAll(_ members: NSSet, _ property: Int) {
    for member in managed(members.allObjects, property) { removeMember(member, mapped(property)) }
  }

  /// Adds members at the end, in order.
  public final func _addAllOrdered(_ members: NSOrderedSet, _ property: Int) {
    for member in managed(members.array, property) { addMember(member, mapped(property)) }
  }

  /// Takes members out.
  public final func _removeAllOrdered(_ members: NSOrderedSet, _ property: Int) {
    for member in managed(members.array, property) { removeMember(member, mapped(property)) }
  }

  /// Puts a member at a place; one that is there already moves.
  public final func _insert(_ member: NSManagedObject, at index: Int, _ property: Int) {
    insertMember(member, mapped(property), at: index)
  }

  /// Takes the member at a place out.
  public final func _removeMember(at index: Int, _ property: Int) {
    removeMember(member(at: index, property), mapped(property))
  }

  /// Puts members at places, the lowest first.
  public final func _insertAll(_ members: [NSManagedObject], at indexes: NSIndexSet, _ property: Int) {
    for (index, member) in zip(indexes.sorted(), members) { insertMember(member, mapped(property), at: index) }
  }

  /// Takes the members at places out.
  public final func _removeMembers(at indexes: NSIndexSet, _ property: Int) {
    for member in indexes.map({ member(at: $0, property) }) { removeMember(member, mapped(property)) }
  }

  /// Puts a member in the place of another.
  public final func _replaceMember(at index: Int, with member: NSManagedObject, _ property: Int) {
    let old: NSManagedObject = self.member(at: index, property)
    guard old !== member else { return }
    removeMember(old, mapped(property))
    insertMember(member, mapped(property), at: index)
  }

  /// Puts members in the places of others.
  public final func _replaceMembers(at indexes: NSIndexSet, with members: [NSManagedObject], _ property: Int) {
    for (index, member) in zip(indexes.sorted(), members) { _replaceMember(at: index, with: member, property) }
  }

  /// A value below tracking, by name.
  public final func _primitive(_ key: String) -> Any? { primitiveValue(forKey: key) }

  /// Sets a value below tracking, by name.
  public final func _setPrimitive(_ value: Any?, _ key: String) { setPrimitiveValue(value, forKey: key) }

  private final func member(at index: Int, _ property: Int) -> NSManagedObject {
    let keys: [ObjectKey] = memberKeys(mapped(property))
    let name: String = info.entity.properties[mapped(property)].name
    guard keys.indices.contains(index), let member = resolve(keys[index]) else {
      ProgrammerError.stop("\(info.entity.name).\(name) has no member \(index): it has \(keys.count).")
    }
    return member
  }

  private final func managed(_ members: [Any], _ property: Int) -> [NSManagedObject] {
    members.map { member in
      guard let object = member as? NSManagedObject else { stopForWrongValue(member, mapped(property)) }
      return object
    }
  }

  private final func stopForWrongClass(_ object: NSManagedObject, _ wanted: Any.Type, _ property: Int) -> Never {
    let name: String = "\(info.entity.name).\(info.entity.properties[mapped(property)].name)"
    ProgrammerError.stop(
      "\(name) leads to an object of class \(type(of: object)), where \(wanted) is declared: the class that the model names for '\(object.info.entity.name)' was not found. Give it its module in the model."
    )
  }
}
