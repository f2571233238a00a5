public import Foundation

extension NSPropertyDescription {
  /// A digest of what a store has to know: name, kind, optionality, transience, modifier; an attribute's type and
  /// derivation; a relationship's destination, inverse, counts, order and delete rule. Defaults, validation, classes
  /// and user info are not part of it. 32 bytes, the same on every machine; not Apple's.
  public var versionHash: Data {
    var hasher = VersionHasher()
    hasher.add("property 1")
    hasher.add(name)
    hasher.add(isOptional)
    hasher.add(isTransient)
    hasher.add(versionHashModifier)
    addShape(to: &hasher)
    return hasher.digest
  }

  private func addShape(to hasher: inout VersionHasher) {
    switch self {
    case let attribute as NSAttributeDescription:
      hasher.add("attribute")
      hasher.add(Int(attribute.attributeType.rawValue))
      hasher.add((attribute as? NSDerivedAttributeDescription)?.derivationText)
      for element in (attribute as? NSCompositeAttributeDescription)?.elements ?? [] { hasher.add(element.versionHash) }
    case let relationship as NSRelationshipDescription:
      hasher.add("relationship")
      hasher.add(relationship.destinationEntity?.name ?? relationship.destinationName)
      hasher.add(relationship.inverseRelationship?.name ?? relationship.inverseName)
      hasher.add(relationship.minCount)
      hasher.add(relationship.maxCount)
      hasher.add(relationship.isOrdered)
      hasher.add(Int(relationship.deleteRule.rawValue))
    default:
      hasher.add(self is NSFetchedPropertyDescription ? "fetched" : "other")
    }
  }
}
