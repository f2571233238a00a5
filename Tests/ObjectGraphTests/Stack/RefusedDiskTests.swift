import Annals
import FileSystem
import Foundation
import Schema
import Testing

@testable import ObjectGraph

@Suite("Disks that refuse")
struct RefusedDiskTests {
  private let files: RefusingFileSystem
  private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StackFixtures.model())

  init() throws { files = try RefusingFileSystem() }

  private func add(isReadOnly: Bool = false) throws {
    try coordinator.addPersistentStore(
      type: .sqlite, at: URL(fileURLWithPath: "/data/Model.sqlite"),
      options: [fileSystemOption: files, NSReadOnlyPersistentStoreOption: isReadOnly])
  }

  @Test("B065: a full disk at opening is a typed error, which later requests repeat; adding the store again mends it")
  func fullAtOpening() throws {
    files.refuse(.noSpace)
    let error = try #require(thrown { try add() })
    #expect(error.code == NSPersistentStoreOpenError)
    let typed = try #require(error.userInfo[NSUnderlyingErrorKey] as? StoreError)
    #expect(typed.code == .noSpace && typed.errorNumber == 28)
    let context = StackFixtures.context(coordinator)
    let later = try #require(
      context.performAndWait { thrown { _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")) } }
    )
    #expect(later.localizedDescription.contains(error.localizedDescription))
    files.refuse(nil)
    try add()
    try context.performAndWait {
      let found: [NSManagedObject] = try context.fetch(NSFetchRequest(entityName: "Person"))
      #expect(found.isEmpty)
    }
  }

  @Test("A read-only directory is refused by its name")
  func readOnlyDirectory() throws {
    files.refuse(.readOnly)
    let error = try #require(thrown { try add() })
    #expect(error.code == NSPersistentStoreOpenError)
    #expect((error.userInfo[NSUnderlyingErrorKey] as? StoreError)?.code == .readOnly)
    #expect(error.localizedDescription.contains("/data"))
  }

  @Test("A disk that fills up in a save fails the save; the context keeps its changes, and nothing is stored")
  func fullAtSaving() throws {
    try add()
    let context = StackFixtures.context(coordinator)
    try context.performAndWait {
      _ = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      files.refuse(.noSpace)
      let error = try #require(thrown { try context.save() })
      #expect(error.code == NSPersistentStoreSaveError)
      #expect((error.userInfo[NSUnderlyingErrorKey] as? StoreError)?.code == .noSpace)
      #expect((error.userInfo[NSAffectedStoresErrorKey] as? [NSPersistentStore])?.count == 1)
      #expect(context.insertedObjects.count == 1)
      files.refuse(nil)
    }
    // After a failed write a store is written to no more until it is opened again.
    try coordinator.remove(coordinator.persistentStores[0])
    try add()
    let count: Int = try context.performAndWait {
      context.reset()
      return try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person"))
    }
    #expect(count == 0)
  }

  @Test("A store opened for reading only shows what is there and refuses saves")
  func readOnlyStore() throws {
    try add()
    let context = StackFixtures.context(coordinator)
    try context.performAndWait {
      _ = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      try context.save()
      context.reset()
    }
    try coordinator.remove(coordinator.persistentStores[0])
    try add(isReadOnly: true)
    #expect(coordinator.persistentStores[0].isReadOnly)
    try context.performAndWait {
      let count: Int = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person"))
      #expect(count == 1)
      _ = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      let error = thrown { try context.save() }
      #expect(error?.code == NSPersistentStoreSaveError)
      #expect(error?.localizedDescription.contains("reading only") == true)
    }
  }

  @Test("execute() finds the context whose queue it runs on, and says so where there is none")
  func executeRequest() throws {
    try add()
    let context = StackFixtures.context(coordinator)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    try context.performAndWait {
      _ = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      let found: [NSManagedObject] = try request.execute()
      #expect(found.count == 1)
    }
    let error = DispatchQueue(label: "elsewhere").sync { thrown { _ = try request.execute() } }
    #expect(error?.code == NSPersistentStoreOperationError)
  }

  @Test("An asynchronous fetch calls back on the context's queue; a cancelled one says so")
  func asynchronousFetch() async throws {
    try add()
    let context = StackFixtures.context(coordinator)
    let counts: [Int] = try await withCheckedThrowingContinuation { continuation in
      context.perform {
        do {
          _ = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
          let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Person"))
          {
            result in
            continuation.resume(returning: [result.finalResult?.count ?? -1, context.isOnQueue ? 1 : 0])
          }
          let running = try context.execute(request) as? NSAsynchronousFetchResult<NSManagedObject>
          #expect(running?.finalResult == nil)
        } catch { continuation.resume(throwing: error) }
      }
    }
    #expect(counts == [1, 1])
    let cancelled: Int? = try await withCheckedThrowingContinuation { continuation in
      context.perform {
        do {
          let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Person"))
          {
            result in
            continuation.resume(returning: (result.operationError as NSError?)?.code)
          }
          (try context.execute(request) as? NSAsynchronousFetchResult<NSManagedObject>)?.cancel()
        } catch { continuation.resume(throwing: error) }
      }
    }
    #expect(cancelled == CocoaError.Code.userCancelled.rawValue)
  }
}
