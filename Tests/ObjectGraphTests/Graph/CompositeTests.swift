import Annals
import Foundation
import Testing

@testable import ObjectGraph

/// People with an address, in which there is a place.
private enum People {
  static let file = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Person">
        <attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="address" optional="YES" attributeType="Composite" composite="Address"/>
        <fetchIndex name="byCity"><fetchIndexElement property="address.city"/></fetchIndex>
      </entity>
      <entity name="Employee" parentEntity="Person">
        <attribute name="office" attributeType="Composite" composite="Place"/>
        <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person"/>
      </entity>
      <composite name="Address">
        <attribute name="street" attributeType="String"/>
        <attribute name="city" optional="YES" attributeType="String" maxValueString="5"/>
        <attribute name="at" optional="YES" attributeType="Composite" composite="Place"/>
      </composite>
      <composite name="Place">
        <attribute name="x" attributeType="Double"/>
        <attribute name="y" optional="YES" attributeType="Integer 16" defaultValueString="7"/>
      </composite>
    </model>
    """

  static func context(at url: URL = URL(fileURLWithPath: "/dev/null")) throws -> NSManagedObjectContext {
    let model: NSManagedObjectModel = try ModelReader.read(Data(file.utf8), file: "People").model
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let type: String = url.path == "/dev/null" ? NSInMemoryStoreType : NSSQLiteStoreType
    try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: type == NSSQLiteStoreType ? url : nil, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  static func person(_ name: String, _ address: [String: Any]?, in context: NSManagedObjectContext) -> NSManagedObject {
    let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
    person.setValue(name, forKey: "name")
    person.setValue(address, forKey: "address")
    return person
  }
}

@Suite("Composite attributes")
struct CompositeTests {
  @Test("C193: the value is a dictionary by element name, nested ones too; what it lacks is absent; nil clears all")
  func dictionaries() throws {
    let context = try People.context()
    try context.performAndWait {
      let person = People.person("Ann", ["street": "Mill Lane", "at": ["x": 1.5]], in: context)
      var address = try #require(person.value(forKey: "address") as? [String: Any])
      #expect(address.keys.sorted() == ["at", "street"])
      #expect((address["at"] as? [String: Any])?["x"] as? Double == 1.5)
      #expect((address["at"] as? [String: Any])?["y"] == nil)
      #expect(person.value(forKeyPath: "address.street") as? String == "Mill Lane")
      #expect(person.value(forKeyPath: "address.at.x") as? Double == 1.5)
      person.setValue("Ely", forKeyPath: "address.city")
      try context.save()
      context.reset()
      let again = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")).first)
      address = try #require(again.value(forKey: "address") as? [String: Any])
      #expect(address["city"] as? String == "Ely" && address["street"] as? String == "Mill Lane")
      again.setValue(nil, forKey: "address")
      #expect(again.value(forKey: "address") == nil)
      #expect(again.value(forKeyPath: "address.city") == nil)
    }
  }

  @Test("A new object has its elements' defaults")
  func defaults() throws {
    let context = try People.context()
    context.performAndWait {
      let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      #expect(person.value(forKeyPath: "address.at.y") as? Int == 7)
      #expect((person.value(forKey: "address") as? [String: Any])?.keys.sorted() == ["at"])
    }
  }

  @Test("C193: predicates and sorts follow a path to an element, through relationships and inheritance too")
  func fetching() throws {
    let context = try People.context()
    try context.performAndWait {
      let ann = People.person("Ann", ["city": "York", "street": "a", "at": ["x": 2]], in: context)
      _ = People.person("Bob", ["city": "Ely", "street": "b", "at": ["x": 1]], in: context)
      _ = People.person("Cid", nil, in: context)
      let employee = NSEntityDescription.insertNewObject(forEntityName: "Employee", into: context)
      employee.setValue(["x": 9], forKey: "office")
      employee.setValue(ann, forKey: "boss")
      for saved in [false, true] {
        if saved { try context.save() }
        func names(_ format: String, _ entity: String = "Person") throws -> [String] {
          let request = NSFetchRequest<NSManagedObject>(entityName: entity)
          request.predicate = NSPredicate(format: format)
          request.sortDescriptors = [NSSortDescriptor(key: "address.at.x", ascending: true)]
          return try context.fetch(request).map { $0.value(forKey: "name") as? String ?? "-" }
        }
        #expect(try names("address.city == 'York'") == ["Ann"])
        #expect(try names("address.at.x > 0") == ["Bob", "Ann"])
        #expect(try names("address.city BEGINSWITH 'E' OR address.city == nil AND name == 'Cid'") == ["Cid", "Bob"])
        #expect(try names("boss.address.city == 'York' AND office.x == 9", "Employee") == ["-"])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = NSPredicate(format: "address == nil")
        #expect(throws: (any Error).self) { try context.fetch(request) }
      }
      #expect(NSPredicate(format: "address.at.x == 2").evaluate(with: ann))
    }
  }

  @Test("Changes speak of the composite, never of its elements")
  func changes() throws {
    let context = try People.context()
    try context.performAndWait {
      let person = People.person("Ann", ["city": "York", "street": "a"], in: context)
      try context.save()
      person.setValue("Ely", forKeyPath: "address.city")
      let changed = person.changedValues()
      #expect(Array(changed.keys) == ["address"])
      #expect((changed["address"] as? [String: Any])?["city"] as? String == "Ely")
      let committed = person.committedValues(forKeys: ["address"])
      #expect((committed["address"] as? [String: Any])?["city"] as? String == "York")
      #expect(person.committedValues(forKeys: nil).keys.sorted() == ["address", "name"])
      let before = person.changedValuesForCurrentEvent()["address"] as? [String: Any]
      #expect(before?["city"] as? String == "York" && before?["street"] as? String == "a")
      context.rollback()
      #expect(person.value(forKeyPath: "address.city") as? String == "York")
    }
  }

  @Test("Elements are validated: limits, and what is required of a composite that is required")
  func validation() throws {
    let context = try People.context()
    try context.performAndWait {
      let person = People.person("Ann", ["city": "Cambridge"], in: context)
      var error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSValidationStringTooLongError)
      #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "address.city")
      // The address is optional, so that it may lack its street.
      person.setValue(["city": "Ely"], forKey: "address")
      try context.save()
      let employee = NSEntityDescription.insertNewObject(forEntityName: "Employee", into: context)
      error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSValidationMissingMandatoryPropertyError)
      #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "office.x")
      employee.setValue(["x": 0], forKey: "office")
      try context.save()
    }
  }

  @Test("A composite outlives its store's closing: elements are columns like others")
  func reopening() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("Composites-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    var context: NSManagedObjectContext? = try People.context(at: url)
    try context?.performAndWait {
      _ = People.person("Ann", ["city": "York", "street": "a"], in: try #require(context))
      try context?.save()
    }
    let coordinator = context?.persistentStoreCoordinator
    for store in coordinator?.persistentStores ?? [] { try coordinator?.remove(store) }
    context = try People.context(at: url)
    try context?.performAndWait {
      let person = try context?.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")).first
      #expect((person?.value(forKey: "address") as? [String: Any])?["city"] as? String == "York")
    }
  }
}
