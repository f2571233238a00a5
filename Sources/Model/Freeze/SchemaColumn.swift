internal import Foundation

/// A property as the schema has it. A composite attribute becomes one for itself, which is never stored, and one for
/// each of its elements, named `composite.element`: so stores, indexes and predicates know nothing of composites.
struct SchemaColumn {
  let property: NSPropertyDescription
  let name: String
  let isElement: Bool
  let isOptional: Bool
  let isTransient: Bool
  let renamingIdentifier: String?

  var owner: NSEntityDescription? { property.owner }

  static func columns(of property: NSPropertyDescription) -> [SchemaColumn] {
    let column = SchemaColumn(
      property: property, name: property.name, isElement: false, isOptional: property.isOptional,
      isTransient: property.isTransient, renamingIdentifier: property.storedRenamingIdentifier)
    return [column] + column.elements
  }

  /// The elements of a composite, by name, each before its own.
  private var elements: [SchemaColumn] {
    guard let composite = property as? NSCompositeAttributeDescription else { return [] }
    let sorted: [NSAttributeDescription] = composite.elements.sorted {
      $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }
    return sorted.flatMap { element -> [SchemaColumn] in
      let isRenamed: Bool = renamingIdentifier != nil || element.storedRenamingIdentifier != nil
      let former: String = "\(renamingIdentifier ?? name).\(element.storedRenamingIdentifier ?? element.name)"
      // An absent composite has no elements, so that what may be absent as a whole may be absent in part.
      let column = SchemaColumn(
        property: element, name: "\(name).\(element.name)", isElement: true,
        isOptional: isOptional || element.isOptional, isTransient: isTransient || element.isTransient,
        renamingIdentifier: isRenamed ? former : nil)
      return [column] + column.elements
    }
  }
}
