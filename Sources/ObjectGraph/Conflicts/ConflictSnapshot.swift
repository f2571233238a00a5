internal import Foundation
internal import Schema

/// Values of an object as conflicts show them: attributes, and ids of to-one relationships' destinations, by name;
/// `NSNull` where there is none. To-many relationships are not in it.
enum ConflictSnapshot {
  /// The values now.
  static func values(of object: NSManagedObject) -> [String: Any] {
    object.realise()
    return values(of: object) { object.currentValue($0) }
  }

  /// The values of a stored row of the same object.
  static func values(of row: Row, for object: NSManagedObject) -> [String: Any] {
    values(of: object) { row.value(object.info.slots[$0]) }
  }

  private static func values(of object: NSManagedObject, _ value: (Int) -> Value) -> [String: Any] {
    var snapshot: [String: Any] = [:]
    for (index, property) in object.info.entity.properties.enumerated() where object.info.hasSlot[index] {
      let stored: Value = value(index)
      if let attribute = property.attribute {
        snapshot[property.name] = object.boxed(stored, attribute) ?? NSNull()
      } else if case .object(let key) = stored {
        snapshot[property.name] = object.resolve(key)?.objectID ?? NSNull()
      } else {
        snapshot[property.name] = NSNull()
      }
    }
    return snapshot
  }
}
