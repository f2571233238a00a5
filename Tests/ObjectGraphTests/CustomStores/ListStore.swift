import Annals
import Foundation

/// An atomic store of the tests' own: a property list with one dictionary an object.
final class ListStore: NSAtomicStore, @unchecked Sendable {
  static let storeType = "AnnalsTestsList"
  /// Makes the next save fail, as a full disk would.
  static let refusal = "refuse"

  override func load() throws {
    guard let url, let data = try? Data(contentsOf: url) else {
      metadata = [NSStoreUUIDKey: identifier ?? "", NSStoreTypeKey: Self.storeType]
      return
    }
    let list = try PropertyListSerialization.propertyList(from: data, options: [], format: nil) as? [String: Any]
    metadata = list?["metadata"] as? [String: Any] ?? [:]
    let records: [[String: Any]] = list?["objects"] as? [[String: Any]] ?? []
    var nodes: [String: NSAtomicStoreCacheNode] = [:]
    let entities = persistentStoreCoordinator?.managedObjectModel.entitiesByName ?? [:]
    for record in records {
      guard let name = record["reference"] as? String, let entity = entities[record["entity"] as? String ?? ""] else {
        continue
      }
      let node = NSAtomicStoreCacheNode(objectID: objectID(for: entity, withReferenceObject: name))
      for (key, value) in record["values"] as? [String: Any] ?? [:] { node.setValue(value, forKey: key) }
      nodes[name] = node
    }
    for record in records {
      guard let node = nodes[record["reference"] as? String ?? ""] else { continue }
      for (key, members) in record["toMany"] as? [String: [String]] ?? [:] {
        node.setValue(Set(members.compactMap { nodes[$0] }), forKey: key)
      }
      for (key, other) in record["toOne"] as? [String: String] ?? [:] { node.setValue(nodes[other], forKey: key) }
    }
    addCacheNodes(Set(nodes.values))
  }

  override func save() throws {
    guard let url else { return }
    if (metadata[Self.refusal] as? Bool) == true { throw CocoaError(.fileWriteOutOfSpace) }
    let objects: [[String: Any]] = cacheNodes().map { node in
      var values: [String: Any] = [:]
      var toOne: [String: String] = [:]
      var toMany: [String: [String]] = [:]
      for (key, value) in node.propertyCache as? [String: Any] ?? [:] {
        switch value {
        case let other as NSAtomicStoreCacheNode: toOne[key] = name(other)
        case let others as Set<NSAtomicStoreCacheNode>: toMany[key] = others.map { name($0) }.sorted()
        default: values[key] = value
        }
      }
      return [
        "reference": name(node), "entity": node.objectID.entity.name ?? "", "values": values, "toOne": toOne,
        "toMany": toMany,
      ]
    }
    let list: [String: Any] = ["metadata": metadata ?? [:], "objects": objects]
    try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0).write(to: url)
  }

  private func name(_ node: NSAtomicStoreCacheNode) -> String { referenceObject(for: node.objectID) as? String ?? "" }

  override func newReferenceObject(for managedObject: NSManagedObject) -> Any { UUID().uuidString }

  override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
    NSAtomicStoreCacheNode(objectID: managedObject.objectID)
  }

  override func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
    node.propertyCache = nil
    for property in managedObject.entity.properties {
      guard let value = managedObject.value(forKey: property.name) else { continue }
      switch value {
      case let object as NSManagedObject: node.setValue(cacheNode(for: object.objectID), forKey: property.name)
      case let objects as Set<NSManagedObject>:
        node.setValue(Set(objects.compactMap { cacheNode(for: $0.objectID) }), forKey: property.name)
      default: node.setValue(value, forKey: property.name)
      }
    }
  }

  override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    let data = try Data(contentsOf: url)
    let list = try PropertyListSerialization.propertyList(from: data, options: [], format: nil) as? [String: Any]
    return list?["metadata"] as? [String: Any] ?? [:]
  }
}
