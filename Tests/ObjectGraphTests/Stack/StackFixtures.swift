import Annals
import Foundation

/// A model and stores for tests of the stack: people with a city and tags, accounts that are unique by email.
enum StackFixtures {
  /// A new model each time, since a model in use can't change.
  static func model() -> NSManagedObjectModel {
    let person = entity(
      "Person", [("name", .stringAttributeType), ("age", .integer16AttributeType), ("city", .stringAttributeType)])
    let tag = entity("Tag", [("label", .stringAttributeType)])
    let account = entity(
      "Account", [("email", .stringAttributeType), ("owner", .stringAttributeType), ("plan", .stringAttributeType)])
    let note = entity("Note", [("text", .stringAttributeType)])
    account.uniquenessConstraints = [["email"]]
    account.attributesByName["email"]?.preservesValueInHistoryOnDeletion = true
    join(person, "tags", 0, tag, "people", 0)
    join(account, "notes", 0, note, "account", 1)
    let model = NSManagedObjectModel()
    model.entities = [person, tag, account, note]
    model.setEntities([person, tag], forConfigurationName: "People")
    model.setEntities([account, note], forConfigurationName: "Accounts")
    return model
  }

  private static func entity(_ name: String, _ attributes: [(String, NSAttributeType)]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      attribute.isOptional = true
      return attribute
    }
    return entity
  }

  private static func join(
    _ a: NSEntityDescription, _ aName: String, _ aMax: Int, _ b: NSEntityDescription, _ bName: String, _ bMax: Int
  ) {
    let there = NSRelationshipDescription()
    let back = NSRelationshipDescription()
    for (relationship, name, destination, maximum) in [(there, aName, b, aMax), (back, bName, a, bMax)] {
      relationship.name = name
      relationship.destinationEntity = destination
      relationship.maxCount = maximum
      relationship.isOptional = true
      relationship.deleteRule = .nullifyDeleteRule
    }
    there.inverseRelationship = back
    back.inverseRelationship = there
    a.properties.append(there)
    b.properties.append(back)
  }

  /// A coordinator with one store in memory.
  static func inMemory(_ url: URL = URL(fileURLWithPath: "/dev/null")) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
    try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: url)
    return coordinator
  }

  static func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }
}

/// A directory that is gone with its last reference.
final class TemporaryDirectory: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("annals-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func store(_ name: String = "Model.sqlite") -> URL { url.appendingPathComponent(name) }
}

/// The error that `body` throws, as ported code sees it; `nil` when it throws none.
func thrown(_ body: () throws -> Void) -> NSError? {
  do {
    try body()
    return nil
  } catch {
    return error as NSError
  }
}
