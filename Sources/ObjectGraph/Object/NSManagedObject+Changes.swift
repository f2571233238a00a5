internal import Foundation
internal import Schema

extension NSManagedObject {
  /// The properties that differ from what was last fetched or saved, with the values they have now (`NSNull` for none).
  /// Of a new object, those that were set.
  public final func changedValues() -> [String: Any] {
    var changed: [String: Any] = [:]
    for property in Set(changedProperties().map { whole($0) }) {
      changed[info.entity.properties[property].name] = readProperty(property) ?? NSNull()
    }
    return changed
  }

  /// Indexes of the properties that differ from what was last fetched or saved.
  final func changedProperties() -> [Int] {
    guard let state else { return [] }
    return info.entity.properties.indices.filter { state.touched.contains($0) && isChanged($0, state) }
  }

  private func isChanged(_ property: Int, _ state: ObjectState) -> Bool {
    if flags.contains(.inserted) { return true }
    let schema: PropertySchema = info.entity.properties[property]
    if info.toManyPlace[property] >= 0 {
      return !state.members.isEmpty && state.members[info.toManyPlace[property]]?.hasChanges == true
    }
    if schema.isTransient { return true }
    guard !state.values.isEmpty, let own = state.values[property] else { return false }
    return own != savedValue(property)
  }

  /// What the properties that this event has changed held before it.
  public final func changedValuesForCurrentEvent() -> [String: Any] {
    var changed: [String: Any] = [:]
    var elements: [Int: EventValue] = [:]
    for old in state?.eventValues ?? [] {
      if whole(old.property) != old.property {
        elements[old.property] = old
        continue
      }
      changed[info.entity.properties[old.property].name] = boxed(old) ?? NSNull()
    }
    for composite in Set(elements.keys.map { whole($0) }) {
      let before: [String: Any]? = composed(composite) { element, attribute in
        if let old = elements[element] { return boxed(old) }
        return boxedNow(element, attribute)
      }
      changed[info.entity.properties[composite].name] = before ?? NSNull()
    }
    return changed
  }

  private func boxed(_ old: EventValue) -> Any? {
    let schema: PropertySchema = info.entity.properties[old.property]
    switch old.content {
    case .object(let object): return object
    case .value(let value):
      if case .attribute(let attribute) = schema.kind {
        if attribute.type == .transformable, case .data(let data) = value { return restored(data, old.property) }
        return boxed(value, attribute)
      }
      if case .object(let key) = value { return resolve(key) }
      return nil
    case .members(var members):
      if !members.isLoaded { members.load(savedMembers(old.property)) }
      let objects: [NSManagedObject] = members.keys.compactMap { resolve($0) }
      return members.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
    }
  }

  /// What was last fetched or saved, `NSNull` where there was no value. Empty for an object that was never saved.
  ///
  /// - Parameter keys: all stored properties when `nil`.
  public final func committedValues(forKeys keys: [String]?) -> [String: Any] {
    guard !flags.contains(.inserted), place != nil else { return [:] }
    realise()
    let properties: [Int] =
      keys?.map { key in
        guard let property = info.property(named: key) else { stopForUnknownKey(key) }
        return property
      } ?? info.entity.properties.indices.filter { whole($0) == $0 }
    var committed: [String: Any] = [:]
    for property in properties {
      let schema: PropertySchema = info.entity.properties[property]
      guard !schema.isTransient else { continue }
      committed[schema.name] = committedValue(property, schema) ?? NSNull()
    }
    return committed
  }

  private func committedValue(_ property: Int, _ schema: PropertySchema) -> Any? {
    switch schema.kind {
    case .attribute(let attribute):
      let value: Value = savedValue(property)
      if attribute.type == .transformable, case .data(let data) = value { return restored(data, property) }
      return boxed(value, attribute)
    case .relationship(let relationship):
      if !relationship.isToMany {
        if case .object(let key) = savedValue(property) { return resolve(key) }
        return nil
      }
      let objects: [NSManagedObject] = savedMembers(property).compactMap { resolve($0) }
      return relationship.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
    case .fetched: return isComposite(property) ? committedComposite(property) : nil
    }
  }

  /// Whether a stored property differs from what was last fetched or saved; true for a new object.
  public final var hasPersistentChangedValues: Bool {
    if flags.contains(.inserted) { return true }
    return changedProperties().contains { !info.entity.properties[$0].isTransient }
  }

  /// The ids of a relationship's members, without reading any of them.
  public final func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
    guard let property = info.property(named: key), info.entity.properties[property].relationship != nil else {
      stopForUnknownKey(key)
    }
    if info.toManyPlace[property] >= 0 { return members(property).map { $0.objectID } }
    return toOne(property).map { [$0.objectID] } ?? []
  }

  /// Whether a relationship's members have not been read.
  public final func hasFault(forRelationshipNamed key: String) -> Bool {
    guard let property = info.property(named: key), info.entity.properties[property].relationship != nil else {
      stopForUnknownKey(key)
    }
    if info.toManyPlace[property] >= 0 {
      guard place != nil else { return false }
      return !memberState(property).isLoaded
    }
    guard flags.contains(.realised) else { return true }
    return toOne(property)?.isFault ?? false
  }
}
