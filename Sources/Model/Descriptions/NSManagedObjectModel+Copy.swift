public import Foundation

extension NSManagedObjectModel {
  /// A copy of the whole model that may be changed: entities, properties and indexes are copies, and lead to each
  /// other as the originals do.
  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSManagedObjectModel()
    copyContents(to: copy, entities: entities)
    return copy
  }

  /// Fills an empty model with copies of `entities`, which may come from this model or from others.
  func copyContents(to copy: NSManagedObjectModel, entities: [NSEntityDescription]) {
    copy.setCopies(of: entities)
    copy.versionIdentifiers = versionIdentifiers
    copy.localizationDictionary = localizationDictionary
    copy.templates = templates
    copy.templateObjects = templateObjects.compactMapValues { ($0 as? NSObject)?.copy() as AnyObject? }
    copy.entityNamesByConfiguration = entityNamesByConfiguration
    copy.cloudConfigurations = cloudConfigurations
    copy.composites = composites.compactMap { $0.copy() as? NSCompositeAttributeDescription }
    copy.fileAttributes = fileAttributes
    copy.url = url
  }

  /// Makes copies of `originals` this model's entities and joins them up by name.
  func setCopies(of originals: [NSEntityDescription]) {
    var copies: [NSEntityDescription] = []
    var byName: [String: NSEntityDescription] = [:]
    for original in originals {
      guard let entity = original.copy() as? NSEntityDescription else { continue }
      copies.append(entity)
      if let name = entity.name { byName[name] = entity }
    }
    for (original, entity) in zip(originals, copies) {
      entity.subentities = original.subentities.compactMap { $0.name.flatMap { byName[$0] } }
    }
    for entity in copies {
      for case let relationship as NSRelationshipDescription in entity.ownProperties {
        relationship.join(byName)
      }
      // Again, now that inherited properties can be found by name.
      entity.joinIndexes()
    }
    entities = copies
  }
}
