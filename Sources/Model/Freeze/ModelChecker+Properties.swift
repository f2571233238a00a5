internal import Foundation

extension ModelChecker {
  mutating func checkProperties(of entity: NSEntityDescription) {
    let inherited: [String: NSPropertyDescription] = entity.superentity?.propertiesByName ?? [:]
    if entity.properties.count > ModelLimits.propertiesMax {
      report(
        .error, "it has \(entity.properties.count) properties; an entity may have \(ModelLimits.propertiesMax)", entity)
    }
    var names: Set<String> = []
    for property in entity.ownProperties {
      if property.name.isEmpty {
        report(.error, "a property without a name", entity, property)
      } else if ReservedNames.properties.contains(property.name) {
        report(
          .error, "the name is taken: every managed object has a '\(property.name)'. Give the property another name",
          entity, property)
      } else if !ReservedNames.isIdentifier(property.name) {
        report(.error, "the name is not an identifier: use letters, digits and underscores", entity, property)
      }
      if !names.insert(property.name).inserted {
        report(.error, "there are two properties of this name", entity, property)
      }
      if let above = inherited[property.name] { checkRedeclaration(property, of: above, entity) }
      check(property, entity)
    }
  }

  private mutating func checkRedeclaration(
    _ property: NSPropertyDescription, of above: NSPropertyDescription, _ entity: NSEntityDescription
  ) {
    let owner: String = above.owner?.name ?? ""
    if Self.haveSameShape(property, above) {
      report(.warning, "it is inherited from '\(owner)' already; the inherited one counts", entity, property)
    } else {
      report(
        .error, "it clashes with the property of another type that is inherited from '\(owner)'", entity, property)
    }
  }

  private static func haveSameShape(_ a: NSPropertyDescription, _ b: NSPropertyDescription) -> Bool {
    if let a = a as? NSAttributeDescription, let b = b as? NSAttributeDescription {
      return a.attributeType == b.attributeType
    }
    if let a = a as? NSRelationshipDescription, let b = b as? NSRelationshipDescription {
      return a.destinationEntity === b.destinationEntity && a.isToMany == b.isToMany && a.isOrdered == b.isOrdered
    }
    return a is NSFetchedPropertyDescription && b is NSFetchedPropertyDescription
  }

  private mutating func check(_ property: NSPropertyDescription, _ entity: NSEntityDescription) {
    switch property {
    case let attribute as NSAttributeDescription: check(attribute, entity)
    case let relationship as NSRelationshipDescription: check(relationship, entity)
    case let fetched as NSFetchedPropertyDescription:
      if let template = fetched.template, !hasEntity(named: template.entityName) {
        report(.error, "it fetches an entity '\(template.entityName)' that doesn't exist", entity, fetched)
      }
      if let message = Self.fault(inPredicate: fetched.template?.predicateFormat) {
        report(.error, "it \(message)", entity, fetched)
      }
    default:
      report(.error, "an entity can't have a property of class \(type(of: property))", entity, property)
    }
  }

  private mutating func check(_ attribute: NSAttributeDescription, _ entity: NSEntityDescription) {
    switch attribute.attributeType {
    case .undefinedAttributeType where !attribute.isTransient:
      report(.error, "it has no type: give it one, or make it transient", entity, attribute)
    case .compositeAttributeType where !(attribute is NSCompositeAttributeDescription):
      report(.error, "a composite attribute is described by NSCompositeAttributeDescription", entity, attribute)
    default: break
    }
    if let composite = attribute as? NSCompositeAttributeDescription { checkElements(of: composite, entity) }
    if let value = attribute.defaultValue, DefaultValue.lower(value, of: attribute.attributeType) == nil {
      report(
        .error, "the default value \(value) (\(type(of: value))) is not a value of the attribute's type", entity,
        attribute)
    }
    let limits: AttributeLimits = attribute.limits
    if Self.isEmptyRange(limits.minNumber, limits.maxNumber) || Self.isEmptyRange(limits.minLength, limits.maxLength)
      || Self.isEmptyRange(limits.minDate, limits.maxDate)
    {
      report(.warning, "no value is valid: the minimum is greater than the maximum", entity, attribute)
    }
    if let derived = attribute as? NSDerivedAttributeDescription {
      switch DerivationText.resolve(derived, in: entity) {
      case .success: break
      case .failure(let fault): report(.error, fault.message, entity, attribute)
      }
    }
  }

  /// Elements can be what a row can hold by itself.
  private mutating func checkElements(of composite: NSCompositeAttributeDescription, _ entity: NSEntityDescription) {
    var names: Set<String> = []
    var count = 0
    var stack: [(composite: NSCompositeAttributeDescription, path: String, depth: Int)] = [(composite, "", 0)]
    while let (current, path, depth) = stack.popLast() {
      names.removeAll()
      count += current.elements.count
      guard count <= ModelLimits.propertiesMax else { break }
      for element in current.elements {
        let place: String = path + element.name
        func fault(_ message: String) { report(.error, "its element '\(place)' \(message)", entity, composite) }
        if !ReservedNames.isIdentifier(element.name) { fault("has a name that is not an identifier") }
        if !names.insert(element.name).inserted { fault("is there twice") }
        switch element.attributeType {
        case .undefinedAttributeType: fault("has no type")
        case .objectIDAttributeType: fault("can't be an object ID: use a relationship of the entity")
        default: break
        }
        if element.allowsExternalBinaryDataStorage { fault("can't be kept outside the row") }
        if element is NSDerivedAttributeDescription { fault("can't be derived") }
        if let nested = element as? NSCompositeAttributeDescription {
          guard depth < ModelLimits.compositeDepthMax else { return fault("is nested too deep, or contains itself") }
          stack.append((nested, place + ".", depth + 1))
        } else if let value = element.defaultValue, DefaultValue.lower(value, of: element.attributeType) == nil {
          fault("has a default value that is not a value of its type: \(value)")
        }
      }
    }
    elementCounts[ObjectIdentifier(composite)] = count
  }

  /// What composites come to is bounded as properties are.
  mutating func checkElementCount(of entity: NSEntityDescription) {
    let counts: [Int] = entity.properties.compactMap { elementCounts[ObjectIdentifier($0)] }
    let total: Int = counts.reduce(entity.properties.count, +)
    guard !counts.isEmpty, total > ModelLimits.propertiesMax else { return }
    report(
      .error,
      "with the elements of its composite attributes it has \(total) properties; it may have \(ModelLimits.propertiesMax)",
      entity)
  }

  private static func isEmptyRange<Bound: Comparable>(_ low: Bound?, _ high: Bound?) -> Bool {
    guard let low, let high else { return false }
    return low > high
  }

  private mutating func check(_ relationship: NSRelationshipDescription, _ entity: NSEntityDescription) {
    guard let destination = relationship.destinationEntity else {
      if let name = relationship.destinationName {
        report(.error, "the destination entity '\(name)' doesn't exist", entity, relationship)
      } else {
        report(.error, "it has no destination entity", entity, relationship)
      }
      return
    }
    if !isMember(destination) {
      report(
        .error, "its destination entity '\(destination.name ?? "")' is not among the model's entities", entity,
        relationship)
    }
    if relationship.maxCount < 0 || relationship.minCount < 0 {
      report(.error, "a count is negative", entity, relationship)
    } else if relationship.maxCount != 0 && relationship.minCount > relationship.maxCount {
      report(.error, "the minimum count is greater than the maximum", entity, relationship)
    }
    if relationship.isOrdered && !relationship.isToMany {
      report(.warning, "a to-one relationship has no order; the mark is ignored", entity, relationship)
    }
    checkInverse(of: relationship, to: destination, entity)
  }

  private mutating func checkInverse(
    of relationship: NSRelationshipDescription, to destination: NSEntityDescription, _ entity: NSEntityDescription
  ) {
    guard let inverse = relationship.inverseRelationship else {
      if let name = relationship.inverseName {
        let other: String = destination.name ?? ""
        report(.error, "the inverse '\(other).\(name)' doesn't exist or is no relationship", entity, relationship)
      } else {
        report(
          .warning, "it has no inverse: deletes and changes of the other side are not noticed. Give it one", entity,
          relationship)
      }
      return
    }
    let name: String = "\(inverse.owner?.name ?? "").\(inverse.name)"
    if inverse.inverseRelationship !== relationship {
      let back: String = inverse.inverseRelationship.map { "'\($0.owner?.name ?? "").\($0.name)'" } ?? "nothing"
      report(.error, "its inverse '\(name)' has \(back) as its own inverse", entity, relationship)
      return
    }
    if let owner = inverse.owner, !destination.isKindOf(entity: owner) {
      report(
        .error, "its inverse '\(name)' is not a relationship of its destination '\(destination.name ?? "")'", entity,
        relationship)
    }
    if let declared = relationship.inverseEntityName, declared != inverse.owner?.name, declared != destination.name {
      report(
        .warning, "the file says that the inverse is in '\(declared)'; it is '\(name)'", entity, relationship)
    }
  }
}
