import Annals
import Foundation
import Testing

@Suite("Moving, copying and replacing stores")
struct MovingStoresTests {
  let directory: TemporaryDirectory
  let coordinator: NSPersistentStoreCoordinator
  let context: NSManagedObjectContext

  init() throws {
    directory = try TemporaryDirectory()
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: StackFixtures.model())
    context = StackFixtures.context(coordinator)
  }

  private func add(_ url: URL, _ stack: NSPersistentStoreCoordinator? = nil) throws -> NSPersistentStore {
    try (stack ?? coordinator).addPersistentStore(type: .sqlite, at: url)
  }

  @discardableResult
  private func insert(_ name: String) throws -> NSManagedObject {
    try context.performAndWait {
      let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      person.setValue(name, forKey: "name")
      try context.save()
      return person
    }
  }

  private func names(_ stack: NSPersistentStoreCoordinator) throws -> [String] {
    let reader = StackFixtures.context(stack)
    return try reader.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      return try reader.fetch(request).compactMap { $0.value(forKey: "name") as? String }
    }
  }

  /// What a store at a URL holds, opened by a stack of its own.
  private func names(at url: URL) throws -> [String] {
    let stack = NSPersistentStoreCoordinator(managedObjectModel: StackFixtures.model())
    let store = try add(url, stack)
    defer { try? stack.remove(store) }
    return try names(stack)
  }

  @Test("C205: a migrated store goes on elsewhere: ids, objects and pending changes with it, the old place untouched")
  func migrating() throws {
    let old = try add(directory.store("Old.sqlite"))
    let person = try insert("Ada")
    let (id, uri) = context.performAndWait { (person.objectID, person.objectID.uriRepresentation()) }
    context.performAndWait { person.setValue("Grace", forKey: "name") }
    let new = try coordinator.migratePersistentStore(old, to: directory.store("New.sqlite"), type: .sqlite)
    #expect(coordinator.persistentStores == [new])
    #expect(new.identifier == old.identifier)
    #expect(id.persistentStore === new)
    #expect(coordinator.managedObjectID(forURIRepresentation: uri) == id)
    try context.performAndWait {
      #expect(try context.existingObject(with: id) === person)
      try context.save()
      let fetched = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
      #expect(fetched.count == 1 && fetched[0] === person)
    }
    #expect(try names(at: directory.store("Old.sqlite")) == ["Ada"])
    #expect(try names(coordinator) == ["Grace"])
    try coordinator.remove(new)
    #expect(try names(at: directory.store("New.sqlite")) == ["Grace"])
  }

  @Test("C205: from memory to disk and back")
  func memoryAndDisk() throws {
    let memory = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let person = try insert("Ada")
    let disk = try coordinator.migratePersistentStore(memory, to: directory.store(), type: .sqlite)
    try insert("Grace")
    #expect(disk.type == NSSQLiteStoreType)
    let name = URL(fileURLWithPath: "/dev/null/\(UUID().uuidString)")
    let back = try coordinator.migratePersistentStore(disk, to: name, withType: NSInMemoryStoreType)
    #expect(back.type == NSInMemoryStoreType)
    try context.performAndWait {
      person.setValue("Augusta", forKey: "name")
      try context.save()
    }
    #expect(try names(coordinator) == ["Augusta", "Grace"])
    #expect(try names(at: directory.store()) == ["Ada", "Grace"])
    // Shared by its name as any other.
    let other = NSPersistentStoreCoordinator(managedObjectModel: StackFixtures.model())
    try other.addPersistentStore(type: .sqlite, at: name)
    #expect(try names(other) == ["Augusta", "Grace"])
  }

  @Test("Migrating keeps configuration, metadata and history, and is announced")
  func whatIsKept() throws {
    let old = try coordinator.addPersistentStore(
      type: .sqlite, configuration: "People", at: directory.store("Old.sqlite"))
    coordinator.setMetadata(["kept": "before"], for: old)
    try insert("Ada")
    coordinator.setMetadata(["kept": "before", "pending": 1], for: old)
    let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
    let noted = Noted()
    let observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreCoordinatorStoresDidChange, object: coordinator, queue: nil
    ) { note in
      let added = note.userInfo?[NSAddedPersistentStoresKey] as? [NSPersistentStore]
      let removed = note.userInfo?[NSRemovedPersistentStoresKey] as? [NSPersistentStore]
      noted.add("\(added?.count ?? 0) added, \(removed?.first === old)")
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    let new = try coordinator.migratePersistentStore(old, to: directory.store("New.sqlite"), type: .sqlite)
    #expect(noted.all == ["1 added, true"])
    #expect(new.configurationName == "People")
    #expect(coordinator.currentPersistentHistoryToken(fromStores: nil) == token)
    try insert("Grace")
    let kept = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite, at: directory.store("New.sqlite"))
    #expect(kept["kept"] as? String == "before" && kept["pending"] as? Int == 1)
  }

  @Test("Migrating to where something is, or a store of others, is refused and changes nothing")
  func refusedMigrations() throws {
    let store = try add(directory.store())
    try insert("Ada")
    try Data("in the way".utf8).write(to: directory.store("file"))
    for place in [directory.store("file"), directory.store(), directory.store("no/such/parent")] {
      #expect(thrown { try coordinator.migratePersistentStore(store, to: place, type: .sqlite) } != nil)
    }
    let other = try StackFixtures.inMemory()
    let foreign = thrown {
      try coordinator.migratePersistentStore(other.persistentStores[0], to: directory.store("New"), type: .sqlite)
    }
    #expect(foreign?.code == NSPersistentStoreOperationError)
    #expect(coordinator.persistentStores == [store])
    #expect(try names(coordinator) == ["Ada"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path).count == 2)
  }

  @Test("C205: replacing puts a copy of a store, open or not, in another's place, whole")
  func replacing() throws {
    let seed = directory.store("Seed.sqlite")
    let target = directory.store("Target.sqlite")
    let first = try add(target)
    try insert("old")
    try coordinator.remove(first)
    let source = try add(seed)
    try insert("Ada")
    // The source is open: what is committed counts.
    try coordinator.replacePersistentStore(at: target, withPersistentStoreFrom: seed, type: .sqlite)
    #expect(try names(at: target) == ["Ada"])
    try insert("Grace")
    try coordinator.remove(source)
    try coordinator.replacePersistentStore(at: target, withPersistentStoreFrom: seed, type: .sqlite)
    let fresh = directory.store("Fresh.sqlite")
    try coordinator.replacePersistentStore(at: fresh, withPersistentStoreFrom: seed, type: .sqlite)
    #expect(try names(at: target) == ["Ada", "Grace"])
    #expect(try names(at: fresh) == ["Ada", "Grace"])
    let left: [String] = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(left.sorted() == ["Fresh.sqlite", "Seed.sqlite", "Target.sqlite"])
  }

  @Test("Replacing an open store, one by itself, by nothing, or what is no store, is refused and changes nothing")
  func refusedReplacements() throws {
    let store = try add(directory.store())
    try insert("Ada")
    let missing = directory.store("Missing.sqlite")
    let plain = directory.store("plain")
    try FileManager.default.createDirectory(at: plain, withIntermediateDirectories: false)
    try Data("mine".utf8).write(to: plain.appendingPathComponent("notes.txt"))
    func replace(_ at: URL, _ source: URL) -> NSError? {
      thrown { try coordinator.replacePersistentStore(at: at, withPersistentStoreFrom: source, type: .sqlite) }
    }
    #expect(replace(directory.store(), missing)?.code == NSPersistentStoreOperationError)
    #expect(replace(missing, missing) != nil)
    #expect(replace(missing, directory.store("AlsoMissing"))?.code == NSPersistentStoreOpenError)
    #expect(replace(missing, plain) != nil)
    #expect(replace(plain, directory.store()) != nil)
    #expect(!FileManager.default.fileExists(atPath: missing.path))
    #expect(FileManager.default.fileExists(atPath: plain.appendingPathComponent("notes.txt").path))
    try coordinator.remove(store)
    #expect(try names(at: directory.store()) == ["Ada"])
  }

  @Test("A store whose directory was moved goes on at its new URL")
  func movedStore() throws {
    let old = directory.store("Old.sqlite")
    let new = directory.store("New.sqlite")
    let store = try add(old)
    let person = try insert("Ada")
    #expect(!coordinator.setURL(new, for: store))
    try FileManager.default.moveItem(at: old, to: new)
    #expect(coordinator.setURL(new, for: store))
    #expect(store.url?.path == new.path)
    #expect(coordinator.persistentStore(for: new) === store)
    try context.performAndWait {
      person.setValue("Grace", forKey: "name")
      try context.save()
    }
    #expect(try names(coordinator) == ["Grace"])
    try coordinator.remove(store)
    #expect(try names(at: new) == ["Grace"])
  }

  @Test("A store's URL can't be set to another store, and the store goes on where it is")
  func anotherStore() throws {
    let other = try add(directory.store("Other.sqlite"))
    try coordinator.remove(other)
    let store = try add(directory.store())
    #expect(!coordinator.setURL(directory.store("Other.sqlite"), for: store))
    #expect(coordinator.setURL(directory.store(), for: store))
    try insert("Ada")
    #expect(try names(coordinator) == ["Ada"])
  }

  @Test("A copy of a store is refused beside it in one coordinator: their objects could not be told apart")
  func twins() throws {
    let store = try add(directory.store())
    try coordinator.replacePersistentStore(
      at: directory.store("Copy.sqlite"), withPersistentStoreFrom: directory.store(), type: .sqlite)
    let error = thrown { _ = try add(directory.store("Copy.sqlite")) }
    #expect(error?.code == NSPersistentStoreOpenError)
    #expect(error?.localizedDescription.contains("same identity") == true)
    #expect(coordinator.persistentStores == [store])
  }
}
