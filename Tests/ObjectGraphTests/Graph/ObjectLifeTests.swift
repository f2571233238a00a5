import Annals
import Foundation
import Testing

@testable import ObjectGraph

@Suite("Objects: identity and life cycle")
struct ObjectLifeTests {
  @Test("C01: A save gives the same instance a permanent id, unequal to the temporary one, and makes it clean")
  func permanentIDs() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      let worker = stack.context.makeWorker("Ann")
      let temporary = worker.objectID
      #expect(temporary.isTemporaryID && worker.isInserted && worker.hasChanges)
      #expect(temporary.persistentStore == nil)
      try stack.context.save()
      #expect(!worker.objectID.isTemporaryID && worker.objectID != temporary)
      #expect(!worker.isInserted && !worker.hasChanges && !stack.context.hasChanges)
      #expect(worker.objectID.persistentStore === stack.coordinator.persistentStores[0])
      #expect(stack.context.registeredObject(for: worker.objectID) === worker)
      #expect(worker.text("name") == "Ann")
    }
  }

  @Test("C02: Permanent ids obtained ahead of the save leave the object inserted, and others can't find it yet")
  func obtainedIDs() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      let worker = stack.context.makeWorker("Ann")
      let department = stack.context.make("Department")
      worker.setValue(department, forKey: "department")
      try stack.context.obtainPermanentIDs(for: [worker, department])
      let id = worker.objectID
      #expect(!id.isTemporaryID && worker.isInserted)
      #expect(worker.one("department") === department && department.related("workers") == [worker])
      let other = stack.sibling()
      other.performAndWait { #expect(throws: CocoaError.self) { try other.existingObject(with: id) } }
      try stack.context.save()
      #expect(worker.objectID == id)
      try other.performAndWait {
        let found = try other.existingObject(with: id)
        #expect(found.text("name") == "Ann" && found.one("department")?.objectID == department.objectID)
      }
    }
  }

  @Test("C03: An object that is inserted and deleted before a save is in no set, and nothing is written")
  func stillborn() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      let before = try stack.coordinator.persistentStores[0].backend!.currentView().commitNumber
      let worker = stack.context.makeWorker("Ann")
      stack.context.delete(worker)
      let heard = Listener(.NSManagedObjectContextDidSave, stack.context)
      try stack.context.save()
      #expect(heard.sets == [[:]])
      #expect(worker.managedObjectContext == nil && !worker.isDeleted)
      #expect(try stack.coordinator.persistentStores[0].backend!.currentView().commitNumber == before)
      #expect(try stack.context.all("Worker").isEmpty)
    }
  }

  @Test("C05: A fault whose row is gone reads as empty and counts as deleted; existingObject throws 133000")
  func inaccessible() throws {
    let stack = try GraphStack()
    let id = try stack.context.performAndWait { () throws -> NSManagedObjectID in
      let worker = stack.context.makeWorker("Ann")
      try stack.context.save()
      let id = worker.objectID
      stack.context.delete(worker)
      try stack.context.save()
      return id
    }
    let other = stack.sibling()
    try other.performAndWait {
      let ghost = other.object(with: id)
      #expect(ghost.isFault && !ghost.isDeleted)
      #expect(ghost.text("name") == nil && ghost.isDeleted && !other.hasChanges)
      try other.save()
      do {
        _ = try other.existingObject(with: id)
        Issue.record("found an object that is gone")
      } catch { #expect((error as NSError).code == NSManagedObjectReferentialIntegrityError) }
    }
  }

  @Test("C06 C07: A saved deletion takes the object out of the context; it reads as empty afterwards")
  func deletion() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      let worker = stack.context.makeWorker("Ann")
      try stack.context.save()
      stack.context.delete(worker)
      #expect(worker.isDeleted && stack.context.deletedObjects == [worker])
      try stack.context.save()
      #expect(!worker.isDeleted && worker.managedObjectContext == nil)
      #expect(worker.text("name") == nil)
      worker.setValue("Bob", forKey: "name")
      try stack.context.save()
      #expect(try stack.context.all("Worker").isEmpty)
    }
  }

  @Test("C09: What awakeFromFetch sets does not make the object dirty")
  func awakeFromFetch() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      _ = stack.context.makeWorker("Ann")
      try stack.context.save()
    }
    let other = stack.sibling()
    try other.performAndWait {
      Worker.whenFetched = { if $0.text("name") == "Ann" { $0.setValue("Annie", forKey: "nickname") } }
      defer { Worker.whenFetched = nil }
      let worker = try #require(try other.all("Worker").first as? Worker)
      #expect(worker.isFault)
      #expect(worker.text("nickname") == "Annie")
      #expect(!worker.hasChanges && !other.hasChanges && worker.changedValues().isEmpty)
    }
  }

  @Test("C11: prepareForDeletion runs at once, and on what a cascade deletes before its relationships go")
  func prepareForDeletion() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      let project = stack.context.make("Project", ["title": "P"])
      let steps = (0..<3).map { stack.context.make("Step", ["text": "\($0)", "project": project]) }
      let worker = stack.context.makeWorker("Ann")
      try stack.context.save()
      var seen: String?
      worker.onPrepare = { seen = $0.text("name") }
      stack.context.delete(worker)
      #expect(seen == "Ann" && worker.log.last == "prepareForDeletion")
      stack.context.delete(project)
      #expect(!steps[0].isDeleted)
      stack.context.processPendingChanges()
      #expect(steps.allSatisfy { $0.isDeleted })
      try stack.context.save()
      #expect(try stack.context.all("Step").isEmpty)
    }
  }

  @Test("C13: willSave and didSave are called for deleted objects too")
  func saveHooksOfDeleted() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      let worker = stack.context.makeWorker("Ann")
      try stack.context.save()
      #expect(worker.log == ["awakeFromInsert", "willSave", "didSave"])
      worker.log = []
      stack.context.delete(worker)
      try stack.context.save()
      #expect(worker.log == ["prepareForDeletion", "willSave deleted", "didSave"])
    }
  }

  @Test("C14: A primitive set in willSave makes no other round, and is written")
  func primitiveInWillSave() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      let worker = stack.context.makeWorker("Ann")
      worker.onWillSave = { $0.setPrimitiveValue("late", forKey: "nickname") }
      try stack.context.save()
      #expect(worker.log.filter { $0 == "willSave" }.count == 1)
      let other = stack.sibling()
      try other.performAndWait { () throws -> Void in #expect(try other.all("Worker").first?.text("nickname") == "late")
      }
    }
  }

  @Test("C15: What willSave changes elsewhere is part of the same save")
  func willSaveChangesAnother() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      let worker = stack.context.makeWorker("Ann")
      let other = stack.context.makeWorker("Bob")
      try stack.context.save()
      other.log = []
      worker.onWillSave = { _ in
        if other.text("nickname") == nil { other.setValue("touched", forKey: "nickname") }
      }
      worker.setValue("Anna", forKey: "name")
      try stack.context.save()
      #expect(other.log == ["willSave", "didSave"] && !stack.context.hasChanges)
      #expect(other.committedValues(forKeys: ["nickname"])["nickname"] as? String == "touched")
    }
  }

  @Test("C17 C18: Changed, committed and event values tell now, the last save, and the start of the event")
  func threeStates() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      let worker = stack.context.makeWorker("a")
      #expect(worker.committedValues(forKeys: nil).isEmpty)
      #expect(worker.changedValues()["name"] as? String == "a")
      try stack.context.save()
      worker.setValue("b", forKey: "name")
      stack.context.processPendingChanges()
      worker.setValue("c", forKey: "name")
      #expect(worker.changedValues()["name"] as? String == "c")
      #expect(worker.committedValues(forKeys: ["name"])["name"] as? String == "a")
      #expect(worker.changedValuesForCurrentEvent()["name"] as? String == "b")
      #expect(worker.committedValues(forKeys: ["nickname"])["nickname"] is NSNull)
    }
  }

  @Test("C19: A value set back leaves nothing changed, but the object updated")
  func setBack() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      let worker = stack.context.makeWorker("a")
      try stack.context.save()
      worker.setValue("b", forKey: "name")
      worker.setValue("a", forKey: "name")
      #expect(worker.changedValues().isEmpty && worker.isUpdated && !worker.hasPersistentChangedValues)
      try stack.context.save()
      #expect(!worker.isUpdated)
      worker.setValue("grumpy", forKey: "mood")
      #expect(worker.hasChanges && !worker.hasPersistentChangedValues)
      try stack.context.save()
      #expect(worker.text("mood") == "grumpy")
    }
  }

  @Test("C25 C26: Identity fires no fault; an attribute fires the row; a to-many is a fault of its own")
  func faulting() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      let department = stack.context.make("Department", ["name": "D"])
      for index in 0..<3 { stack.context.makeWorker("\(index)").setValue(department, forKey: "department") }
      try stack.context.save()
    }
    let other = stack.sibling()
    try other.performAndWait {
      let department = try #require(try other.all("Department").first)
      _ = (department.objectID, department.entity, department.hash, department == department, department.isDeleted)
      #expect(department.isFault && department.managedObjectContext === other)
      #expect(department.hasFault(forRelationshipNamed: "workers"))
      let workers = department.related("workers")
      #expect(workers.count == 3 && workers.allSatisfy { $0.isFault })
      #expect(department.isFault && !department.hasFault(forRelationshipNamed: "workers"))
      #expect(department.text("name") == "D" && !department.isFault)
    }
  }

  @Test("C27: Clean objects live as long as they are used; changed ones until they are saved")
  func weakness() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      weak var worker: Worker?
      do {
        let made = stack.context.makeWorker("Ann")
        worker = made
      }
      #expect(worker != nil)
      try stack.context.save()
      #expect(worker == nil && stack.context.registeredObjects.isEmpty)
      stack.context.retainsRegisteredObjects = true
      worker = try stack.context.all("Worker").first as? Worker
      #expect(worker != nil && stack.context.registeredObjects.count == 1)
      stack.context.retainsRegisteredObjects = false
      #expect(worker == nil)
    }
  }

  @Test("An id's URI finds the object again")
  func uris() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      let worker = stack.context.makeWorker("Ann")
      #expect(worker.objectID.uriRepresentation().absoluteString.hasPrefix("x-coredata:///Worker/t"))
      try stack.context.save()
      let uri = worker.objectID.uriRepresentation()
      let store = try #require(stack.coordinator.persistentStores[0].identifier)
      #expect(uri.absoluteString == "x-coredata://\(store)/Worker/p\(worker.key.ordinal)")
      let id = try #require(stack.coordinator.managedObjectID(forURIRepresentation: uri))
      #expect(id == worker.objectID && stack.context.object(with: id) === worker)
    }
  }

  @Test("An object made without a context can be inserted later, and brings along what it is related to")
  func lateInsertion() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      let entities = stack.coordinator.managedObjectModel.entitiesByName
      let worker = Worker(entity: entities["Worker"]!, insertInto: nil)
      let department = NSManagedObject(entity: entities["Department"]!, insertInto: nil)
      worker.setValue("Ann", forKey: "name")
      worker.setValue(department, forKey: "department")
      #expect(worker.one("department") === department && worker.log.isEmpty)
      stack.context.insert(worker)
      #expect(worker.log == ["awakeFromInsert"] && worker.isInserted && department.isInserted)
      try stack.context.save()
      #expect(department.related("workers") == [worker])
    }
  }
}
