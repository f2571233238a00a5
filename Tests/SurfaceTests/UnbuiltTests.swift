import CoreData
import Testing

/// What is declared and not built yet says so.
@Suite("What is not built yet")
struct UnbuiltTests {
  private func message(_ body: () throws -> Void) -> String {
    do { try body() } catch { return error.localizedDescription }
    return "nothing was thrown"
  }

  @Test("Migration by a mapping model throws and names itself")
  func mappingModels() throws {
    let model = LibraryFixture.model()
    let manager = NSMigrationManager(sourceModel: model, destinationModel: model)
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("none-\(UUID().uuidString)")
    let text = message {
      try manager.migrateStore(from: url, type: .sqlite, mapping: NSMappingModel(), to: url, type: .sqlite)
    }
    #expect(text.contains("NSMigrationManager.migrateStore"))
    #expect(!FileManager.default.fileExists(atPath: url.path))
    let inferred = message {
      _ = try NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: model)
    }
    #expect(inferred.contains("inferredMappingModel"))
    #expect(NSMappingModel(from: [Bundle.main], forSourceModel: model, destinationModel: model) == nil)
  }

  @Test("A synced store and a staged migration are refused by name")
  func stores() throws {
    final class OwnStore: NSIncrementalStore, @unchecked Sendable {}
    NSPersistentStoreCoordinator.registerStoreClass(OwnStore.self, forStoreType: "Own")
    defer { NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: "Own") }
    #expect(NSPersistentStoreCoordinator.registeredStoreTypes["Own"] != nil)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryFixture.model())
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("none-\(UUID().uuidString)")
    func adding(_ type: String, _ options: [AnyHashable: Any]) -> String {
      message {
        _ = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options)
      }
    }
    let ubiquity = adding(NSSQLiteStoreType, [NSPersistentStoreUbiquitousContentNameKey: "Notes"])
    #expect(ubiquity.contains(NSPersistentStoreUbiquitousContentNameKey))
    let staged = adding(
      NSSQLiteStoreType, [NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager([])])
    #expect(staged.contains(NSPersistentStoreStagedMigrationManagerOptionKey))
    #expect(!FileManager.default.fileExists(atPath: url.path))
    let removal = message { try NSPersistentStoreCoordinator.removeUbiquitousContentAndPersistentStore(at: url) }
    #expect(removal.contains("removeUbiquitousContentAndPersistentStore"))
  }

  @Test("What can't throw stops the program and names itself")
  func stops() async {
    await #expect(processExitsWith: .failure) {
      let model = NSManagedObjectModel()
      _ = NSMigrationManager(sourceModel: model, destinationModel: model).sourceContext
    }
  }

  @Test("Nodes, saves and model references hold what they are given")
  func values() throws {
    let stack = try LibraryFixture()
    let id = stack.context.performAndWait { stack.add("Book", ["title": "A"]).objectID }
    let node = NSIncrementalStoreNode(objectID: id, withValues: ["title": "A"], version: 1)
    node.update(withValues: ["title": "B"], version: 2)
    #expect(node.value(for: id.entity.propertiesByName["title"]!) as? String == "B" && node.version == 2)
    let cached = NSAtomicStoreCacheNode(objectID: id)
    cached.setValue("C", forKey: "title")
    #expect(cached.value(forKey: "title") as? String == "C" && cached.propertyCache?.count == 1)
    let model = LibraryFixture.model()
    let reference = NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
    #expect(reference.resolvedModel === model)
  }
}
