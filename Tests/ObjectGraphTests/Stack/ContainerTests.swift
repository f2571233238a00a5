import Annals
import Foundation
import Testing

@Suite("Containers")
struct ContainerTests {
  private func make(_ url: URL) -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Fixtures", managedObjectModel: StackFixtures.model())
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    return container
  }

  /// Loads and returns the errors, one for each description.
  private func load(_ container: NSPersistentContainer) -> [(any Error)?] {
    let outcomes = Outcomes()
    container.loadPersistentStores { _, error in outcomes.add(error) }
    return outcomes.all
  }

  @Test("S37: a container starts with a store named for it in the default directory")
  func defaults() {
    let container = NSPersistentContainer(name: "Blog", managedObjectModel: StackFixtures.model())
    #expect(container.name == "Blog")
    #expect(container.persistentStoreDescriptions.count == 1)
    let url: URL? = container.persistentStoreDescriptions[0].url
    #expect(url?.lastPathComponent == "Blog.sqlite")
    #expect(url?.deletingLastPathComponent().path == NSPersistentContainer.defaultDirectoryURL().path)
    #expect(container.viewContext.concurrencyType == .mainQueueConcurrencyType)
    #expect(container.viewContext.persistentStoreCoordinator === container.persistentStoreCoordinator)
    #expect(container.newBackgroundContext().concurrencyType == .privateQueueConcurrencyType)
  }

  @Test("A subclass chooses the directory")
  func subclass() {
    final class Placed: NSPersistentContainer, @unchecked Sendable {
      override class func defaultDirectoryURL() -> URL { URL(fileURLWithPath: "/data/placed", isDirectory: true) }
    }
    let container = Placed(name: "Blog", managedObjectModel: StackFixtures.model())
    #expect(container.persistentStoreDescriptions[0].url?.path == "/data/placed/Blog.sqlite")
  }

  @Test("S39: what is saved in one life of a store is there in the next")
  func lifeCycle() async throws {
    let directory = try TemporaryDirectory()
    try await Task {
      let container = make(directory.store())
      #expect(load(container).allSatisfy { $0 == nil })
      try await container.performBackgroundTask { context in
        let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
        person.setValue("Ada", forKey: "name")
        try context.save()
      }
      try container.persistentStoreCoordinator.remove(container.persistentStoreCoordinator.persistentStores[0])
    }.value
    let container = make(directory.store())
    #expect(load(container).allSatisfy { $0 == nil })
    let names: [String] = try await container.performBackgroundTask { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      return try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
    }
    #expect(names == ["Ada"])
  }

  @Test("C202: every description is called back for, failures too; loading again adds nothing twice")
  func severalStores() throws {
    let directory = try TemporaryDirectory()
    try Data("in the way".utf8).write(to: directory.store("file"))
    let container = make(directory.store())
    container.persistentStoreDescriptions = [
      NSPersistentStoreDescription(url: directory.store("file")), NSPersistentStoreDescription(url: directory.store()),
    ]
    let first: [(any Error)?] = load(container)
    #expect(first.count == 2)
    #expect((first[0] as NSError?)?.code == NSPersistentStoreOpenError && first[1] == nil)
    #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
    let second: [(any Error)?] = load(container)
    #expect(second[0] != nil && second[1] == nil)
    #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
  }

  @Test("C203: an asynchronous load calls back later, on another thread")
  func asynchronous() async throws {
    let directory = try TemporaryDirectory()
    let container = make(directory.store())
    container.persistentStoreDescriptions[0].shouldAddStoreAsynchronously = true
    let error: (any Error)? = await withCheckedContinuation { continuation in
      container.loadPersistentStores { _, error in continuation.resume(returning: error) }
    }
    #expect(error == nil)
    #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
  }

  @Test("B160, B065: fetching and saving before a store is loaded throws, and works afterwards")
  func beforeLoading() async throws {
    let directory = try TemporaryDirectory()
    let container = make(directory.store())
    let context = container.newBackgroundContext()
    let codes: [Int?] = await context.perform {
      let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      person.setValue("Ada", forKey: "name")
      return [
        thrown { try context.save() }?.code,
        thrown { _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")) }?.code,
        thrown { _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person")) }?.code,
      ]
    }
    #expect(codes == Array(repeating: NSPersistentStoreOperationError, count: 3))
    #expect(load(container).allSatisfy { $0 == nil })
    let count: Int = try await context.perform {
      try context.save()
      return try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person"))
    }
    #expect(count == 1)
  }

  @Test("S87: the in-memory mode of the log store needs only its URL set")
  func inMemory() async throws {
    let container = make(URL(fileURLWithPath: "/dev/null"))
    #expect(load(container).allSatisfy { $0 == nil })
    let count: Int = try await container.performBackgroundTask { context in
      _ = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      try context.save()
      return try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person"))
    }
    #expect(count == 1)
  }

  @Test("C206: metadata that the program sets is kept with the next save, and read without opening")
  func metadata() async throws {
    let directory = try TemporaryDirectory()
    let container = make(directory.store())
    _ = load(container)
    let coordinator = container.persistentStoreCoordinator
    let store = try #require(coordinator.persistentStores.first)
    let seeded = Date(timeIntervalSinceReferenceDate: 7)
    coordinator.setMetadata(["seeded": true, "count": 3, "by": "me", "at": seeded, "list": [1, 2]], for: store)
    try await container.performBackgroundTask { context in
      _ = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      try context.save()
    }
    let identifier: String = store.identifier
    let url: URL = directory.store()
    let open = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    #expect(open["seeded"] as? Bool == true)
    #expect(open["count"] as? Int == 3)
    #expect(open["by"] as? String == "me")
    #expect(open["at"] as? Date == seeded)
    #expect(open["list"] as? [Int] == [1, 2])
    #expect(open[NSStoreUUIDKey] as? String == identifier)
    #expect(open[NSStoreTypeKey] as? String == NSSQLiteStoreType)
    try coordinator.remove(store)
    try NSPersistentStoreCoordinator.setMetadata(["by": "you"], type: .sqlite, at: url)
    let closed = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    #expect(closed["by"] as? String == "you")
    #expect(closed["seeded"] == nil)
  }

  @Test("A model that nobody has stops the program with the places where it was looked for")
  func missingModel() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPersistentContainer(name: "NoSuchModel")
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("NoSuchModel"))
    #expect(text.contains("ObjectGraphTests"))
  }
}

/// What completion blocks were called with.
final class Outcomes: @unchecked Sendable {
  // unchecked: behind the lock.
  private let lock = NSLock()
  private var errors: [(any Error)?] = []
  func add(_ error: (any Error)?) { lock.withLock { errors.append(error) } }
  var all: [(any Error)?] { lock.withLock { errors } }
}
