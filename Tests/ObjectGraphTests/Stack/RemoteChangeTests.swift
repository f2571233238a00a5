import Annals
import Foundation
import Testing

@Suite("Remote changes")
struct RemoteChangeTests {
  private static let name = "/dev/null/remote-\(UUID().uuidString)"

  private func coordinator(_ url: URL) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StackFixtures.model())
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: url,
      options: [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true])
    return coordinator
  }

  @Test("S90, C178: coordinators of a named store hear of each other's commits, which can be read by then")
  func announced() async throws {
    let url = URL(fileURLWithPath: Self.name)
    let writer = try coordinator(url)
    let reader = try coordinator(url)
    let notes = NotificationCenter.default.notifications(named: .NSPersistentStoreRemoteChange, object: reader)
    let context = StackFixtures.context(writer)
    try await context.perform {
      _ = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      try context.save()
    }
    var iterator = notes.makeAsyncIterator()
    let note = try #require(await iterator.next())
    let identifier: String = reader.persistentStores[0].identifier
    #expect(note.userInfo?[NSStoreUUIDKey] as? String == identifier)
    #expect((note.userInfo?[NSPersistentStoreURLKey] as? URL)?.path == url.path)
    let token = note.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
    #expect(token == reader.currentPersistentHistoryToken(fromStores: nil))
    let other = StackFixtures.context(reader)
    let count: Int = try await other.perform {
      try other.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person"))
    }
    #expect(count == 1)
  }

  @Test("C175: a transaction of another coordinator, merged, brings a context up to date")
  func merged() async throws {
    let url = URL(fileURLWithPath: Self.name + "-merged")
    let writer = try coordinator(url)
    let reader = try coordinator(url)
    let writing = StackFixtures.context(writer)
    let reading = StackFixtures.context(reader)
    reading.retainsRegisteredObjects = true
    let uri: URL = try await writing.perform {
      let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: writing)
      person.setValue("Ada", forKey: "name")
      try writing.save()
      return person.objectID.uriRepresentation()
    }
    let id = try #require(reader.managedObjectID(forURIRepresentation: uri))
    let token = reader.currentPersistentHistoryToken(fromStores: nil)
    let before: String? = try await reading.perform {
      try reading.existingObject(with: id).value(forKey: "name") as? String
    }
    try await writing.perform {
      let same = try #require(writer.managedObjectID(forURIRepresentation: uri))
      try writing.existingObject(with: same).setValue("Bob", forKey: "name")
      try writing.save()
    }
    let after: String? = try await reading.perform {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
      let result = try reading.execute(request) as? NSPersistentHistoryResult
      for transaction in (result?.result as? [NSPersistentHistoryTransaction]) ?? [] {
        reading.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
      }
      return reading.object(with: id).value(forKey: "name") as? String
    }
    #expect(before == "Ada" && after == "Bob")
  }

  @Test("An id's URI leads back to it; other URIs lead nowhere")
  func uris() async throws {
    let coordinator = try StackFixtures.inMemory()
    let context = StackFixtures.context(coordinator)
    let id: NSManagedObjectID = try await context.perform {
      let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      try context.save()
      return person.objectID
    }
    let uri: URL = id.uriRepresentation()
    #expect(coordinator.managedObjectID(forURIRepresentation: uri) == id)
    let store: String = coordinator.persistentStores[0].identifier
    for text in [
      "https://example.org/Person/p1", "x-coredata://\(UUID().uuidString)/Person/p1", "x-coredata://\(store)/Nobody/p1",
      "x-coredata://\(store)/Person/t1", "x-coredata://\(store)/Person/p99999999999999999999",
      "x-coredata://\(store)/Person",
      "x-coredata://\(store)/Person/p999999999999999",
    ] {
      #expect(coordinator.managedObjectID(forURIRepresentation: try #require(URL(string: text))) == nil, "\(text)")
    }
  }
}
