import CoreData
import Testing

@Suite("Batch requests, A7")
struct BatchTests {
  // MARK: insert

  @Test("S47, S48, S49: dictionaries become rows with defaults, the result tells that it worked, contexts hear nothing")
  func insert() throws {
    let stack = try LibraryFixture()
    try stack.context.performAndWait {
      nonisolated(unsafe) var saves = 0
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: stack.context, queue: nil
      ) { _ in saves += 1 }
      defer { NotificationCenter.default.removeObserver(token) }
      let request = NSBatchInsertRequest(entityName: "Book", objects: [["title": "A", "pages": 7], ["title": "B"]])
      let result = try #require(try stack.context.execute(request) as? NSBatchInsertResult)
      #expect(result.result as? Bool == true && result.resultType == .statusOnly)
      #expect(saves == 0 && stack.context.registeredObjects.isEmpty)
      let fetch = NSFetchRequest<NSManagedObject>(entityName: "Book")
      fetch.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let books = try stack.context.fetch(fetch)
      #expect(books.map { $0.text("title") } == ["A", "B"])
      #expect(books.map { $0.value(forKey: "pages") as? Int } == [7, 100])
    }
  }

  @Test("A21.4, C167: handlers give rows until they return true; results are counts and ids")
  func handlers() throws {
    let stack = try LibraryFixture()
    try stack.context.performAndWait {
      var next = 0
      let byDictionary = NSBatchInsertRequest(
        entity: stack.coordinator.managedObjectModel.entitiesByName["Book"]!,
        dictionaryHandler: { row in
          if next == 3 { return true }
          row["title"] = "D\(next)"
          next += 1
          return false
        })
      byDictionary.resultType = .count
      #expect((try stack.context.execute(byDictionary) as? NSBatchInsertResult)?.result as? Int == 3)
      next = 0
      let byObject = NSBatchInsertRequest(
        entityName: "Book",
        managedObjectHandler: { object in
          if next == 2 { return true }
          object.setValue("O\(next)", forKey: "title")
          next += 1
          return false
        })
      byObject.resultType = .objectIDs
      let ids = (try stack.context.execute(byObject) as? NSBatchInsertResult)?.result as? [NSManagedObjectID]
      #expect(try ids?.map { try stack.context.existingObject(with: $0).text("title") } == ["O0", "O1"])
      #expect(try stack.saved("Book") == ["D0", "D1", "D2", "O0", "O1"])
    }
  }

  @Test("C165: a duplicate under the error policy fails the whole request, with nothing inserted")
  func duplicateFails() throws {
    let stack = try LibraryFixture()
    try stack.context.performAndWait {
      stack.add("Book", ["code": "1", "title": "old"])
      try stack.context.save()
      let request = NSBatchInsertRequest(
        entityName: "Book", objects: [["code": "2", "title": "new"], ["code": "1", "title": "again"]])
      let error = #expect(throws: CocoaError.self) { try stack.context.execute(request) }
      #expect(error?.code == .managedObjectConstraintMerge)
      #expect(try stack.saved("Book") == ["old"])
    }
  }

  @Test(
    "S50, S51, S52, B017, C165: under a constraint objects trump with what they name only, stores keep what they have",
    arguments: [
      NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
    ],
    [false, true])
  func upsert(policy: NSMergePolicyType, isByObject: Bool) throws {
    let stack = try LibraryFixture()
    try stack.context.performAndWait {
      let shelf = stack.add("Shelf", ["name": "S"])
      let old = stack.add("Book", ["code": "1", "title": "old", "isLoved": true, "pages": 5, "shelf": shelf])
      try stack.context.save()
      stack.context.mergePolicy = NSMergePolicy(merge: policy)
      var rows: [[String: Any]] = [
        ["code": "1", "title": "new"], ["code": "2", "title": "two"], ["code": "2", "genre": "late"],
      ]
      let request: NSBatchInsertRequest
      if isByObject {
        rows.reverse()
        request = NSBatchInsertRequest(
          entityName: "Book",
          managedObjectHandler: { object in
            guard let row = rows.popLast() else { return true }
            for (key, value) in row { object.setValue(value, forKey: key) }
            return false
          })
      } else {
        request = NSBatchInsertRequest(entityName: "Book", objects: rows)
      }
      request.resultType = .objectIDs
      let ids = (try stack.context.execute(request) as? NSBatchInsertResult)?.result as? [NSManagedObjectID]
      stack.context.refreshAllObjects()
      let isTrump = policy == .mergeByPropertyObjectTrumpMergePolicyType
      #expect(old.text("title") == (isTrump ? "new" : "old") && old.value(forKey: "isLoved") as? Bool == true)
      #expect(old.value(forKey: "pages") as? Int == 5 && old.one("shelf") === shelf)
      #expect(ids?.contains(old.objectID) == isTrump && ids?.count == (isTrump ? 2 : 1))
      let two = NSFetchRequest<NSManagedObject>(entityName: "Book")
      two.predicate = NSPredicate(format: "code == '2'")
      let found = try stack.context.fetch(two)
      #expect(found.count == 1 && found.first?.text("title") == "two")
      #expect(found.first?.text("genre") == (isTrump ? "late" : nil))
    }
  }

  @Test("C166: unknown keys, relationships and wrong types fail the request and name entity and key")
  func badRows() throws {
    let stack = try LibraryFixture()
    stack.context.performAndWait {
      let bad: [([String: Any], String)] = [
        (["titel": "x"], "titel"), (["shelf": 3], "Book.shelf"), (["pages": "many"], "Book.pages"),
        (["pages": Int64.max], "Book.pages"),
      ]
      for (row, name) in bad {
        let request = NSBatchInsertRequest(entityName: "Book", objects: [["title": "good"], row])
        let error = #expect(throws: CocoaError.self) { try stack.context.execute(request) }
        #expect(error?.localizedDescription.contains(name) == true)
      }
      #expect(throws: CocoaError.self) {
        try stack.context.execute(NSBatchInsertRequest(entityName: "Nothing", objects: []))
      }
      #expect(try! stack.saved("Book") == [])
    }
  }

  // MARK: update

  @Test("A7.2, C163, C167: matching rows take values and expressions of their own; unsaved ones are not seen")
  func update() throws {
    let stack = try LibraryFixture()
    try stack.context.performAndWait {
      let short = stack.add("Book", ["title": "short", "pages": 10])
      stack.add("Novel", ["title": "long", "pages": 900])
      try stack.context.save()
      let pending = stack.add("Book", ["title": "pending", "pages": 1])
      let request = NSBatchUpdateRequest(entityName: "Book")
      request.propertiesToUpdate = ["pages": NSExpression(format: "pages + 1"), "genre": "seen"]
      request.resultType = .updatedObjectIDsResultType
      let ids = (try stack.context.execute(request) as? NSBatchUpdateResult)?.result as? [NSManagedObjectID]
      #expect(ids?.count == 2 && ids?.contains(short.objectID) == true)
      #expect(short.value(forKey: "pages") as? Int == 10 && pending.value(forKey: "pages") as? Int == 1)
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: ids!], into: [stack.context])
      #expect(short.value(forKey: "pages") as? Int == 11 && short.text("genre") == "seen")
      request.includesSubentities = false
      request.predicate = NSPredicate(format: "pages > 5")
      request.propertiesToUpdate = [short.entity.attributesByName["title"]!: NSNull()]
      request.resultType = .updatedObjectsCountResultType
      #expect((try stack.context.execute(request) as? NSBatchUpdateResult)?.result as? Int == 1)
      #expect(try stack.saved("Book") == ["-", "long"])
    }
  }

  @Test("B130: what can't be updated throws and says why; nothing to set updates no rows; results are never nil")
  func badUpdates() throws {
    let stack = try LibraryFixture()
    try stack.context.performAndWait {
      stack.add("Book", ["title": "A"])
      try stack.context.save()
      let bad: [([AnyHashable: Any], String)] = [
        (["titel": 1], "titel"), (["pages": "x"], "Book.pages"), (["shelf.name": "x"], "shelf.name"),
        (["authors": NSSet()], "Book.authors"), (["pages": NSExpression(format: "nothing + 1")], "nothing"),
      ]
      for (values, name) in bad {
        let request = NSBatchUpdateRequest(entityName: "Book")
        request.propertiesToUpdate = values
        let error = #expect(throws: CocoaError.self) { try stack.context.execute(request) }
        #expect(error?.localizedDescription.contains(name) == true, "\(String(describing: error))")
      }
      let empty = NSBatchUpdateRequest(entityName: "Book")
      #expect((try stack.context.execute(empty) as? NSBatchUpdateResult)?.result as? Bool == true)
      empty.propertiesToUpdate = [:]
      empty.resultType = .updatedObjectsCountResultType
      #expect((try stack.context.execute(empty) as? NSBatchUpdateResult)?.result as? Int == 0)
      let unknown = NSBatchUpdateRequest(entityName: "Nothing")
      #expect(throws: CocoaError.self) { try stack.context.execute(unknown) }
      let lone = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      lone.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryFixture.model())
      lone.performAndWait { _ = #expect(throws: CocoaError.self) { try lone.execute(empty) } }
    }
  }

  // MARK: delete

  @Test("C161, C163: predicate, limit and order of the inner request count; objects stay until the ids are merged")
  func delete() throws {
    let stack = try LibraryFixture()
    try stack.context.performAndWait {
      let books = ["A", "B", "C"].map { stack.add("Book", ["title": $0]) }
      try stack.context.save()
      stack.add("Book", ["title": "0"])
      let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
      fetch.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
      fetch.fetchLimit = 2
      let request = NSBatchDeleteRequest(fetchRequest: fetch)
      request.resultType = .resultTypeObjectIDs
      let ids = (try stack.context.execute(request) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID]
      #expect(Set(ids ?? []) == Set([books[1].objectID, books[2].objectID]))
      #expect(books[1].managedObjectContext != nil && books[1].text("title") == "B")
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids!], into: [stack.context])
      #expect(books[1].managedObjectContext == nil && books[0].managedObjectContext != nil)
      #expect(try stack.saved("Book") == ["A"])
    }
  }

  @Test("C162: cascade takes dependants along, nullify clears the other side, links end")
  func rules() throws {
    let stack = try LibraryFixture()
    try stack.context.performAndWait {
      let shelf = stack.add("Shelf", ["name": "S"])
      let books = ["A", "B"].map { stack.add("Book", ["title": $0, "shelf": shelf]) }
      let author = stack.add("Author", ["name": "W", "books": NSSet(array: books)])
      stack.add("Note", ["text": "a", "book": books[0]])
      stack.add("Note", ["text": "b", "book": books[1]])
      try stack.context.save()
      let request = NSBatchDeleteRequest(objectIDs: [books[0].objectID])
      request.resultType = .resultTypeCount
      #expect((try stack.context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 2)
      #expect(try stack.saved("Note", "text") == ["b"])
      stack.context.refreshAllObjects()
      #expect(shelf.list("books") == [books[1]] && author.many("books") == [books[1]])
      _ = try stack.context.execute(
        NSBatchDeleteRequest(fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Shelf")))
      stack.context.refreshAllObjects()
      #expect(books[1].one("shelf") == nil)
    }
  }

  @Test("C162: a mandatory relationship that would lose its value fails the request, and nothing is deleted")
  func mandatory() throws {
    let stack = try LibraryFixture()
    try stack.context.performAndWait {
      let book = stack.add("Book", ["title": "A"])
      stack.add("Book", ["title": "B"])
      stack.add("Loan", ["to": "x", "book": book])
      try stack.context.save()
      let all = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Book"))
      let error = #expect(throws: CocoaError.self) { try stack.context.execute(all) }
      #expect(error?.code == .validationMissingMandatoryProperty)
      #expect(try stack.saved("Book") == ["A", "B"])
    }
  }

  // MARK: history, stores

  @Test(
    "C169, A7.5, B128: each request is one transaction with its author, in memory as on disk", arguments: [false, true])
  func history(isOnDisk: Bool) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("batch-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let stack = try LibraryFixture(at: isOnDisk ? folder : nil)
    try stack.context.performAndWait {
      stack.context.transactionAuthor = "importer"
      _ = try stack.context.execute(
        NSBatchInsertRequest(entityName: "Book", objects: (1...50).map { ["title": "\($0)"] }))
      let update = NSBatchUpdateRequest(entityName: "Book")
      update.propertiesToUpdate = ["genre": "g"]
      _ = try stack.context.execute(update)
      _ = try stack.context.execute(
        NSBatchDeleteRequest(fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")))
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
      let result = try stack.context.execute(request) as? NSPersistentHistoryResult
      let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
      #expect(transactions.map { $0.author } == ["importer", "importer", "importer"])
      #expect(transactions.map { $0.changes?.count } == [50, 50, 50])
      #expect(transactions.map { $0.changes?.first?.changeType } == [.insert, .update, .delete])
      #expect(try stack.saved("Book") == [])
    }
  }
}
