internal import Foundation
internal import Schema

extension NSEntityDescription {
  /// The entity's properties, inherited ones first. Setting it replaces the entity's own; inherited ones in the list
  /// are left where they are.
  public var properties: [NSPropertyDescription] {
    get {
      if isFrozen { return frozen.properties }
      return inheritedProperties + ownProperties
    }
    set {
      willChange("properties")
      let inherited: Set<ObjectIdentifier> = Set(inheritedProperties.map { ObjectIdentifier($0) })
      for property in ownProperties where property.owner === self { property.owner = nil }
      ownProperties = newValue.filter { !inherited.contains(ObjectIdentifier($0)) }
      for property in ownProperties { property.owner = self }
    }
  }

  /// Takes properties into an entity that has none and inherits nothing yet.
  func adoptOwn(_ properties: [NSPropertyDescription]) {
    ownProperties = properties
    for property in properties { property.owner = self }
  }

  /// Own and inherited properties by name. Costs a pass over them until the model is frozen, nothing afterwards.
  public var propertiesByName: [String: NSPropertyDescription] {
    if isFrozen { return frozen.propertiesByName }
    var byName: [String: NSPropertyDescription] = [:]
    for property in properties { byName[property.name] = property }
    return byName
  }

  /// Own and inherited attributes by name.
  public var attributesByName: [String: NSAttributeDescription] {
    if isFrozen { return frozen.attributesByName }
    return propertiesByName.compactMapValues { $0 as? NSAttributeDescription }
  }

  /// Own and inherited relationships by name.
  public var relationshipsByName: [String: NSRelationshipDescription] {
    if isFrozen { return frozen.relationshipsByName }
    return propertiesByName.compactMapValues { $0 as? NSRelationshipDescription }
  }

  /// Sub-entities by name.
  public var subentitiesByName: [String: NSEntityDescription] {
    var byName: [String: NSEntityDescription] = [:]
    for subentity in subentities { if let name = subentity.name { byName[name] = subentity } }
    return byName
  }

  /// The relationships, own and inherited, that lead to an entity.
  public func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
    properties.compactMap { $0 as? NSRelationshipDescription }.filter { $0.destinationEntity === entity }
  }

  /// Whether it is `entity` or inherits from it.
  public func isKindOf(entity: NSEntityDescription) -> Bool {
    var current: NSEntityDescription? = self
    var steps = 0
    while let here = current, steps <= Self.depthMax {
      if here === entity || (here.name == entity.name && here == entity) { return true }
      current = here.superentity
      steps += 1
    }
    return false
  }

  /// Index in the frozen schema. Stops the program when the model has not been frozen.
  package var schemaIndex: Int {
    guard let index = frozen.schemaIndex else {
      ProgrammerError.stop("The entity '\(name ?? "")' has no place in a schema: its model has not been used yet.")
    }
    return index
  }

  /// Descriptions in the order of the frozen schema's properties, a composite attribute's elements after it; empty
  /// until then.
  package var propertyDescriptions: [NSPropertyDescription] { frozen.schemaProperties }

  /// The property at the end of a path of names: one of the entity's, or an element of a composite attribute.
  package func property(atPath path: String) -> NSPropertyDescription? {
    guard path.contains(".") else { return property(named: path) }
    let names: [Substring] = path.split(separator: ".", omittingEmptySubsequences: false)
    var found: NSPropertyDescription? = property(named: String(names[0]))
    for name in names.dropFirst() {
      found = (found as? NSCompositeAttributeDescription)?.elements.first { $0.name == name }
    }
    return found
  }

  /// Generous bound on how deep inheritance may go, so that a circle ends.
  package static let depthMax = 100

  package func property(named name: String) -> NSPropertyDescription? {
    if isFrozen { return frozen.propertiesByName[name] }
    var current: NSEntityDescription? = self
    var steps = 0
    while let here = current, steps <= Self.depthMax {
      if let found = here.ownProperty(named: name) { return found }
      current = here.superentity
      steps += 1
    }
    return nil
  }

  private var inheritedProperties: [NSPropertyDescription] {
    var lists: [[NSPropertyDescription]] = []
    var current: NSEntityDescription? = superentity
    while let here = current, lists.count <= Self.depthMax {
      lists.append(here.ownProperties)
      current = here.superentity
    }
    return lists.reversed().flatMap { $0 }
  }
}
