internal import Foundation

extension ModelBuilder {
  func buildRelationship(_ node: XMLNode, entity: String) -> NSRelationshipDescription? {
    guard let name = text("name", of: node) else {
      report(.error, "a relationship without a name", at: node, entity: entity)
      return nil
    }
    let relationship = NSRelationshipDescription()
    relationship.name = name
    readShared(node, into: relationship, entity: entity)
    relationship.isOrdered = flag("ordered", of: node, entity: entity, property: name)
    relationship.minCount = count("minCount", of: node, entity: entity, property: name) ?? 0
    let maxCount: Int? = maxCount(of: node, entity: entity, property: name)
    if flag("toMany", of: node, entity: entity, property: name) {
      relationship.maxCount = maxCount ?? 0
      if maxCount == 1 {
        report(
          .warning, "the relationship is marked as to-many but holds at most 1: it is to-one", at: node,
          entity: entity, property: name)
      }
    } else {
      // Files from before the marker say it with the count alone.
      relationship.maxCount = maxCount ?? 1
    }
    if let text = text("deletionRule", of: node) {
      if let rule = NSDeleteRule(fileName: text) {
        relationship.deleteRule = rule
      } else {
        let known: String = NSDeleteRule.allCases.map { $0.fileName }.joined(separator: ", ")
        report(
          .error, "unknown delete rule '\(text)'; it can be one of \(known)", at: node, entity: entity,
          property: name)
      }
    }
    relationship.destinationName = text("destinationEntity", of: node)
    relationship.inverseName = text("inverseName", of: node)
    relationship.inverseEntityName = text("inverseEntity", of: node)
    return relationship
  }

  private func maxCount(of node: XMLNode, entity: String, property: String) -> Int? {
    guard text("maxCount", of: node) == "-1" else {
      return count("maxCount", of: node, entity: entity, property: property)
    }
    report(.warning, "maxCount is -1; it is read as 0, without bound", at: node, entity: entity, property: property)
    return 0
  }

  func buildFetchedProperty(_ node: XMLNode, entity: String) -> NSFetchedPropertyDescription? {
    guard let name = text("name", of: node) else {
      report(.error, "a fetched property without a name", at: node, entity: entity)
      return nil
    }
    let property = NSFetchedPropertyDescription()
    property.name = name
    readShared(node, into: property, entity: entity)
    let requests: [XMLNode] = node.children(named: "fetchRequest")
    if requests.count != 1 {
      report(
        .error, "a fetched property has one fetch request; this has \(requests.count)", at: node, entity: entity,
        property: name)
    }
    if let request = requests.first {
      property.template = template(request, entity: entity, property: name)
    }
    return property
  }

  func buildTemplate(_ node: XMLNode) {
    guard let template = template(node, entity: nil, property: nil) else { return }
    if model.templates[template.name] != nil {
      report(.error, "there are two fetch requests named '\(template.name)'", at: node)
      return
    }
    model.templates[template.name] = template
  }

  private func template(_ node: XMLNode, entity: String?, property: String?) -> FetchRequestTemplate? {
    guard let name = text("name", of: node), let entityName = text("entity", of: node) else {
      report(
        .error, "a fetch request needs a name and an entity", at: node, entity: entity, property: property)
      return nil
    }
    var template = FetchRequestTemplate(name: name, entityName: entityName)
    template.origin = origin(node)
    template.predicateFormat = text("predicateString", of: node)
    template.resultType = UInt(count("resultType", of: node, entity: entity, property: property) ?? 0)
    if ![0, 1, 2, 4].contains(template.resultType) {
      report(
        .error, "resultType is \(template.resultType); it can be 0, 1, 2 or 4", at: node, entity: entity,
        property: property)
    }
    template.fetchLimit = count("fetchLimit", of: node, entity: entity, property: property) ?? 0
    template.fetchBatchSize = count("fetchBatchSize", of: node, entity: entity, property: property) ?? 0
    func option(_ name: String, _ standard: Bool) -> Bool {
      node.attributes[name] == nil ? standard : flag(name, of: node, entity: entity, property: property)
    }
    template.includesSubentities = option("includeSubentities", true)
    template.includesPropertyValues = option("includePropertyValues", true)
    template.includesPendingChanges = option("includesPendingChanges", true)
    template.returnsObjectsAsFaults = option("returnObjectsAsFaults", true)
    template.returnsDistinctResults = option("returnDistinctResults", false)
    return template
  }
}
