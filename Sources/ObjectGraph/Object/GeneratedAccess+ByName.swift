internal import Foundation
internal import Schema

// What generated accessors call besides those that take an index: where the declared type leaves no room for absence,
// and where a class is described by no model that the generator saw.
extension NSManagedObject {
  /// A value that the class declares as never absent. Stops the program when it is.
  public final func _required<T>(_ value: T?, _ property: Int) -> T {
    guard let value else {
      let index: Int = info.remap?[property] ?? property
      stopForAbsence(info.entity.properties.indices.contains(index) ? info.entity.properties[index].name : "?")
    }
    return value
  }

  /// A value that the class declares as never absent. Stops the program when it is.
  public final func _required<T>(_ value: T?, _ key: String) -> T {
    guard let value else { stopForAbsence(key) }
    return value
  }

  /// Adds a member to a to-many relationship, ordered or not.
  public final func _change(_ key: String, adding member: NSManagedObject) {
    if isOrdered(key) {
      mutableOrderedSetValue(forKey: key).add(member)
    } else {
      mutableSetValue(forKey: key).add(member)
    }
  }

  /// Takes a member out of a to-many relationship, ordered or not.
  public final func _change(_ key: String, removing member: NSManagedObject) {
    if isOrdered(key) {
      mutableOrderedSetValue(forKey: key).remove(member)
    } else {
      mutableSetValue(forKey: key).remove(member)
    }
  }

  private final func isOrdered(_ key: String) -> Bool {
    guard let index: Int = info.entity.propertyIndexByName[key] else { return false }
    return info.entity.properties[index].relationship?.isOrdered ?? false
  }

  private final func stopForAbsence(_ key: String) -> Never {
    ProgrammerError.stop(
      "\(info.entity.name).\(key) has no value, and its class declares it as never absent: set it before it is read, or declare it as optional."
    )
  }
}
