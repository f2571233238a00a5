import Annals
import Foundation
import Testing

/// What the build plugin would have written for this module.
final class AnnalsGeneratedModels: GeneratedModelRegistry {
  override class var models: [GeneratedModel] {
    [
      GeneratedModel(
        name: "Registered", versionName: "Registered",
        contents: """
          <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
          <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
            <entity name="Thing" syncable="YES">
              <attribute name="title" optional="YES" attributeType="String"/>
            </entity>
          </model>
          """,
        entities: [])
    ]
  }
}

@Suite("Models found by name")
struct GeneratedModelTests {
  @Test("S37: a container finds a model that was compiled into the caller's module")
  func byName() throws {
    let container = NSPersistentContainer(name: "Registered")
    #expect(container.managedObjectModel.entitiesByName["Thing"]?.attributesByName["title"] != nil)
    container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null")
    let outcomes = Outcomes()
    container.loadPersistentStores { _, error in outcomes.add(error) }
    #expect(outcomes.all.count == 1 && outcomes.all[0] == nil)
  }

  @Test("A container's class finds the models of its own module, whoever calls")
  func bySubclass() {
    let container = OwnContainer(name: "Registered", fileID: "Elsewhere/File.swift")
    #expect(container.managedObjectModel.entities.count == 1)
  }
}

final class OwnContainer: NSPersistentContainer, @unchecked Sendable {}
