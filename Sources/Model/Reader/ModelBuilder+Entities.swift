internal import Foundation

extension ModelBuilder {
  func buildEntities(_ nodes: [XMLNode]) {
    var entities: [NSEntityDescription] = []
    var byName: [String: NSEntityDescription] = [:]
    var parents: [(entity: NSEntityDescription, node: XMLNode, parent: String)] = []
    for node in nodes {
      guard let entity = buildEntity(node) else { continue }
      entities.append(entity)
      if let name = entity.name, byName[name] == nil { byName[name] = entity }
      if let parent = text("parentEntity", of: node) { parents.append((entity, node, parent)) }
    }
    model.entities = entities
    entityNames = Set(byName.keys)
    link(parents, in: byName)
    for entity in entities {
      for case let relationship as NSRelationshipDescription in entity.ownProperties { relationship.join(byName) }
      entity.joinIndexes()
    }
  }

  private func buildEntity(_ node: XMLNode) -> NSEntityDescription? {
    guard let name = text("name", of: node) else {
      report(.error, "an entity without a name", at: node)
      return nil
    }
    let entity = NSEntityDescription()
    entity.name = name
    entity.origin = origin(node)
    entity.storedClassName = text("representedClassName", of: node)
    entity.isAbstract = flag("isAbstract", of: node, entity: name)
    entity.versionHashModifier = text("versionHashModifier", of: node)
    entity.storedRenamingIdentifier = text("renamingIdentifier", of: node) ?? text("elementID", of: node)
    entity.spotlightNameText = text("coreSpotlightDisplayNameExpression", of: node)
    entity.userInfo = userInfo(of: node, entity: name)
    if let text = text("codeGenerationType", of: node) {
      if let generation = CodeGeneration(rawValue: text) {
        entity.codeGeneration = generation
      } else {
        report(
          .error, "codeGenerationType is '\(text)'; it can be 'class' or 'category', or be absent", at: node,
          entity: name)
      }
    }
    var properties: [NSPropertyDescription] = []
    for child in node.children {
      switch child.name {
      case "attribute":
        guard let property = buildAttribute(child, entity: name) else { continue }
        if let composite = property as? NSCompositeAttributeDescription { expandComposite(composite, entity: name) }
        properties.append(property)
      case "relationship": if let property = buildRelationship(child, entity: name) { properties.append(property) }
      case "fetchedProperty":
        if let property = buildFetchedProperty(child, entity: name) { properties.append(property) }
      default: break
      }
    }
    entity.properties = properties
    buildConstraints(node, for: entity)
    buildIndexes(node, for: entity)
    return entity
  }

  /// Joins sub-entities to their parents, except where that would make a circle.
  private func link(
    _ parents: [(entity: NSEntityDescription, node: XMLNode, parent: String)], in byName: [String: NSEntityDescription]
  ) {
    var parentNames: [String: String] = [:]
    for item in parents where byName[item.entity.name ?? ""] === item.entity {
      parentNames[item.entity.name ?? ""] = item.parent
    }
    var subentities: [ObjectIdentifier: [NSEntityDescription]] = [:]
    for (entity, node, parentName) in parents {
      guard let parent = byName[parentName] else {
        report(
          .error, "the parent entity '\(parentName)' doesn't exist", at: node, entity: entity.name)
        continue
      }
      if let circle = Self.circle(from: entity.name ?? "", parentNames) {
        report(
          .error, "the entity is its own ancestor: \(circle.joined(separator: " → "))", at: node, entity: entity.name)
        continue
      }
      subentities[ObjectIdentifier(parent), default: []].append(entity)
    }
    for entity in model.entities {
      if let children = subentities[ObjectIdentifier(entity)] { entity.subentities = children }
    }
  }

  /// The names passed when following parents from an entity leads back to it; `nil` when it doesn't.
  private static func circle(from name: String, _ parents: [String: String]) -> [String]? {
    var path: [String] = [name]
    var seen: Set<String> = [name]
    var current: String = name
    while let next = parents[current], path.count <= NSEntityDescription.depthMax + 1 {
      path.append(next)
      if next == name { return path }
      guard seen.insert(next).inserted else { return nil }
      current = next
    }
    return nil
  }
}
