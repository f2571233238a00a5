public import Foundation

extension NSEntityDescription {
  /// A digest of what a store has to know: name, parent, abstractness, modifier, own and inherited properties,
  /// uniqueness constraints. Class, indexes and user info are not part of it. 32 bytes; kept once the model is frozen.
  public var versionHash: Data {
    if let hash = frozen.versionHash { return hash }
    var hasher = VersionHasher()
    hasher.add("entity 1")
    hasher.add(name)
    hasher.add(superentity?.name)
    hasher.add(isAbstract)
    hasher.add(versionHashModifier)
    for property in propertiesByName.values.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
      hasher.add(property.versionHash)
    }
    for constraint in uniquenessConstraints {
      hasher.add(constraint.count)
      for element in constraint { hasher.add(Self.propertyName(inConstraint: element) as? String) }
    }
    return hasher.digest
  }
}
