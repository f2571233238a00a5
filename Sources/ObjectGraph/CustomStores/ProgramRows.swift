internal import Foundation
internal import Model
internal import Schema
internal import StoreContract

/// Rows of the values that a program's own store gives.
enum ProgramRows {
  /// Encodes an object's values.
  ///
  /// - Parameter value: a property's value by its name; `nil` or `NSNull` for none. Relationships are ids, nodes or
  ///   objects.
  /// - Throws: `StoreError` that names entity and property when a value is of another type than the model says.
  static func encode(
    _ key: ObjectKey, version: UInt64, _ info: EntityInfo, into buffer: RowBuffer, value: (String) -> Any?
  ) throws(StoreError) -> Int {
    var problem: StoreError?
    let start: Int = try info.entity.layout.encode(key: key, version: version, into: buffer) { property in
      let name: String = info.entity.properties[property].name
      guard let given = lookUp(name, value), !(given is NSNull) else { return .null }
      if let stored = stored(given, info, property) { return stored }
      problem = StoreError(
        .inputOutput,
        "The store gave \(info.entity.name).\(name) the value '\(given)' of type \(type(of: given)), which it can't hold."
      )
      return .null
    }
    if let problem { throw problem }
    return start
  }

  /// The keys of a to-many relationship's value.
  static func members(_ value: Any?) -> [ObjectKey] {
    let list: [Any]
    switch value {
    case let set as NSOrderedSet: list = set.array
    case let set as NSSet: list = set.allObjects
    case let set as Set<AnyHashable>: list = set.map { $0.base }
    case let array as [Any]: list = array
    case let array as NSArray: list = array.map { $0 }
    default: list = []
    }
    return list.compactMap { key(of: $0) }
  }

  /// The key that an id, a node or an object stands for.
  static func key(of value: Any) -> ObjectKey? {
    switch value {
    case let id as NSManagedObjectID: return id.resolved.key
    case let node as NSAtomicStoreCacheNode: return node.objectID.resolved.key
    case let object as NSManagedObject: return object.objectID.resolved.key
    default: return nil
    }
  }

  /// A value, also of an element of a composite attribute whose value is given as a dictionary.
  private static func lookUp(_ name: String, _ value: (String) -> Any?) -> Any? {
    if let given = value(name) { return given }
    let parts: [Substring] = name.split(separator: ".")
    guard parts.count > 1 else { return nil }
    var current: Any? = value(String(parts[0]))
    for part in parts.dropFirst() { current = (current as? [String: Any])?[String(part)] }
    return current
  }

  private static func stored(_ value: Any, _ info: EntityInfo, _ property: Int) -> Value? {
    guard case .attribute(let attribute) = info.entity.properties[property].kind else {
      return key(of: value).map { .object($0) }
    }
    if attribute.type == .transformable, !(value is Data),
      let description = info.description.propertyDescriptions[property] as? NSAttributeDescription
    {
      return description.transformer?.storedData(of: value).map { .data($0) }
    }
    return NSManagedObject.converted(value, to: attribute.type)
  }
}
