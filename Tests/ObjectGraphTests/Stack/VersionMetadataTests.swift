import Annals
import Foundation
import Testing

/// What a store says of the model it was made with.
@Suite("Versions in metadata")
struct VersionMetadataTests {
  private func coordinator(_ model: NSManagedObjectModel) -> NSPersistentStoreCoordinator {
    NSPersistentStoreCoordinator(managedObjectModel: model)
  }

  private func metadata(_ url: URL) throws -> [String: Any] {
    try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
  }

  /// The fixtures' model with a change of the entity Person.
  private func changed(_ change: (NSEntityDescription) -> Void) throws -> NSManagedObjectModel {
    let model = StackFixtures.model()
    change(try #require(model.entitiesByName["Person"]))
    return model
  }

  @Test("A18.5: a store has its model's version hashes and identifiers, while it is open and after")
  func hashes() throws {
    let directory = try TemporaryDirectory()
    let model = StackFixtures.model()
    model.versionIdentifiers = ["2", "spring"]
    let stack = coordinator(model)
    let store = try stack.addPersistentStore(type: .sqlite, at: directory.store())
    for found in [stack.metadata(for: store), try metadata(directory.store())] {
      #expect(found[NSStoreModelVersionHashesKey] as? [String: Data] == model.entityVersionHashesByName)
      #expect(found[NSStoreModelVersionHashesVersionKey] as? Int == 1)
      #expect(found[NSStoreModelVersionIdentifiersKey] as? [String] == ["2", "spring"])
      #expect(found[NSPersistenceFrameworkVersion] as? Int == 1)
      #expect(found[NSStoreTypeKey] as? String == NSSQLiteStoreType)
      #expect(found[NSStoreUUIDKey] as? String == store.identifier)
      #expect(StackFixtures.model().isConfiguration(withName: nil, compatibleWithStoreMetadata: found))
    }
    try stack.remove(store)
    let other = try changed { $0.renamingIdentifier = "Human" }
    #expect(other.isConfiguration(withName: nil, compatibleWithStoreMetadata: try metadata(directory.store())))
    let modified = try changed { $0.versionHashModifier = "2" }
    #expect(!modified.isConfiguration(withName: nil, compatibleWithStoreMetadata: try metadata(directory.store())))
  }

  @Test("A18.5, A1.14: a store of a configuration has the hashes of its entities only")
  func configurations() throws {
    let directory = try TemporaryDirectory()
    let model = StackFixtures.model()
    let stack = coordinator(model)
    try stack.addPersistentStore(type: .sqlite, configuration: "People", at: directory.store())
    let found = try metadata(directory.store())
    let hashes = try #require(found[NSStoreModelVersionHashesKey] as? [String: Data])
    #expect(hashes.keys.sorted() == ["Person", "Tag"])
    #expect(model.isConfiguration(withName: "People", compatibleWithStoreMetadata: found))
    #expect(!model.isConfiguration(withName: "Accounts", compatibleWithStoreMetadata: found))
    #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: found))
  }

  @Test("B070, B071: a model that does not fit is refused with 134100, each difference, and the store's metadata")
  func refused() throws {
    let directory = try TemporaryDirectory()
    let first = coordinator(StackFixtures.model())
    try first.remove(try first.addPersistentStore(type: .sqlite, at: directory.store()))
    let model = try changed { person in
      person.attributesByName["age"]?.attributeType = .stringAttributeType
      person.attributesByName["city"]?.name = "town"
    }
    #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: try metadata(directory.store())))
    let error = #expect(throws: CocoaError.self) {
      try coordinator(model).addPersistentStore(type: .sqlite, at: directory.store())
    }
    let refused = try #require(error)
    #expect(refused.code.rawValue == NSPersistentStoreIncompatibleVersionHashError)
    let text: String = refused.localizedDescription
    for part in [
      "Person.age: integer16 in the store, string in the model", "Person.city: in the store, not in the model",
      "Person.town: in the model, not in the store",
    ] {
      #expect(text.contains(part), "\(text)")
    }
    let known = try #require(refused.userInfo["metadata"] as? [String: Any])
    #expect(StackFixtures.model().isConfiguration(withName: nil, compatibleWithStoreMetadata: known))
    #expect((refused.userInfo["reason"] as? String)?.contains("incompatible") == true)
  }

  @Test("A model that only changes what rows do not depend on takes the store over, with its hashes")
  func takenOver() throws {
    let directory = try TemporaryDirectory()
    let first = coordinator(StackFixtures.model())
    try first.remove(try first.addPersistentStore(type: .sqlite, at: directory.store()))
    let model = try changed { $0.relationshipsByName["tags"]?.deleteRule = .cascadeDeleteRule }
    #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: try metadata(directory.store())))
    try coordinator(model).addPersistentStore(type: .sqlite, at: directory.store())
    #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: try metadata(directory.store())))
  }
}
