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

  override class func validators() -> [GeneratedValidator] {
    [
      GeneratedValidator("Title", CheckedThing.self) { try $0.validateTitle($1) },
      GeneratedValidator("Count", CheckedThing.self) { try $0.validateCount($1) },
    ]
  }
}

/// What the build plugin would find in a class that checks its properties.
class CheckedThing: NSManagedObject {
  func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
    guard let title = value.pointee as? String else { return }
    if title.isEmpty { throw CocoaError(.validationStringTooShort, userInfo: [NSLocalizedDescriptionKey: "no title"]) }
    if title.hasPrefix(" ") { value.pointee = title.dropFirst().description as NSString }
  }

  func validateCount(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
    if (value.pointee as? Int).map({ $0 > 9 }) == true { value.pointee = nil }
  }
}

final class SpecialThing: CheckedThing {}

@Suite("Methods that check properties")
struct PropertyMethodTests {
  private func made() throws -> (CheckedThing, NSManagedObjectContext) {
    let entity = NSEntityDescription()
    entity.name = "Thing"
    entity.managedObjectClassName = "ObjectGraphTests.SpecialThing"
    for (name, type) in [("title", NSAttributeType.stringAttributeType), ("count", .integer64AttributeType)] {
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      attribute.isOptional = true
      entity.properties.append(attribute)
    }
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"))
    let context: NSManagedObjectContext = StackFixtures.context(coordinator)
    let object = context.performAndWait { NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context) }
    return (try #require(object as? SpecialThing), context)
  }

  private func save(
    _ thing: CheckedThing, _ context: NSManagedObjectContext, title: String, count: Int
  ) throws {
    try context.performAndWait {
      thing.setValue(title, forKey: "title")
      thing.setValue(count, forKey: "count")
      try context.save()
    }
  }

  @Test("A2.7: a save asks validate<Key>(_:), inherited ones too, and takes over what they put in a value's place")
  func saving() throws {
    let (thing, context) = try made()
    let error = #expect(throws: CocoaError.self) { try save(thing, context, title: "", count: 1) }
    #expect(error?.code == .validationStringTooShort)
    try save(thing, context, title: " a", count: 10)
    context.performAndWait {
      context.refresh(thing, mergeChanges: false)
      #expect(thing.value(forKey: "title") as? String == "a")
      #expect(thing.value(forKey: "count") == nil)
    }
  }

  @Test("A2.7: validateValue(_:forKey:) asks them too, and changes only the value it was given")
  func asking() throws {
    let (thing, context) = try made()
    try context.performAndWait {
      var value: Any? = " b"
      try thing.validateValue(&value, forKey: "title")
      #expect(value as? String == "b")
      #expect(thing.value(forKey: "title") == nil)
      value = ""
      #expect(throws: CocoaError.self) { try thing.validateValue(&value, forKey: "title") }
    }
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
