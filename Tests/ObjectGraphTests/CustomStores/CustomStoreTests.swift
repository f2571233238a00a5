import Annals
import Foundation
import Testing

/// What every store has to do, whoever wrote it: run over the log on disk, the log in memory, an atomic store and an
/// incremental one.
enum StoreKind: String, CaseIterable, Sendable {
  case disk, memory, list, table

  func add(to coordinator: NSPersistentStoreCoordinator, in directory: TemporaryDirectory) throws -> NSPersistentStore {
    let type: String
    switch self {
    case .disk: type = NSSQLiteStoreType
    case .memory: type = NSInMemoryStoreType
    case .list:
      type = ListStore.storeType
      NSPersistentStoreCoordinator.registerStoreClass(ListStore.self, forStoreType: type)
    case .table:
      type = TableStore.storeType
      NSPersistentStoreCoordinator.registerStoreClass(TableStore.self, forStoreType: type)
    }
    let url: URL = self == .memory ? URL(fileURLWithPath: "/dev/null") : directory.store()
    return try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
  }
}

@Suite("One contract for all stores")
struct StoreConformanceTests {
  /// A stack on one store.
  struct Stack {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StackFixtures.model())
    let store: NSPersistentStore
    let context: NSManagedObjectContext

    init(_ kind: StoreKind, _ directory: TemporaryDirectory) throws {
      store = try kind.add(to: coordinator, in: directory)
      context = StackFixtures.context(coordinator)
    }

    func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
      let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      for (key, value) in values { object.setValue(value, forKey: key) }
      return object
    }

    func names(_ predicate: NSPredicate? = nil, in context: NSManagedObjectContext? = nil) throws -> [String] {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.predicate = predicate
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      return try (context ?? self.context).fetch(request).compactMap { $0.value(forKey: "name") as? String }
    }
  }

  let directory: TemporaryDirectory
  init() throws { directory = try TemporaryDirectory() }

  @Test("S34: what is inserted, changed and deleted is so for other contexts", arguments: StoreKind.allCases)
  func savesAndFetches(_ kind: StoreKind) throws {
    let stack = try Stack(kind, directory)
    let context = stack.context
    try context.performAndWait {
      let ada = stack.insert("Person", ["name": "Ada", "age": 36, "city": "London"])
      let bob = stack.insert("Person", ["name": "Bob"])
      _ = stack.insert("Person", ["name": "Cy"])
      #expect(ada.objectID.isTemporaryID)
      try context.save()
      #expect(!ada.objectID.isTemporaryID && !context.hasChanges)
      ada.setValue("Augusta", forKey: "name")
      context.delete(bob)
      try context.save()
    }
    let other = StackFixtures.context(stack.coordinator)
    try other.performAndWait {
      #expect(try stack.names(in: other) == ["Augusta", "Cy"])
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.predicate = NSPredicate(format: "name BEGINSWITH %@", "A")
      let found = try other.fetch(request)
      #expect(found.count == 1 && found[0].value(forKey: "age") as? Int == 36)
      #expect(found[0].value(forKey: "city") as? String == "London")
      #expect(try other.count(for: request) == 1)
    }
  }

  @Test("C49 C50: pending changes count in fetches", arguments: StoreKind.allCases)
  func pendingChanges(_ kind: StoreKind) throws {
    let stack = try Stack(kind, directory)
    let context = stack.context
    try context.performAndWait {
      let ada = stack.insert("Person", ["name": "Ada"])
      let bob = stack.insert("Person", ["name": "Bob"])
      _ = stack.insert("Person", ["name": "Abe"])
      try context.save()
      ada.setValue("Zoe", forKey: "name")
      bob.setValue("Ann", forKey: "name")
      _ = stack.insert("Person", ["name": "Amy"])
      #expect(try stack.names(NSPredicate(format: "name BEGINSWITH 'A'")) == ["Abe", "Amy", "Ann"])
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
      request.fetchLimit = 2
      request.fetchOffset = 1
      #expect(try context.fetch(request).compactMap { $0.value(forKey: "name") as? String } == ["Ann", "Amy"])
    }
  }

  @Test(
    "C29 C41: relationships and their inverses are there after a save, from both ends", arguments: StoreKind.allCases)
  func relationships(_ kind: StoreKind) throws {
    let stack = try Stack(kind, directory)
    let context = stack.context
    let (accountID, personID) = try context.performAndWait {
      let account = stack.insert("Account", ["email": "a@example.org"])
      let note = stack.insert("Note", ["text": "n"])
      note.setValue(account, forKey: "account")
      let person = stack.insert("Person", ["name": "Ada"])
      person.mutableSetValue(forKey: "tags").add(stack.insert("Tag", ["label": "red"]))
      person.mutableSetValue(forKey: "tags").add(stack.insert("Tag", ["label": "blue"]))
      try context.save()
      return (account.objectID, person.objectID)
    }
    let other = StackFixtures.context(stack.coordinator)
    try other.performAndWait {
      let account = try other.existingObject(with: accountID)
      let notes = account.value(forKey: "notes") as? Set<NSManagedObject> ?? []
      #expect(notes.count == 1 && notes.first?.value(forKey: "account") as? NSManagedObject === account)
      let person = try other.existingObject(with: personID)
      let tags = person.value(forKey: "tags") as? Set<NSManagedObject> ?? []
      #expect(Set(tags.compactMap { $0.value(forKey: "label") as? String }) == ["red", "blue"])
      for tag in tags { #expect((tag.value(forKey: "people") as? Set<NSManagedObject>)?.first === person) }
      other.delete(account)
      try other.save()
      #expect(notes.first?.value(forKey: "account") == nil)
    }
  }

  @Test("C111: a stale change is a conflict, which a merge policy resolves", arguments: StoreKind.allCases)
  func conflicts(_ kind: StoreKind) throws {
    let stack = try Stack(kind, directory)
    let context = stack.context
    let id: NSManagedObjectID = try context.performAndWait {
      let ada = stack.insert("Person", ["name": "Ada", "age": 1])
      try context.save()
      return ada.objectID
    }
    let other = StackFixtures.context(stack.coordinator)
    let stale: NSManagedObject = try other.performAndWait {
      let object = try other.existingObject(with: id)
      _ = object.value(forKey: "name")
      return object
    }
    try context.performAndWait {
      try context.existingObject(with: id).setValue(2, forKey: "age")
      try context.save()
    }
    try other.performAndWait {
      stale.setValue("Augusta", forKey: "name")
      #expect(thrown { try other.save() }?.code == NSManagedObjectMergeError)
      other.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try other.save()
      let saved = try other.existingObject(with: id)
      #expect(saved.value(forKey: "name") as? String == "Augusta" && saved.value(forKey: "age") as? Int == 2)
    }
  }

  @Test(
    "C02 C05 C195: ids are permanent, their URIs lead back, and of what is gone there is no object",
    arguments: StoreKind.allCases)
  func identity(_ kind: StoreKind) throws {
    let stack = try Stack(kind, directory)
    let context = stack.context
    try context.performAndWait {
      let ada = stack.insert("Person", ["name": "Ada"])
      try context.obtainPermanentIDs(for: [ada])
      let id: NSManagedObjectID = ada.objectID
      #expect(!id.isTemporaryID && ada.isInserted && id.persistentStore === stack.store)
      try context.save()
      #expect(ada.objectID == id)
      #expect(stack.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()) == id)
      context.delete(ada)
      try context.save()
      #expect(thrown { _ = try context.existingObject(with: id) }?.code == NSManagedObjectReferentialIntegrityError)
    }
  }

  @Test("S101 S103: a child saves into its parent, and the root into the store", arguments: StoreKind.allCases)
  func parents(_ kind: StoreKind) throws {
    let stack = try Stack(kind, directory)
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = stack.context
    try child.performAndWait {
      let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: child)
      person.setValue("Ada", forKey: "name")
      try child.save()
    }
    try stack.context.performAndWait { try stack.context.save() }
    let other = StackFixtures.context(stack.coordinator)
    #expect(try other.performAndWait { try stack.names(in: other) } == ["Ada"])
    #expect(try child.performAndWait { try stack.names(in: child) } == ["Ada"])
  }

  @Test("What is saved is there when the store is opened again, by its old URIs", arguments: [StoreKind.disk, .list])
  func opensAgain(_ kind: StoreKind) throws {
    let (uri, identifier): (URL, String) = try {
      let stack = try Stack(kind, directory)
      let uri: URL = try stack.context.performAndWait {
        let person = stack.insert("Person", ["name": "Ada", "age": 36])
        person.mutableSetValue(forKey: "tags").add(stack.insert("Tag", ["label": "red"]))
        try stack.context.save()
        return person.objectID.uriRepresentation()
      }
      let identifier: String = stack.store.identifier
      try stack.coordinator.remove(stack.store)
      return (uri, identifier)
    }()
    let stack = try Stack(kind, directory)
    #expect(stack.store.identifier == identifier)
    try stack.context.performAndWait {
      let id = try #require(stack.coordinator.managedObjectID(forURIRepresentation: uri))
      let person = try stack.context.existingObject(with: id)
      #expect(person.value(forKey: "name") as? String == "Ada" && person.value(forKey: "age") as? Int == 36)
      let tags = person.value(forKey: "tags") as? Set<NSManagedObject>
      #expect(tags?.first?.value(forKey: "label") as? String == "red")
    }
  }
}

@Suite("Stores of the program's own")
struct CustomStoreTests {
  let directory: TemporaryDirectory
  init() throws { directory = try TemporaryDirectory() }

  @Test("A failed save of an atomic store saves nothing, and the next one everything")
  func failedAtomicSave() throws {
    let stack = try StoreConformanceTests.Stack(.list, directory)
    let context = stack.context
    try context.performAndWait {
      let ada = stack.insert("Person", ["name": "Ada"])
      try context.save()
      stack.store.metadata[ListStore.refusal] = true
      ada.setValue("Augusta", forKey: "name")
      _ = stack.insert("Person", ["name": "Bob"])
      #expect(thrown { try context.save() }?.code == CocoaError.Code.fileWriteOutOfSpace.rawValue)
      #expect(context.hasChanges && ada.hasChanges)
      let other = StackFixtures.context(stack.coordinator)
      #expect(try other.performAndWait { try stack.names(in: other) } == ["Ada"])
      stack.store.metadata[ListStore.refusal] = false
      try context.save()
      #expect(try other.performAndWait { try stack.names(in: other) }.count == 2)
    }
  }

  @Test("Uniqueness constraints hold in an atomic store")
  func atomicConstraints() throws {
    let stack = try StoreConformanceTests.Stack(.list, directory)
    let context = stack.context
    try context.performAndWait {
      _ = stack.insert("Account", ["email": "a@example.org", "owner": "Ada"])
      try context.save()
      _ = stack.insert("Account", ["email": "a@example.org", "owner": "Bob"])
      #expect(thrown { try context.save() }?.code == NSManagedObjectConstraintMergeError)
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
      let accounts = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Account"))
      #expect(accounts.compactMap { $0.value(forKey: "owner") as? String } == ["Bob"])
    }
    let kept = try ListStore.metadataForPersistentStore(with: directory.store())
    #expect(kept[NSStoreUUIDKey] as? String == stack.store.identifier)
    let asked = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: ListStore.storeType, at: directory.store())
    #expect(asked[NSStoreUUIDKey] as? String == stack.store.identifier)
  }

  @Test("An incremental store gets the request as it was written, and its errors come through")
  func incrementalRequests() throws {
    let stack = try StoreConformanceTests.Stack(.table, directory)
    let context = stack.context
    let server = TableStore.Server.at(directory.store())
    try context.performAndWait {
      _ = stack.insert("Person", ["name": "Ada"])
      try context.save()
      server.requests = []
      #expect(try stack.names(NSPredicate(format: "name == 'Ada'")) == ["Ada"])
      #expect(server.requests == [NSPredicate(format: "name == 'Ada'").formatText])
      server.isDown = true
      #expect(thrown { _ = try stack.names() }?.localizedDescription == "The server is down.")
      _ = stack.insert("Person", ["name": "Bob"])
      #expect(thrown { try context.save() }?.localizedDescription == "The server is down.")
      #expect(context.hasChanges)
    }
  }

  @Test("C183: query generations are accepted and an incremental store is read as it is", arguments: [StoreKind.table])
  func generations(_ kind: StoreKind) throws {
    let stack = try StoreConformanceTests.Stack(kind, directory)
    let context = stack.context
    let other = StackFixtures.context(stack.coordinator)
    try other.performAndWait {
      try other.setQueryGenerationFrom(.current)
      #expect(try stack.names(in: other).isEmpty)
    }
    try context.performAndWait {
      _ = stack.insert("Person", ["name": "Ada"])
      try context.save()
    }
    #expect(try other.performAndWait { try stack.names(in: other) } == ["Ada"])
  }

  @Test("Batch requests and copies of such stores are refused by name", arguments: [StoreKind.list, .table])
  func refused(_ kind: StoreKind) throws {
    let stack = try StoreConformanceTests.Stack(kind, directory)
    let context = stack.context
    let batch: NSError? = context.performAndWait {
      thrown { try context.execute(NSBatchInsertRequest(entityName: "Person", objects: [["name": "Ada"]])) }
    }
    #expect(batch?.code == NSPersistentStoreUnsupportedRequestTypeError)
    let copy = thrown {
      try stack.coordinator.migratePersistentStore(stack.store, to: directory.store("Copy"), type: .sqlite)
    }
    #expect(copy?.localizedDescription.contains("only the program can copy") == true)
    let destroy = thrown {
      try stack.coordinator.destroyPersistentStore(at: directory.store(), ofType: stack.store.type)
    }
    #expect(destroy?.code == NSPersistentStoreInvalidTypeError)
  }

  @Test("Only subclasses of the two can be registered")
  func registering() async {
    await #expect(processExitsWith: .failure) {
      NSPersistentStoreCoordinator.registerStoreClass(NSString.self, forStoreType: "Text")
    }
    await #expect(processExitsWith: .failure) {
      NSPersistentStoreCoordinator.registerStoreClass(NSPersistentStore.self, forStoreType: "Nothing")
    }
  }

  @Test("Stores hear of being added and removed")
  func hooks() throws {
    final class Telling: NSAtomicStore, @unchecked Sendable {
      let noted = Noted()
      override func load() throws { noted.add("load") }
      override func didAdd(to coordinator: NSPersistentStoreCoordinator) { noted.add("did add") }
      override func willRemove(from coordinator: NSPersistentStoreCoordinator?) { noted.add("will remove") }
    }
    NSPersistentStoreCoordinator.registerStoreClass(Telling.self, forStoreType: "AnnalsTestsTelling")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StackFixtures.model())
    let store = try coordinator.addPersistentStore(
      ofType: "AnnalsTestsTelling", configurationName: nil, at: directory.store())
    #expect(store.type == "AnnalsTestsTelling")
    try coordinator.remove(store)
    #expect((store as? Telling)?.noted.all == ["load", "did add", "will remove"])
  }

  @Test("A17.2: an incremental store hears which objects contexts have got, and which they have let go of")
  func registrations() throws {
    NSPersistentStoreCoordinator.registerStoreClass(RollStore.self, forStoreType: "AnnalsTestsRoll")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StackFixtures.model())
    let store = try coordinator.addPersistentStore(
      ofType: "AnnalsTestsRoll", configurationName: nil, at: directory.store())
    let roll = try #require(store as? RollStore)
    let context = StackFixtures.context(coordinator)
    let ids: Set<NSManagedObjectID> = try context.performAndWait {
      let people: [NSManagedObject] = ["Ada", "Bob"].map { name in
        let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
        person.setValue(name, forKey: "name")
        return person
      }
      #expect(roll.registered.isEmpty)
      try context.save()
      return withExtendedLifetime(people) { roll.registered }
    }
    #expect(ids.count == 2)
    coordinator.performAndWait {}
    #expect(roll.registered.isEmpty, "saved objects that nobody holds have gone")
    let other = StackFixtures.context(coordinator)
    try other.performAndWait {
      let people: [NSManagedObject] = try other.fetch(NSFetchRequest(entityName: "Person"))
      #expect(roll.registered == ids && people.count == 2)
      let again = other.object(with: people[0].objectID)
      #expect(again === people[0])
      other.reset()
      coordinator.performAndWait {}
      #expect(roll.registered.isEmpty)
    }
    _ = try other.performAndWait { try other.existingObject(with: ids[ids.startIndex]).objectID }
    coordinator.performAndWait {}
    #expect(roll.registered.isEmpty && roll.history.count { $0 } == roll.history.count { !$0 })
  }
}

/// Keeps the roll of what is in use.
private final class RollStore: TableStore, @unchecked Sendable {
  private let lock = NSLock()
  private var inUse: [NSManagedObjectID: Int] = [:]
  private var told: [Bool] = []

  var registered: Set<NSManagedObjectID> { lock.withLock { Set(inUse.filter { $0.value > 0 }.keys) } }
  var history: [Bool] { lock.withLock { told } }

  override func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {
    lock.withLock {
      for id in objectIDs {
        inUse[id, default: 0] += 1
        told.append(true)
      }
    }
  }

  override func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {
    lock.withLock {
      for id in objectIDs {
        inUse[id, default: 0] -= 1
        told.append(false)
      }
    }
  }
}
