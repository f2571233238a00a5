internal import Foundation
internal import Model
internal import Schema

/// Between the objects of transformable attributes and their bytes.
enum Transformation {
  /// The object that bytes stand for; `nil` when they can't be read any more.
  static func restored(_ data: Data, _ info: EntityInfo, _ property: Int) -> Any? {
    guard let attribute = info.description.propertyDescriptions[property] as? NSAttributeDescription else { return nil }
    return attribute.transformer?.value(ofStored: data)
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
    let name: String = attribute.valueTransformerName ?? "the secure unarchiver"
    guard let transformer = attribute.transformer else {
      ProgrammerError.stop(
        "\(info.entity.name).\(attribute.name) can't be set: no value transformer named '\(name)' is registered.")
    }
    guard let data = transformer.storedData(of: value) else {
      ProgrammerError.stop(
        "\(info.entity.name).\(attribute.name) can't hold '\(value)' of type \(type(of: value)): its transformer (\(name)) makes no data of it."
      )
    }
    return data
  }
}
