import Annals
import Foundation
import Testing

@Suite("Saves over several stores")
struct SeveralStoresTests {
  let coordinator: NSPersistentStoreCoordinator

  init() throws {
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: StackFixtures.model())
    for name in ["People", "Accounts"] {
      try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: name, at: nil)
    }
  }

  private func insert(_ entity: String, _ context: NSManagedObjectContext) -> NSManagedObject {
    NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
  }

  private func count(_ entity: String) throws -> Int {
    let reader = StackFixtures.context(coordinator)
    return try reader.performAndWait { try reader.count(for: NSFetchRequest<NSManagedObject>(entityName: entity)) }
  }

  @Test("Each object goes to the store that holds its entity")
  func places() throws {
    let context = StackFixtures.context(coordinator)
    let stores: [String?] = try context.performAndWait {
      let both = [insert("Person", context), insert("Account", context)]
      try context.save()
      return both.map { $0.objectID.persistentStore?.configurationName }
    }
    #expect(stores == ["People", "Accounts"])
    #expect(try count("Person") == 1 && count("Account") == 1)
  }

  @Test("C110: a conflict in one store leaves the other as it was; a policy that resolves it saves both")
  func conflictInTheSecond() throws {
    let a = StackFixtures.context(coordinator)
    let b = StackFixtures.context(coordinator)
    a.retainsRegisteredObjects = true
    let id: NSManagedObjectID = try a.performAndWait {
      let account = insert("Account", a)
      account.setValue("Ada", forKey: "owner")
      try a.save()
      return account.objectID
    }
    try b.performAndWait {
      b.object(with: id).setValue("Bob", forKey: "owner")
      try b.save()
    }
    let error: NSError? = a.performAndWait {
      _ = insert("Person", a)
      a.object(with: id).setValue("Cy", forKey: "owner")
      return thrown { try a.save() }
    }
    #expect(error?.code == NSManagedObjectMergeError)
    #expect(try count("Person") == 0)
    try a.performAndWait {
      a.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try a.save()
    }
    #expect(try count("Person") == 1)
    let owner: String? = try b.performAndWait {
      b.reset()
      return try b.existingObject(with: id).value(forKey: "owner") as? String
    }
    #expect(owner == "Cy")
  }
}
