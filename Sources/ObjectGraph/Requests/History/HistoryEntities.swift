internal import Foundation
internal import Model

/// Entities that stand for transactions and changes, so that fetch requests over history can be made as for any other
/// entity. They belong to no program's model.
enum HistoryEntities {
  static let transaction: NSEntityDescription = entity(
    "TRANSACTION",
    [
      ("author", .stringAttributeType), ("bundleID", .stringAttributeType), ("contextName", .stringAttributeType),
      ("processID", .stringAttributeType), ("storeID", .stringAttributeType), ("timestamp", .dateAttributeType),
      ("transactionNumber", .integer64AttributeType),
    ])
  static let change: NSEntityDescription = entity(
    "CHANGE",
    [
      ("changeID", .integer64AttributeType), ("changeType", .integer16AttributeType),
      ("changedEntity", .stringAttributeType), ("changedObjectID", .objectIDAttributeType),
    ])

  private static func entity(_ name: String, _ attributes: [(String, NSAttributeType)]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      return attribute
    }
    return entity
  }
}
