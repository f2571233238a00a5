import Annals
import FileSystem
import Foundation
import Schema
import StoreContract
import Testing

@testable import ObjectGraph

@Suite("Opening stores")
struct StoreOpeningTests {
  private func coordinator() -> NSPersistentStoreCoordinator {
    NSPersistentStoreCoordinator(managedObjectModel: StackFixtures.model())
  }

  @Test("A store on disk is a directory at its URL and keeps its identity")
  func onDisk() throws {
    let directory = try TemporaryDirectory()
    let first = coordinator()
    let store = try first.addPersistentStore(type: .sqlite, at: directory.store())
    let identifier: String = store.identifier
    #expect(UUID(uuidString: identifier) != nil)
    #expect(first.persistentStores == [store])
    #expect(first.persistentStore(for: directory.store()) === store)
    #expect(first.url(for: store).path == directory.store().path)
    var isDirectory: ObjCBool = false
    #expect(FileManager.default.fileExists(atPath: directory.store().path, isDirectory: &isDirectory))
    #expect(isDirectory.boolValue)
    try first.remove(store)
    #expect(first.persistentStores.isEmpty)
    #expect(store.persistentStoreCoordinator == nil)
    let second = coordinator()
    #expect(try second.addPersistentStore(type: .sqlite, at: directory.store()).identifier == identifier)
  }

  @Test("Adding a URL twice is an error that names it")
  func twice() throws {
    let directory = try TemporaryDirectory()
    let stack = coordinator()
    try stack.addPersistentStore(type: .sqlite, at: directory.store())
    let error = thrown { try stack.addPersistentStore(type: .sqlite, at: directory.store()) }
    #expect(error?.code == NSPersistentStoreOpenError)
    #expect(error?.localizedDescription.contains(directory.store().lastPathComponent) == true)
    #expect(stack.persistentStores.count == 1)
  }

  @Test("Two coordinators of a process share a store, and the last one closes it")
  func shared() throws {
    let directory = try TemporaryDirectory()
    let stacks = [coordinator(), coordinator()]
    let stores = try stacks.map { try $0.addPersistentStore(type: .sqlite, at: directory.store()) }
    #expect(stores[0].identifier == stores[1].identifier)
    #expect(stores[0].backend === stores[1].backend)
    try stacks[0].remove(stores[0])
    #expect(stores[1].backend != nil)
    let error = thrown { try stacks[0].destroyPersistentStore(at: directory.store(), type: .sqlite) }
    #expect(error?.code == NSPersistentStoreOperationError)
    try stacks[1].remove(stores[1])
    try stacks[0].destroyPersistentStore(at: directory.store(), type: .sqlite)
    #expect(!FileManager.default.fileExists(atPath: directory.store().path))
  }

  @Test("A store that another opener holds is refused with its process id, and after the timeout as such")
  func locked() throws {
    let directory = try TemporaryDirectory()
    let path: String = directory.store().path
    let files = DiskFileSystem()
    let opening = StoreOpening(
      place: .directory(path), schema: try StackFixtures.model().schema(), isReadOnly: false,
      options: [fileSystemOption: files])
    let holder: any ObjectStore = try StoreRegistration.open(opening)
    let error = try #require(thrown { try coordinator().addPersistentStore(type: .sqlite, at: directory.store()) })
    #expect(error.code == NSPersistentStoreOpenError)
    let typed = try #require(error.userInfo[NSUnderlyingErrorKey] as? StoreError)
    #expect(typed.code == .locked)
    #expect(typed.processID == ProcessInfo.processInfo.processIdentifier)
    #expect(error.localizedDescription.contains("\(ProcessInfo.processInfo.processIdentifier)"))
    let late = thrown {
      try coordinator().addPersistentStore(
        type: .sqlite, at: directory.store(), options: [NSPersistentStoreTimeoutOption: 0.05])
    }
    #expect(late?.code == NSPersistentStoreTimeoutError)
    try holder.close()
    // A child process that is being started by another test holds every lock of this one for a moment.
    let patient: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: 10]
    let opened = thrown { try coordinator().addPersistentStore(type: .sqlite, at: directory.store(), options: patient) }
    #expect(opened == nil)
  }

  @Test("What is no place for a store is refused: no URL, no file URL, a file in the way, another kind")
  func badPlaces() throws {
    let directory = try TemporaryDirectory()
    let stack = coordinator()
    func code(_ type: String, _ url: URL?) -> Int? {
      thrown { try stack.addPersistentStore(ofType: type, configurationName: nil, at: url) }?.code
    }
    #expect(code(NSSQLiteStoreType, nil) == NSPersistentStoreOpenError)
    #expect(code(NSSQLiteStoreType, URL(string: "https://example.org/a")) == NSPersistentStoreOpenError)
    #expect(code(NSXMLStoreType, directory.store()) == NSPersistentStoreInvalidTypeError)
    #expect(code(NSBinaryStoreType, directory.store()) == NSPersistentStoreInvalidTypeError)
    #expect(code("Custom", directory.store()) == NSPersistentStoreInvalidTypeError)
    try Data("in the way".utf8).write(to: directory.store())
    #expect(code(NSSQLiteStoreType, directory.store()) == NSPersistentStoreOpenError)
    #expect(code(NSSQLiteStoreType, directory.store().appendingPathComponent("below")) == NSPersistentStoreOpenError)
    #expect(try Data(contentsOf: directory.store()) == Data("in the way".utf8))
    #expect(stack.persistentStores.isEmpty)
  }

  @Test("Options that ask for what is not there are refused by name")
  func refusedOptions() throws {
    for key in [NSIgnorePersistentStoreVersioningOption, NSPersistentStoreDeferredLightweightMigrationOptionKey] {
      let error = thrown {
        try coordinator().addPersistentStore(
          ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: [key: true])
      }
      #expect(error?.localizedDescription.contains(key) == true)
    }
  }

  @Test("A configuration that the model lacks is refused; one that it has holds its entities only")
  func configurations() throws {
    let stack = coordinator()
    let missing = thrown {
      try stack.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: "Nobody", at: nil)
    }
    #expect(missing?.code == NSPersistentStoreIncompatibleSchemaError)
    #expect(missing?.localizedDescription.contains("Accounts, People") == true)
    let people = try stack.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: "People", at: nil)
    let accounts = try stack.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: "Accounts", at: nil)
    let person = try #require(stack.schema.entityIndexByName["Person"])
    let account = try #require(stack.schema.entityIndexByName["Account"])
    #expect(stack.stores(holding: person) == [people])
    #expect(try stack.store(forInsertionOf: account) === accounts)
    #expect(people.configurationName == "People")
  }

  @Test("A store written with another model is refused, with the difference, and left as it was")
  func otherModel() throws {
    let directory = try TemporaryDirectory()
    let stack = coordinator()
    let store = try stack.addPersistentStore(type: .sqlite, at: directory.store())
    try stack.remove(store)
    let other = NSManagedObjectModel()
    let entity = NSEntityDescription()
    entity.name = "Elsewhere"
    other.entities = [entity]
    let error = thrown {
      try NSPersistentStoreCoordinator(managedObjectModel: other)
        .addPersistentStore(type: .sqlite, at: directory.store())
    }
    #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
    #expect(thrown { try coordinator().addPersistentStore(type: .sqlite, at: directory.store()) } == nil)
  }

  @Test("B016, B065, B160: without a store, what is asked of one throws and says why there is none")
  func noStore() throws {
    let directory = try TemporaryDirectory()
    let stack = coordinator()
    let person = try #require(stack.schema.entityIndexByName["Person"])
    let never = thrown { _ = try stack.store(forInsertionOf: person) }
    #expect(never?.code == NSPersistentStoreOperationError)
    #expect(never?.localizedDescription.contains("Person") == true)
    try Data().write(to: directory.store())
    let refusal = thrown { try stack.addPersistentStore(type: .sqlite, at: directory.store()) }
    let failed = thrown { _ = try stack.requireStores(holding: person) }
    #expect(failed?.localizedDescription.contains(try #require(refusal).localizedDescription) == true)
    #expect(failed?.userInfo[NSUnderlyingErrorKey] != nil)
    try FileManager.default.removeItem(at: directory.store())
    try stack.addPersistentStore(type: .sqlite, at: directory.store())
    #expect(try stack.requireStores(holding: person).count == 1)
  }

  @Test("Only one of a coordinator's own stores can be removed")
  func removingForeign() throws {
    let mine = coordinator()
    let other = try StackFixtures.inMemory()
    #expect(thrown { try mine.remove(other.persistentStores[0]) }?.code == NSPersistentStoreOperationError)
    #expect(other.persistentStores.count == 1)
  }

  @Test("S88, S89: memory without a name is one's own, memory with a name is shared by it")
  func memory() throws {
    let first = try StackFixtures.inMemory()
    let second = try StackFixtures.inMemory()
    #expect(first.persistentStores[0].identifier != second.persistentStores[0].identifier)
    let name = URL(fileURLWithPath: "/dev/null/\(UUID().uuidString)")
    let third = try StackFixtures.inMemory(name)
    let fourth = coordinator()
    // As ported code has it: the type stays, only the URL is set.
    let store = try fourth.addPersistentStore(type: .sqlite, at: name)
    #expect(third.persistentStores[0].identifier == store.identifier)
    let identifier: String = store.identifier
    try third.remove(third.persistentStores[0])
    try fourth.remove(store)
    #expect(try StackFixtures.inMemory(name).persistentStores[0].identifier != identifier)
  }

  @Test("Stores that come and go are announced")
  func notifications() throws {
    let stack = coordinator()
    let noted = Noted()
    let center = NotificationCenter.default
    let tokens = [
      center.addObserver(forName: .NSPersistentStoreCoordinatorStoresDidChange, object: stack, queue: nil) {
        noted.add($0.userInfo?[NSAddedPersistentStoresKey] == nil ? "removed" : "added")
      },
      center.addObserver(forName: .NSPersistentStoreCoordinatorWillRemoveStore, object: nil, queue: nil) {
        if ($0.object as? NSPersistentStore)?.persistentStoreCoordinator === stack { noted.add("will remove") }
      },
    ]
    defer { for token in tokens { center.removeObserver(token) } }
    let store = try stack.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    try stack.remove(store)
    #expect(noted.all == ["added", "will remove", "removed"])
  }
}

/// What observers wrote down.
final class Noted: @unchecked Sendable {
  // unchecked: behind the lock.
  private let lock = NSLock()
  private var notes: [String] = []
  func add(_ note: String) { lock.withLock { notes.append(note) } }
  var all: [String] { lock.withLock { notes } }
}
