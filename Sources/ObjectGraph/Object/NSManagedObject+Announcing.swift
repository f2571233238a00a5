public import Foundation
internal import Schema

/// How a set is about to change.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
  case union = 1
  case minus, intersect, set
}

/// How an ordered collection is about to change.
public enum NSKeyValueChange: UInt, Sendable {
  case setting = 1
  case insertion, removal, replacement
}

extension NSManagedObject {
  /// Tells the object that a to-many relationship is about to change.
  public final func willChangeValue(
    forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind, using inObjects: Set<AnyHashable>
  ) {
    beginChange(ofKey: inKey)
  }

  /// Tells the object that a to-many relationship has changed.
  public final func didChangeValue(
    forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind, using inObjects: Set<AnyHashable>
  ) {
    endChange(ofKey: inKey)
  }

  /// Tells the object that an ordered relationship is about to change.
  public final func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    beginChange(ofKey: key)
  }

  /// Tells the object that an ordered relationship has changed.
  public final func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    endChange(ofKey: key)
  }

  /// A to-many relationship as a set that changes the object when it is changed.
  public final func mutableSetValue(forKey key: String) -> NSMutableSet {
    RelationshipSet(owner: self, property: toManyProperty(key))
  }

  /// An ordered relationship as an ordered set that changes the object when it is changed.
  public final func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    let property: Int = toManyProperty(key)
    guard info.entity.properties[property].relationship?.isOrdered == true else {
      ProgrammerError.stop("\(info.entity.name).\(key) is not ordered: use mutableSetValue(forKey:).")
    }
    return RelationshipOrderedSet(owner: self, property: property)
  }

  /// A to-many relationship at the end of a key path of to-one relationships, as a set that changes its object.
  public final func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
    let (owner, key) = ownerOfLast(keyPath)
    return owner.mutableSetValue(forKey: key)
  }

  /// An ordered relationship at the end of a key path of to-one relationships, as an ordered set that changes its
  /// object.
  public final func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
    let (owner, key) = ownerOfLast(keyPath)
    return owner.mutableOrderedSetValue(forKey: key)
  }

  private final func ownerOfLast(_ keyPath: String) -> (NSManagedObject, String) {
    guard let dot = keyPath.lastIndex(of: ".") else { return (self, keyPath) }
    let way = String(keyPath[..<dot])
    guard let owner = value(forKeyPath: way) as? NSManagedObject else {
      ProgrammerError.stop("\(info.entity.name).\(way) leads to no object of which \(keyPath) could be changed.")
    }
    return (owner, String(keyPath[keyPath.index(after: dot)...]))
  }

  private final func toManyProperty(_ key: String) -> Int {
    guard let property = info.property(named: key) else { stopForUnknownKey(key) }
    guard info.toManyPlace[property] >= 0 else {
      ProgrammerError.stop("\(info.entity.name).\(key) is not a to-many relationship.")
    }
    return property
  }
}
