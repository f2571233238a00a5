import Annals
import Foundation
import Testing

@testable import ObjectGraph

@Suite("Persistent history")
struct HistoryTests {
  let coordinator: NSPersistentStoreCoordinator
  let context: NSManagedObjectContext

  init() throws {
    coordinator = try StackFixtures.inMemory()
    context = StackFixtures.context(coordinator)
  }

  /// Saves a new person and returns its id.
  @discardableResult
  private func save(_ name: String, author: String? = nil) throws -> NSManagedObjectID {
    try context.performAndWait {
      context.transactionAuthor = author
      let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      person.setValue(name, forKey: "name")
      try context.save()
      return person.objectID
    }
  }

  private func result(_ request: NSPersistentHistoryChangeRequest) throws -> Any? {
    try context.performAndWait {
      let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
      #expect(result.resultType == request.resultType)
      return result.result
    }
  }

  private func transactions(after token: NSPersistentHistoryToken?) throws -> [NSPersistentHistoryTransaction] {
    let all = try result(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
    return try #require(all as? [NSPersistentHistoryTransaction])
  }

  @Test("C170: history after a token is what came later, ascending; the last token is the current one")
  func afterToken() throws {
    #expect(try transactions(after: nil).isEmpty)
    try save("Ada")
    let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
    try save("Bob", author: "importer")
    try save("Cy")
    let all = try transactions(after: nil)
    let later = try transactions(after: token)
    #expect(all.count == 3 && later.count == 2)
    #expect(all.map { $0.transactionNumber } == all.map { $0.transactionNumber }.sorted())
    #expect(later.map { $0.author } == ["importer", nil])
    #expect(later.last?.token == coordinator.currentPersistentHistoryToken(fromStores: nil))
    #expect(try transactions(after: later.last?.token).isEmpty)
    #expect(try transactions(after: later.first?.token).count == 1)
  }

  @Test("A transaction tells who, where and what: inserts, updated properties, tombstones")
  func contents() throws {
    context.name = "import"
    try context.performAndWait {
      context.transactionAuthor = "me"
      let account = NSEntityDescription.insertNewObject(forEntityName: "Account", into: context)
      account.setValue("a@example.org", forKey: "email")
      account.setValue("Ada", forKey: "owner")
      try context.save()
      account.setValue("Bob", forKey: "owner")
      try context.save()
      context.delete(account)
      try context.save()
    }
    let all = try transactions(after: nil)
    #expect(all.count == 3)
    #expect(all.allSatisfy { $0.author == "me" && $0.contextName == "import" })
    #expect(all.allSatisfy { $0.processID == "\(ProcessInfo.processInfo.processIdentifier)" })
    #expect(all.allSatisfy { $0.storeID == coordinator.persistentStores[0].identifier })
    #expect(all.allSatisfy { abs($0.timestamp.timeIntervalSinceNow) < 60 })
    let changes = try all.map { try #require($0.changes?.first) }
    #expect(changes.map { $0.changeType } == [.insert, .update, .delete])
    #expect(Set(changes.map { $0.changedObjectID }).count == 1)
    #expect(changes[1].updatedProperties?.map { $0.name } == ["owner"])
    #expect(changes[2].tombstone?["email"] as? String == "a@example.org")
    #expect(changes[2].tombstone?["owner"] == nil)
    #expect(changes[0].transaction === all[0])
    #expect(Set(changes.map { $0.changeID }).count == 3)
  }

  @Test("Each result type returns its kind")
  func resultTypes() throws {
    let first = try save("Ada")
    let second = try save("Bob")
    func result(_ type: NSPersistentHistoryResultType) throws -> Any? {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
      request.resultType = type
      return try self.result(request)
    }
    #expect(try result(.statusOnly) as? Bool == true)
    #expect(try result(.count) as? Int == 2)
    #expect(try result(.objectIDs) as? [NSManagedObjectID] == [first, second])
    #expect((try result(.changesOnly) as? [NSPersistentHistoryChange])?.map { $0.changedObjectID } == [first, second])
    let bare = try #require(try result(.transactionsOnly) as? [NSPersistentHistoryTransaction])
    #expect(bare.count == 2 && bare.allSatisfy { $0.changes == nil })
    let changes = try #require(try result(.changesOnly) as? [NSPersistentHistoryChange])
    #expect(changes[1].transaction?.transactionNumber == bare[1].transactionNumber)
  }

  @Test("History can start after a transaction or a time")
  func otherStarts() throws {
    try save("Ada")
    let first = try #require(try transactions(after: nil).first)
    try save("Bob")
    let later = try result(.fetchHistory(after: first)) as? [NSPersistentHistoryTransaction]
    #expect(later?.count == 1)
    let past = try result(.fetchHistory(after: Date(timeIntervalSinceNow: -60))) as? [NSPersistentHistoryTransaction]
    #expect(past?.count == 2)
    let future = try result(.fetchHistory(after: Date(timeIntervalSinceNow: 60))) as? [NSPersistentHistoryTransaction]
    #expect(future?.isEmpty == true)
  }

  @Test("S72, S74, C171: a fetch request selects transactions by author, none lost for having no author")
  func selected() throws {
    try save("Ada", author: "app")
    try save("Bob", author: "importer")
    try save("Cy")
    let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
    fetch.predicate = NSPredicate(format: "%K != %@", "author", "app")
    let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
    let found = try #require(try result(request) as? [NSPersistentHistoryTransaction])
    #expect(found.map { $0.author } == ["importer", nil])
    fetch.predicate = NSPredicate(format: "token > %@", found[0].token)
    let unknown = thrown { _ = try result(NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)) }
    #expect(unknown?.localizedDescription.contains("token") == true)
  }

  @Test("S75: a fetch request over changes returns changes")
  func selectedChanges() throws {
    try save("Ada")
    try context.performAndWait {
      _ = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      try context.save()
    }
    let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
    fetch.predicate = NSPredicate(format: "changedEntity == %@", "Tag")
    let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
    request.resultType = .changesOnly
    let found = try #require(try result(request) as? [NSPersistentHistoryChange])
    #expect(found.map { $0.changedObjectID.entity.name } == ["Tag"])
  }

  @Test("C174: a save that changes nothing, or inserts and deletes at once, makes no transaction")
  func emptySaves() throws {
    try save("Ada")
    try context.performAndWait {
      try context.save()
      let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      context.delete(person)
      try context.save()
    }
    #expect(try transactions(after: nil).count == 1)
  }

  @Test("B002: a token of another store, and one from the future, say which store and which numbers")
  func strangeTokens() throws {
    try save("Ada")
    let mine: String = coordinator.persistentStores[0].identifier
    let other: String = UUID().uuidString
    let foreign = try #require(thrown { _ = try transactions(after: NSPersistentHistoryToken(numbers: [other: 1])) })
    #expect(foreign.code == NSPersistentHistoryTokenExpiredError)
    #expect(
      foreign.userInfo[NSUnderlyingErrorKey] as? HistoryTokenError
        == .otherStore(tokenStores: [other], openStores: [mine]))
    #expect(foreign.localizedDescription.contains(mine) && foreign.localizedDescription.contains(other))
    let ahead = try #require(thrown { _ = try transactions(after: NSPersistentHistoryToken(numbers: [mine: 99])) })
    guard case .fromTheFuture(mine, 99, _)? = ahead.userInfo[NSUnderlyingErrorKey] as? HistoryTokenError else {
      Issue.record("\(ahead)")
      return
    }
    #expect(try transactions(after: nil).count == 1)
  }

  @Test("Deleting history is refused by name while it is not there")
  func deleting() throws {
    let error = thrown { _ = try result(.deleteHistory(before: Date())) }
    #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
    #expect(error?.localizedDescription.contains("deleteHistory") == true)
  }

  @Test("A request of a kind that nothing executes is refused by its class")
  func unknownRequest() {
    final class Odd: NSPersistentStoreRequest {}
    let error = context.performAndWait { thrown { try context.execute(Odd()) } }
    #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
    #expect(error?.localizedDescription.contains("Odd") == true)
  }

  @Test("A transaction's notification names the ids of its changes")
  func notification() throws {
    let id = try save("Ada")
    let note = try #require(try transactions(after: nil).first).objectIDNotification()
    #expect(note.userInfo?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID> == [id])
    #expect(note.userInfo?[NSDeletedObjectIDsKey] == nil)
  }
}
