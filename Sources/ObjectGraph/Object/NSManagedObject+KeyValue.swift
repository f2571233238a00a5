internal import Foundation
internal import Schema

// Access by name.
extension NSManagedObject {
  final func readValue(forKey key: String) -> Any? {
    if let property = info.property(named: key) { return readProperty(property) }
    switch key {
    case "self", "SELF": return self
    case "objectID": return objectID
    case "entity": return entity
    case "hasChanges": return NSNumber(value: hasChanges)
    case "isInserted": return NSNumber(value: isInserted)
    case "isUpdated": return NSNumber(value: isUpdated)
    case "isDeleted": return NSNumber(value: isDeleted)
    case "isFault": return NSNumber(value: isFault)
    default: return value(forUndefinedKey: key)
    }
  }

  final func writeValue(_ value: Any?, forKey key: String) {
    guard let property = info.property(named: key) else {
      setValue(value, forUndefinedKey: key)
      return
    }
    if value == nil || value is NSNull, let attribute = info.entity.properties[property].attribute {
      switch attribute.type {
      case .boolean, .integer16, .integer32, .integer64, .float, .double: setNilValueForKey(key)
      default: break
      }
    }
    writeProperty(property, value)
  }

  final func readProperty(_ property: Int) -> Any? {
    let schema: PropertySchema = info.entity.properties[property]
    switch schema.kind {
    case .attribute(let attribute):
      realise()
      return boxedNow(property, attribute)
    case .relationship(let relationship):
      guard relationship.isToMany else { return toOne(property) }
      let objects: [NSManagedObject] = members(property)
      return relationship.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
    case .fetched:
      return isComposite(property) ? compositeValue(property) : fetchedValue(property)
    }
  }

  /// An attribute's value now, boxed.
  final func boxedNow(_ property: Int, _ attribute: AttributeSchema) -> Any? {
    if let object = state?.objects[property] { return object is NSNull ? nil : object }
    let value: Value = currentValue(property)
    if attribute.type == .transformable, case .data(let data) = value { return restored(data, property) }
    return boxed(value, attribute)
  }

  final func writeProperty(_ property: Int, _ value: Any?) {
    let schema: PropertySchema = info.entity.properties[property]
    let given: Any? = value is NSNull ? nil : value
    switch schema.kind {
    case .attribute(let attribute):
      willMutate(property)
      storeAttribute(given, property, attribute, isTransient: schema.isTransient)
    case .relationship(let relationship):
      if relationship.isToMany {
        setMembers(objects(in: given, property), property)
      } else {
        setToOne(property, object(given, property))
      }
    case .fetched:
      guard isComposite(property) else { stopForWrongValue(given ?? "nil", property) }
      setComposite(given, property)
    }
  }

  /// Sets an attribute to a value of its type.
  final func setAttribute(_ property: Int, _ value: Value) {
    willMutate(property)
    if let state, !state.objects.isEmpty { state.objects[property] = nil }
    storeOwn(property, value)
  }

  final func storeAttribute(_ value: Any?, _ property: Int, _ attribute: AttributeSchema, isTransient: Bool) {
    if let state, !state.objects.isEmpty { state.objects[property] = nil }
    guard let value else {
      storeOwn(property, .null)
      return
    }
    if isTransient, attribute.type == .transformable {
      storeOwn(property, .null)
      ensureState().objects[property] = value
      return
    }
    if attribute.type == .transformable {
      storeOwn(property, .data(transformed(value, property)))
      ensureState().objects[property] = value
      return
    }
    guard let converted = Self.converted(value, to: attribute.type) else { stopForWrongValue(value, property) }
    storeOwn(property, converted)
  }

  private final func object(_ value: Any?, _ property: Int) -> NSManagedObject? {
    guard let value else { return nil }
    guard let object = value as? NSManagedObject else { stopForWrongValue(value, property) }
    return object
  }

  private final func objects(in value: Any?, _ property: Int) -> [NSManagedObject] {
    guard let value else { return [] }
    let elements: [Any]
    switch value {
    case let set as NSOrderedSet: elements = set.array
    case let set as NSSet: elements = set.allObjects
    case let set as Set<NSManagedObject>: return Array(set)
    case let array as [Any]: elements = array
    default: stopForWrongValue(value, property)
    }
    return elements.map { element in
      guard let object = element as? NSManagedObject else { stopForWrongValue(element, property) }
      return object
    }
  }

  // MARK: key paths and several keys

  /// The value at the end of a path of property names. `@count` and the other collection operators work on to-many
  /// relationships in predicates, not here.
  public final func value(forKeyPath keyPath: String) -> Any? {
    let parts: [Substring] = keyPath.split(separator: ".", maxSplits: 1)
    guard let first = parts.first else { stopForUnknownKey(keyPath) }
    if parts.count == 2, let property = info.property(named: keyPath) { return readProperty(property) }
    let value: Any? = value(forKey: String(first))
    guard parts.count == 2 else { return value }
    let rest = String(parts[1])
    switch value {
    case nil: return nil
    case let object as NSManagedObject: return object.value(forKeyPath: rest)
    case let set as NSOrderedSet: return Self.values(rest, of: set.array, as: { NSOrderedSet(array: $0) })
    case let set as NSSet: return Self.values(rest, of: set.allObjects, as: { NSSet(array: $0) })
    default: stopForUnknownKey(keyPath)
    }
  }

  private static func values(_ path: String, of members: [Any], as collection: ([Any]) -> NSObject) -> Any? {
    if path == "@count" { return NSNumber(value: members.count) }
    return collection(members.compactMap { ($0 as? NSManagedObject)?.value(forKeyPath: path) })
  }

  /// Sets the property at the end of a path. A path that ends early, at a relationship without a value, sets nothing.
  public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
    guard let dot = keyPath.lastIndex(of: ".") else {
      setValue(value, forKey: keyPath)
      return
    }
    if let property = info.property(named: keyPath) {
      writeProperty(property, value)
      return
    }
    let owner: Any? = self.value(forKeyPath: String(keyPath[..<dot]))
    let key = String(keyPath[keyPath.index(after: dot)...])
    switch owner {
    case nil: return
    case let object as NSManagedObject: object.setValue(value, forKey: key)
    default: stopForUnknownKey(keyPath)
    }
  }

  /// Sets several properties. `NSNull` stands for no value.
  public final func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
  }

  /// Several properties' values, `NSNull` for those without one.
  public final func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    var values: [String: Any] = [:]
    for key in keys { values[key] = value(forKey: key) ?? NSNull() }
    return values
  }

  // MARK: below tracking

  /// A property's value without telling the object that it is read: what accessors written by hand return. Does not
  /// make a fault read its row.
  public final func primitiveValue(forKey key: String) -> Any? {
    guard let property = info.property(named: key) else { stopForUnknownKey(key) }
    switch info.entity.properties[property].kind {
    case .attribute(let attribute): return boxedNow(property, attribute)
    case .relationship(let relationship):
      guard relationship.isToMany else { return currentKey(property).flatMap { resolve($0) } }
      return relationship.isOrdered
        ? RelationshipOrderedSet(owner: self, property: property) : RelationshipSet(owner: self, property: property)
    case .fetched: return isComposite(property) ? compositeValue(property, firing: false) : fetchedValue(property)
    }
  }

  /// Sets a property without marking a change and, for a to-one relationship, without its inverse: what accessors
  /// written by hand call between `willChangeValue` and `didChangeValue`.
  public final func setPrimitiveValue(_ value: Any?, forKey key: String) {
    guard let property = info.property(named: key) else { stopForUnknownKey(key) }
    let schema: PropertySchema = info.entity.properties[property]
    let given: Any? = value is NSNull ? nil : value
    realise()
    switch schema.kind {
    case .attribute(let attribute): storeAttribute(given, property, attribute, isTransient: schema.isTransient)
    case .relationship(let relationship):
      if relationship.isToMany {
        setMembers(objects(in: given, property), property)
      } else {
        storeOwn(property, object(given, property).map { .object($0.key) } ?? .null)
      }
    case .fetched:
      guard isComposite(property) else { stopForWrongValue(given ?? "nil", property) }
      setComposite(given, property, tracking: false)
    }
  }
}
