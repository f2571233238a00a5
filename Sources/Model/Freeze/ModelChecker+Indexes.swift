internal import Foundation

extension ModelChecker {
  mutating func checkConstraints(of entity: NSEntityDescription) {
    for constraint in entity.uniquenessConstraints {
      if constraint.isEmpty { report(.error, "a uniqueness constraint names no attribute", entity) }
      for element in constraint {
        guard let name = NSEntityDescription.propertyName(inConstraint: element) as? String else {
          report(
            .error, "a uniqueness constraint names \(element), which is neither a name nor a description", entity)
          continue
        }
        guard let property = entity.property(atPath: name) else {
          report(.error, "a uniqueness constraint names '\(name)', which the entity doesn't have", entity)
          continue
        }
        if !Self.isStored(property) {
          report(
            .error, "a uniqueness constraint names '\(name)'; it can name stored attributes and to-one relationships",
            entity)
        }
      }
    }
  }

  mutating func checkIndexes(of entity: NSEntityDescription) {
    var names: Set<String> = []
    for index in entity.indexes {
      if !names.insert(index.name).inserted { indexFault(.error, "there are two indexes of this name", index, entity) }
      if let message = Self.fault(inPredicate: index.partialPredicateText) {
        indexFault(.warning, "it \(message)", index, entity)
      }
      if index.partialIndexPredicate != nil || index.partialPredicateText != nil {
        let message = "its partial predicate is not used: the index covers every object, and results are the same"
        indexFault(.warning, message, index, entity)
      }
      if index.elements.isEmpty { indexFault(.warning, "it has no elements and is ignored", index, entity) }
      for element in index.elements {
        let name: String = element.propertyName ?? ""
        if element.property is NSExpressionDescription {
          indexFault(
            .warning,
            "it is ignored: '\(name)' is computed, and indexes are of stored values; results are the same. Index a "
              + "derived attribute instead", index, entity)
          continue
        }
        if element.collationType == .rTree {
          indexFault(.warning, "'\(name)' is kept in the order of its values, not as an R-tree", index, entity)
        }
        guard let property = entity.property(atPath: name) else {
          indexFault(.error, "it names '\(name)', which the entity doesn't have", index, entity)
          continue
        }
        if !Self.isStored(property) {
          indexFault(.warning, "it is ignored: '\(name)' is not in the rows", index, entity)
        }
      }
    }
  }

  private mutating func indexFault(
    _ severity: ModelDiagnostic.Severity, _ message: String, _ index: NSFetchIndexDescription,
    _ entity: NSEntityDescription
  ) {
    add(
      ModelDiagnostic(
        severity, "in the index '\(index.name)': \(message)", file: index.origin.file ?? file,
        line: index.origin.line ?? entity.origin.line, entity: entity.name))
  }

  /// Whether rows hold a value for the property.
  static func isStored(_ property: NSPropertyDescription) -> Bool {
    guard !property.isTransient else { return false }
    if let relationship = property as? NSRelationshipDescription { return !relationship.isToMany }
    return property is NSAttributeDescription && !(property is NSCompositeAttributeDescription)
  }
}
