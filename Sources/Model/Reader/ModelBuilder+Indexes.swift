internal import Foundation

extension ModelBuilder {
  func buildConstraints(_ node: XMLNode, for entity: NSEntityDescription) {
    var constraints: [[Any]] = []
    for constraint in node.children(named: "uniquenessConstraints").flatMap({ $0.children }) {
      let names: [String] = constraint.children(named: "constraint").compactMap { text("value", of: $0) }
      if names.isEmpty {
        report(.warning, "a uniqueness constraint without attributes is ignored", at: constraint, entity: entity.name)
      } else {
        constraints.append(names)
      }
    }
    entity.uniquenessConstraints = constraints
  }

  func buildIndexes(_ node: XMLNode, for entity: NSEntityDescription) {
    let compound: [XMLNode] = node.children(named: "compoundIndexes").flatMap { $0.children }
    entity.compoundIndexes = compound.map { index in
      index.children(named: "index").compactMap { text("value", of: $0) }
    }.filter { !$0.isEmpty }
    var indexes: [NSFetchIndexDescription] = []
    for child in node.children(named: "fetchIndex") {
      guard let name = text("name", of: child) else {
        report(.error, "a fetch index without a name", at: child, entity: entity.name)
        continue
      }
      let elements: [NSFetchIndexElementDescription] = child.children(named: "fetchIndexElement").compactMap {
        buildIndexElement($0, index: name, entity: entity.name)
      }
      let index = NSFetchIndexDescription(name: name, elements: elements)
      index.origin = origin(child)
      index.partialPredicateText = text("partialIndexPredicate", of: child)
      indexes.append(index)
    }
    entity.indexes = indexes
  }

  private func buildIndexElement(
    _ node: XMLNode, index: String, entity: String?
  ) -> NSFetchIndexElementDescription? {
    var collation: NSFetchIndexElementType = .binary
    if let type = text("type", of: node) {
      switch type {
      case "Binary", "binary": break
      case "RTree", "rtree", "R-Tree": collation = .rTree
      default:
        report(
          .error, "unknown type '\(type)' in the index '\(index)'; it can be Binary or RTree", at: node, entity: entity)
      }
    }
    let element: NSFetchIndexElementDescription
    if let property = text("property", of: node) {
      element = NSFetchIndexElementDescription(propertyName: property, collationType: collation)
    } else if let expression = text("expression", of: node) {
      let column = NSExpressionDescription()
      column.name = expression
      column.expressionText = expression
      if let typeName = text("expressionType", of: node) {
        if let type = NSAttributeType(fileName: typeName) {
          column.expressionResultType = type
        } else {
          report(.error, "unknown type '\(typeName)' in the index '\(index)'", at: node, entity: entity)
        }
      }
      element = NSFetchIndexElementDescription(property: column, collationType: collation)
    } else {
      report(
        .error, "an element of the index '\(index)' names neither property nor expression", at: node, entity: entity)
      return nil
    }
    switch text("order", of: node) ?? "ascending" {
    case "ascending": break
    case "descending": element.isAscending = false
    case let order:
      report(
        .error, "the order '\(order)' in the index '\(index)' is not ascending or descending", at: node, entity: entity)
    }
    return element
  }

  func buildConfiguration(_ node: XMLNode) {
    guard let name = text("name", of: node) else {
      report(.error, "a configuration without a name", at: node)
      return
    }
    if model.entityNamesByConfiguration[name] != nil {
      report(.error, "there are two configurations named '\(name)'", at: node)
      return
    }
    var members: [String] = []
    for member in node.children(named: "memberEntity") {
      guard let entity = text("name", of: member) else { continue }
      if !entityNames.contains(entity) {
        report(.error, "the configuration '\(name)' has an entity '\(entity)' that doesn't exist", at: member)
      } else {
        members.append(entity)
      }
    }
    model.entityNamesByConfiguration[name] = members
    if flag("usedWithCloudKit", of: node) { model.cloudConfigurations.insert(name) }
  }

  func buildComposites(_ nodes: [XMLNode]) {
    for node in nodes {
      guard let name = text("name", of: node) else {
        report(.error, "a composite without a name", at: node)
        continue
      }
      if composites[name] != nil {
        report(.error, "there are two composites named '\(name)'", at: node)
        continue
      }
      let composite = NSCompositeAttributeDescription()
      composite.name = name
      composite.compositeName = name
      composite.origin = origin(node)
      if node.children(named: "attribute").isEmpty {
        report(.warning, "the composite '\(name)' has no elements: attributes of it never have a value", at: node)
      }
      composite.elements = node.children(named: "attribute").compactMap { buildAttribute($0, entity: name) }
      composites[name] = composite
      model.composites.append(composite)
    }
    var finished: Set<String> = []
    for composite in model.composites { checkComposite(composite, path: [composite.name], &finished) }
  }

  /// Reports composites that contain themselves, or are nested too deep.
  private func checkComposite(
    _ composite: NSCompositeAttributeDescription, path: [String], _ finished: inout Set<String>
  ) {
    for case let element as NSCompositeAttributeDescription in composite.elements {
      guard let name = element.compositeName, let inner = composites[name], !finished.contains(name) else { continue }
      if path.contains(name) || path.count > ModelLimits.compositeDepthMax {
        let what: String = path.contains(name) ? "the composite contains itself" : "composites are nested too deep"
        circularComposites.formUnion(path)
        add(
          ModelDiagnostic(
            .error, "\(what), through \((path + [name]).joined(separator: " → "))", file: file,
            line: element.origin.line, entity: composite.name, property: element.name))
        return
      }
      checkComposite(inner, path: path + [name], &finished)
    }
    finished.insert(composite.name)
  }

  /// Gives a composite attribute the elements of the composite it names.
  func expandComposite(_ attribute: NSCompositeAttributeDescription, entity: String, depth: Int = 0) {
    guard let name = attribute.compositeName else { return }
    guard let composite = composites[name] else {
      add(
        ModelDiagnostic(
          .error, "the composite '\(name)' doesn't exist", file: file, line: attribute.origin.line, entity: entity,
          property: attribute.name))
      return
    }
    guard !circularComposites.contains(name), depth <= ModelLimits.compositeDepthMax else { return }
    // Composites of composites multiply: what they come to is bounded, whatever their number.
    expandedElements += composite.elements.count
    guard expandedElements <= ModelLimits.compositeElementsMax else {
      if expandedElements - composite.elements.count <= ModelLimits.compositeElementsMax {
        add(
          ModelDiagnostic(
            .error, "composite attributes have more than \(ModelLimits.compositeElementsMax) elements in all",
            file: file, line: attribute.origin.line, entity: entity, property: attribute.name))
      }
      return
    }
    attribute.elements = composite.elements.compactMap { $0.copy() as? NSAttributeDescription }
    for case let element as NSCompositeAttributeDescription in attribute.elements {
      expandComposite(element, entity: entity, depth: depth + 1)
    }
  }
}
