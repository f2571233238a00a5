internal import Foundation
internal import Model
internal import Schema

// Composite attributes: dictionaries to their users, attributes named `composite.element` to everything below.
extension NSManagedObject {
  /// Whether a property that is never stored is a composite attribute, and not a fetched property.
  final func isComposite(_ property: Int) -> Bool {
    info.description.propertyDescriptions[property] is NSCompositeAttributeDescription
  }

  /// The values of a composite's elements by name, without those that are absent; `nil` when all are.
  final func compositeValue(_ property: Int, firing: Bool = true) -> [String: Any]? {
    if firing { realise() }
    return composed(property) { self.boxedNow($0, $1) }
  }

  /// What a composite's elements had when the object was last fetched or saved.
  final func committedComposite(_ property: Int) -> [String: Any]? {
    composed(property) { element, attribute in
      let value: Value = self.savedValue(element)
      if attribute.type == .transformable, case .data(let data) = value { return self.restored(data, element) }
      return self.boxed(value, attribute)
    }
  }

  /// A composite's dictionary, its elements read by `read`.
  final func composed(_ property: Int, _ read: (Int, AttributeSchema) -> Any?) -> [String: Any]? {
    var values: [String: Any] = [:]
    for (name, element) in elements(of: property) {
      if case .attribute(let attribute) = info.entity.properties[element].kind {
        values[name] = read(element, attribute)
      } else {
        values[name] = composed(element, read)
      }
    }
    return values.isEmpty ? nil : values
  }

  /// Gives a composite's elements the values of a dictionary; those that it lacks become absent.
  final func setComposite(_ value: Any?, _ property: Int, tracking: Bool = true) {
    var values: [String: Any] = [:]
    switch value {
    case nil: break
    case let dictionary as [String: Any]: values = dictionary
    case let dictionary as [String: Any?]: values = dictionary.compactMapValues { $0 }
    default: stopForWrongValue(value ?? "nil", property)
    }
    let elements: [(name: String, property: Int)] = elements(of: property)
    if let unknown = values.keys.sorted().first(where: { key in !elements.contains { $0.name == key } }) {
      ProgrammerError.stop(
        "\(info.entity.name).\(info.entity.properties[property].name) has no element '\(unknown)'; it has "
          + "\(elements.map { $0.name }.joined(separator: ", ")).")
    }
    for (name, element) in elements {
      let given: Any? = values[name].flatMap { $0 is NSNull ? nil : $0 }
      let schema: PropertySchema = info.entity.properties[element]
      if case .attribute(let attribute) = schema.kind {
        if tracking { willMutate(element) }
        storeAttribute(given, element, attribute, isTransient: schema.isTransient)
      } else {
        setComposite(given, element, tracking: tracking)
      }
    }
  }

  /// The composite attribute that a property is an element of, or the property itself.
  final func whole(_ property: Int) -> Int {
    let name: String = info.entity.properties[property].name
    guard let dot = name.firstIndex(of: ".") else { return property }
    return info.property(named: String(name[..<dot])) ?? property
  }

  /// A composite's own elements: the properties after it whose names begin with its own and a dot.
  private final func elements(of property: Int) -> [(name: String, property: Int)] {
    let prefix: String = info.entity.properties[property].name + "."
    var elements: [(name: String, property: Int)] = []
    for index in (property + 1)..<info.entity.properties.count {
      let name: String = info.entity.properties[index].name
      guard name.hasPrefix(prefix) else { break }
      let rest: Substring = name.dropFirst(prefix.count)
      if !rest.contains(".") { elements.append((String(rest), index)) }
    }
    return elements
  }
}
