public import Foundation

extension NSEntityDescription {
  /// A digest of what a store has to know: name, abstractness and modifier, its own and those of the entities above it,
  /// own and inherited properties, uniqueness constraints. Class, indexes and user info are not part of it. 32 bytes;
  /// kept once the model is frozen.
  public var versionHash: Data {
    if let hash = frozen.versionHash { return hash }
    var hasher = VersionHasher()
    hasher.add("entity 1")
    hasher.add(name)
    hasher.add(superentity?.name)
    hasher.add(isAbstract)
    hasher.add(versionHashModifier)
    addAncestors(to: &hasher)
    for property in propertiesByName.values.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
      hasher.add(property.versionHash)
    }
    for constraint in uniquenessConstraints {
      hasher.add(constraint.count)
      for element in constraint { hasher.add(Self.propertyName(inConstraint: element) as? String) }
    }
    return hasher.digest
  }

  /// A parent is itself a part of what a store knows of an entity. Its own digest can't be asked for: until a model is
  /// checked, parents may go round in a circle.
  private func addAncestors(to hasher: inout VersionHasher) {
    var above: NSEntityDescription? = superentity
    for _ in 0..<Self.depthMax {
      guard let ancestor = above, ancestor !== self else { return }
      hasher.add(ancestor.superentity?.name)
      hasher.add(ancestor.isAbstract)
      hasher.add(ancestor.versionHashModifier)
      above = ancestor.superentity
    }
  }
}
