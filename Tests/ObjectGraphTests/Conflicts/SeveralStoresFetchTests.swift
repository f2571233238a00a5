import Annals
import Foundation
import Testing

/// Two stores that hold the same entities, in one coordinator.
@Suite("Fetches over several stores")
struct SeveralStoresFetchTests {
  let coordinator: NSPersistentStoreCoordinator
  let stores: [NSPersistentStore]
  let context: NSManagedObjectContext

  init() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StackFixtures.model())
    stores = try (0..<3).map { _ in
      try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    }
    self.coordinator = coordinator
    context = StackFixtures.context(coordinator)
  }

  private func person(_ name: String?, _ age: Int, in store: Int) -> NSManagedObject {
    let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
    if let name { person.setValue(name, forKey: "name") }
    person.setValue(age, forKey: "age")
    context.assign(person, to: stores[store])
    return person
  }

  private func request(_ keys: [(String, Bool)]) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    request.sortDescriptors = keys.map { NSSortDescriptor(key: $0.0, ascending: $0.1) }
    return request
  }

  private func ages(_ request: NSFetchRequest<NSManagedObject>) throws -> [Int] {
    try context.fetch(request).map { $0.value(forKey: "age") as? Int ?? -1 }
  }

  @Test("S33 S92 A16.1: results of several stores come in one order, absent values first, and within one window")
  func order() throws {
    try context.performAndWait {
      for age in 0..<30 { _ = person("p\(age % 7)", age, in: age % 3) }
      _ = person(nil, 100, in: 2)
      try context.save()
      let byAge: [Int] = try ages(request([("age", true)]))
      #expect(byAge == Array(0..<30) + [100])
      #expect(try ages(request([("age", false)])) == byAge.reversed())
      let byName: [Int] = try ages(request([("name", true), ("age", false)]))
      let expected: [Int] = [100] + (0..<30).sorted { ($0 % 7, -$0) < ($1 % 7, -$1) }
      #expect(byName == expected)
      for (offset, limit) in [(0, 4), (5, 7), (29, 10), (40, 3)] {
        let windowed: NSFetchRequest<NSManagedObject> = request([("name", true), ("age", false)])
        (windowed.fetchOffset, windowed.fetchLimit) = (offset, limit)
        #expect(try ages(windowed) == Array(expected.dropFirst(offset).prefix(limit)))
        #expect(try context.count(for: windowed) == expected.dropFirst(offset).prefix(limit).count)
      }
    }
  }

  @Test("C49 C50: pending changes of objects in several stores take their places in the order")
  func pendingChanges() throws {
    try context.performAndWait {
      let people: [NSManagedObject] = (0..<6).map { person("p", $0 * 10, in: $0 % 3) }
      try context.save()
      people[0].setValue(35, forKey: "age")
      context.delete(people[4])
      _ = person("new", 25, in: 1)
      _ = person("new", 5, in: 2)
      #expect(try ages(request([("age", true)])) == [5, 10, 20, 25, 30, 35, 50])
      let windowed: NSFetchRequest<NSManagedObject> = request([("age", false)])
      (windowed.fetchOffset, windowed.fetchLimit) = (1, 3)
      #expect(try ages(windowed) == [35, 30, 25])
      let saved: NSFetchRequest<NSManagedObject> = request([("age", true)])
      saved.includesPendingChanges = false
      #expect(try context.fetch(saved).count == 6)
    }
  }

  @Test("C65: what the descriptors don't tell apart comes in the order of the stores, the same each time")
  func ties() throws {
    try context.performAndWait {
      for age in 0..<12 { _ = person("same", age, in: 2 - age % 3) }
      try context.save()
      let first: [Int] = try ages(request([("name", true)]))
      #expect(first == [2, 5, 8, 11, 1, 4, 7, 10, 0, 3, 6, 9])
      let windowed: NSFetchRequest<NSManagedObject> = request([("name", true)])
      (windowed.fetchOffset, windowed.fetchLimit) = (3, 6)
      #expect(try ages(windowed) == Array(first.dropFirst(3).prefix(6)))
    }
  }

  @Test("A3.3: assign(_:to:) says which store a new object is saved to; without it the first that can be written is")
  func assigning() throws {
    try context.performAndWait {
      let assigned: NSManagedObject = person("a", 1, in: 2)
      let free = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      let changed: NSManagedObject = person("c", 3, in: 2)
      context.assign(changed, to: stores[1])
      try context.save()
      #expect(assigned.objectID.persistentStore === stores[2])
      #expect(free.objectID.persistentStore === stores[0])
      #expect(changed.objectID.persistentStore === stores[1])
      // A new object goes where the saved one is that it is related to.
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      assigned.mutableSetValue(forKey: "tags").add(tag)
      try context.save()
      #expect(tag.objectID.persistentStore === stores[2])
      let affected: NSFetchRequest<NSManagedObject> = request([("age", true)])
      affected.affectedStores = [stores[1], stores[2]]
      #expect(try ages(affected) == [1, 3])
    }
  }

  @Test("A1.14: a relationship that would cross stores stops the save, which writes nothing and can be mended")
  func acrossStores() throws {
    try context.performAndWait {
      let here: NSManagedObject = person("a", 1, in: 0)
      try context.save()
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      context.assign(tag, to: stores[1])
      here.mutableSetValue(forKey: "tags").add(tag)
      let error: NSError? = thrown { try context.save() }
      #expect(error?.code == NSManagedObjectReferentialIntegrityError)
      #expect(context.hasChanges && tag.objectID.isTemporaryID)
      context.assign(tag, to: stores[0])
      try context.save()
      #expect(tag.objectID.persistentStore === stores[0])
    }
  }

  @Test("A batch update in an order and a window that span stores changes each row once")
  func batch() throws {
    try context.performAndWait {
      for age in 0..<9 { _ = person("p", age, in: age % 3) }
      try context.save()
      let update = NSBatchUpdateRequest(entityName: "Person")
      update.propertiesToUpdate = ["city": "x"]
      update.predicate = NSPredicate(format: "age > 3")
      update.resultType = .updatedObjectsCountResultType
      let result = try context.execute(update) as? NSBatchUpdateResult
      #expect(result?.result as? Int == 5)
    }
  }

  @Test("Assigning to a store that lacks the entity, or an object that is saved, stops the program with the reason")
  func refusedAssignments() async {
    await #expect(processExitsWith: .failure) {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StackFixtures.model())
      let people = try coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType, configurationName: "People", at: nil)
      try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: "Accounts", at: nil)
      let context = StackFixtures.context(coordinator)
      context.performAndWait {
        let account = NSEntityDescription.insertNewObject(forEntityName: "Account", into: context)
        context.assign(account, to: people)
      }
    }
    await #expect(processExitsWith: .failure) {
      let context = StackFixtures.context(try StackFixtures.inMemory())
      try context.performAndWait {
        let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
        try context.save()
        if let store = person.objectID.persistentStore { context.assign(person, to: store) }
      }
    }
  }
}
