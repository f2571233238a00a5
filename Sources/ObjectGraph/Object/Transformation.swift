internal import Foundation
internal import Model
internal import Schema

/// Between the objects of transformable attributes and their bytes.
enum Transformation {
  /// The object that bytes stand for; `nil` when they can't be read any more.
  static func restored(_ data: Data, _ info: EntityInfo, _ property: Int) -> Any? {
    guard let attribute = info.description.propertyDescriptions[property] as? NSAttributeDescription else { return nil }
    return try? attribute.transformedValue(fromStored: data)
  }
}

extension NSManagedObject {
  /// The object of a transformable attribute, made once.
  final func restored(_ data: Data, _ property: Int) -> Any? { Transformation.restored(data, info, property) }

  /// The bytes of an object that a transformable attribute is given.
  final func transformed(_ value: Any, _ property: Int) -> Data {
    guard let attribute = info.description.propertyDescriptions[property] as? NSAttributeDescription else {
      stopForWrongValue(value, property)
    }
    do { return try attribute.storedValue(fromTransformed: value) } catch {
      ProgrammerError.stop(
        "\(info.entity.name).\(attribute.name) can't hold '\(value)' of type \(type(of: value)): \(error)")
    }
  }
}
