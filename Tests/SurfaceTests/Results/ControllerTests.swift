import CoreData
import Testing

@Suite("Fetched results controllers, A6")
struct ControllerTests {
  typealias Event = ListView.Event

  @Test("A6.1: objects by place, place by object, sections with names, titles and counts")
  func reading() throws {
    let stack = try LibraryFixture()
    try stack.context.performAndWait {
      for (title, genre) in [("A", "art"), ("B", "art"), ("C", "maths")] {
        stack.add("Book", ["title": title, "genre": genre])
      }
      let controller = stack.controller(sections: "genre")
      #expect(controller.fetchedObjects == nil && controller.sections == nil)
      try controller.performFetch()
      #expect(controller.fetchedObjects?.map { $0.text("title") } == ["A", "B", "C"])
      #expect(controller.sections?.map { $0.name } == ["art", "maths"])
      #expect(controller.sections?.map { $0.numberOfObjects } == [2, 1])
      #expect(controller.sectionIndexTitles == ["A", "M"])
      #expect(controller.section(forSectionIndexTitle: "M", at: 1) == 1)
      let last = controller.object(at: IndexPath(row: 0, section: 1))
      #expect(last.text("title") == "C")
      #expect(controller.indexPath(forObject: last) == IndexPath(item: 0, section: 1))
      #expect(controller.indexPath(forObject: stack.add("Author")) == nil)
      let plain = stack.controller { $0.predicate = NSPredicate(value: false) }
      try plain.performFetch()
      #expect(plain.sections?.count == 1 && plain.fetchedObjects?.isEmpty == true)
    }
  }

  @Test("B016: without a store performFetch throws; with one it works. Sections need an order that keeps them together")
  func errors() throws {
    let stack = try LibraryFixture()
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryFixture.model())
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
      #expect(throws: CocoaError.self) { try controller.performFetch() }
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      #expect(throws: CocoaError.self) { try controller.performFetch() }
      try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
      try controller.performFetch()
      #expect(controller.fetchedObjects == [])
    }
    stack.context.performAndWait {
      for (title, genre) in [("A", "x"), ("B", "y"), ("C", "x")] {
        stack.add("Book", ["title": title, "genre": genre])
      }
      let controller = stack.controller(sections: "genre") { $0.sortDescriptors?.removeFirst() }
      let error = #expect(throws: CocoaError.self) { try controller.performFetch() }
      #expect(error?.localizedDescription.contains("out of order section name 'x'") == true)
    }
  }

  @Test("C149, C150, C155, C159: updates in place, moves, insertions and deletions, each with its places")
  func events() throws {
    let stack = try LibraryFixture()
    try stack.context.performAndWait {
      let books = ["B", "D", "F"].map { stack.add("Book", ["title": $0]) }
      try stack.context.save()
      let controller = stack.controller { $0.predicate = NSPredicate(format: "genre != 'hidden'") }
      let list = ListView()
      controller.delegate = list
      try controller.performFetch()
      list.take(controller)
      func event(_ body: () -> Void) -> [Event] {
        list.events = []
        body()
        stack.context.processPendingChanges()
        #expect(list.agrees(with: controller))
        return list.events
      }
      #expect(event { books[1].setValue(7, forKey: "pages") } == [Event(kind: .update, from: [0, 1], to: [0, 1])])
      #expect(event { books[1].setValue("D", forKey: "title") } == [Event(kind: .update, from: [0, 1], to: [0, 1])])
      #expect(event { books[0].setValue("G", forKey: "title") } == [Event(kind: .move, from: [0, 0], to: [0, 2])])
      #expect(event { stack.add("Book", ["title": "A"]) } == [Event(kind: .insert, from: nil, to: [0, 0])])
      #expect(event { books[1].setValue("hidden", forKey: "genre") } == [Event(kind: .delete, from: [0, 1], to: nil)])
      #expect(event { books[1].setValue("open", forKey: "genre") } == [Event(kind: .insert, from: nil, to: [0, 1])])
      #expect(event { stack.context.delete(books[2]) } == [Event(kind: .delete, from: [0, 2], to: nil)])
      #expect(event { _ = stack.add("Author", ["name": "W"]) } == [])
      list.events = []
      try stack.context.save()
      #expect(!list.events.contains { $0.kind != .update } && list.agrees(with: controller))
    }
  }

  @Test("C151: of two neighbours that swap, the one that changed is told as moved")
  func swap() throws {
    let stack = try LibraryFixture()
    try stack.context.performAndWait {
      let books = ["A", "C"].map { stack.add("Book", ["title": $0]) }
      let controller = stack.controller()
      let list = ListView()
      controller.delegate = list
      try controller.performFetch()
      list.take(controller)
      books[0].setValue("D", forKey: "title")
      stack.context.processPendingChanges()
      #expect(list.events == [Event(kind: .move, from: [0, 0], to: [0, 1])] && list.agrees(with: controller))
      books[0].setValue("A", forKey: "title")
      books[1].setValue("D", forKey: "title")
      stack.context.processPendingChanges()
      #expect(list.agrees(with: controller) && list.events.count == 2)
    }
  }

  @Test("B014: the only row of a section moves to a new one: sections go and come before rows are told")
  func sections() throws {
    let stack = try LibraryFixture()
    try stack.context.performAndWait {
      let only = stack.add("Book", ["title": "1", "genre": "A"])
      stack.add("Book", ["title": "2", "genre": "C"])
      try stack.context.save()
      let controller = stack.controller(sections: "genre")
      let list = ListView()
      controller.delegate = list
      try controller.performFetch()
      list.take(controller)
      only.setValue("B", forKey: "genre")
      stack.add("Book", ["title": "3", "genre": "B"])
      stack.context.processPendingChanges()
      #expect(list.sectionEvents == ["delete A 0", "insert B 0"])
      #expect(
        list.events == [Event(kind: .move, from: [0, 0], to: [0, 0]), Event(kind: .insert, from: nil, to: [0, 1])])
      #expect(list.agrees(with: controller))
    }
  }

  @Test("B013: whatever happens at random, with sections, applying what is told gives the new list", arguments: 1...8)
  func random(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed))
    let stack = try LibraryFixture()
    try stack.context.performAndWait {
      var books: [NSManagedObject] = []
      let isLimited = seed % 4 == 0
      let controller = stack.controller(sections: seed % 2 == 0 ? nil : "genre") { request in
        request.predicate = NSPredicate(format: "pages < 8")
        if isLimited { (request.fetchLimit, request.fetchOffset) = (5, 2) }
      }
      let list = ListView()
      controller.delegate = list
      try controller.performFetch()
      list.take(controller)
      for round in 0..<60 {
        for _ in 0..<dice.roll(6) {
          switch books.isEmpty ? 0 : dice.roll(5) {
          case 0, 1:
            books.append(
              stack.add(
                "Book",
                ["title": "\(dice.roll(6))", "genre": ["x", "y", "z"][dice.roll(3)], "pages": dice.roll(10)]))
          case 2: stack.context.delete(books.remove(at: dice.roll(books.count)))
          case 3: books[dice.roll(books.count)].setValue("\(dice.roll(6))", forKey: "title")
          default:
            books[dice.roll(books.count)].setValue(["x", "y", "z"][dice.roll(3)], forKey: "genre")
            books[dice.roll(books.count)].setValue(dice.roll(10), forKey: "pages")
          }
        }
        if round % 7 == 6 { try stack.context.save() } else { stack.context.processPendingChanges() }
        #expect(list.agrees(with: controller), "seed \(seed), round \(round): \(list.sectionEvents) \(list.events)")
        if isLimited { #expect((controller.fetchedObjects?.count ?? 0) <= 5) }
        if !list.agrees(with: controller) { return }
      }
    }
  }

  @Test("B155, C157: never more than the limit; what falls out is a deletion, what moves in an insertion")
  func limit() throws {
    let stack = try LibraryFixture()
    try stack.context.performAndWait {
      let books = ["B", "C", "D"].map { stack.add("Book", ["title": $0]) }
      let controller = stack.controller { $0.fetchLimit = 2 }
      let list = ListView()
      controller.delegate = list
      try controller.performFetch()
      list.take(controller)
      stack.add("Book", ["title": "A"])
      stack.context.processPendingChanges()
      #expect(controller.fetchedObjects?.map { $0.text("title") } == ["A", "B"])
      #expect(Set(list.events.map { $0.description }) == ["delete [0, 1] []", "insert [] [0, 0]"])
      stack.context.delete(books[0])
      stack.context.processPendingChanges()
      #expect(controller.fetchedObjects?.map { $0.text("title") } == ["A", "C"] && list.agrees(with: controller))
    }
  }

  @Test("C158: a reset empties the results and is told; performFetch fills them again")
  func reset() throws {
    let stack = try LibraryFixture()
    try stack.context.performAndWait {
      stack.add("Book", ["title": "A"])
      try stack.context.save()
      let controller = stack.controller()
      let list = ListView()
      controller.delegate = list
      try controller.performFetch()
      list.take(controller)
      stack.context.reset()
      #expect(controller.fetchedObjects == [] && list.events == [Event(kind: .delete, from: [0, 0], to: nil)])
      try controller.performFetch()
      #expect(controller.fetchedObjects?.count == 1)
    }
  }

  @Test("A6.3, C153, C155: snapshots come alone, at each fetch and change, and again with permanent ids")
  func snapshots() throws {
    let stack = try LibraryFixture()
    try stack.context.performAndWait {
      let book = stack.add("Book", ["title": "A", "genre": "x"])
      try stack.context.save()
      let controller = stack.controller(sections: "genre")
      let view = SnapshotView()
      controller.delegate = view
      try controller.performFetch()
      #expect(view.snapshots.count == 1 && view.snapshots[0].itemIdentifiers as? [NSManagedObjectID] == [book.objectID])
      #expect(view.snapshots[0].sectionIdentifiers as? [String] == ["x"])
      book.setValue(3, forKey: "pages")
      stack.context.processPendingChanges()
      #expect(view.snapshots.last?.reloadedItemIdentifiers as? [NSManagedObjectID] == [book.objectID])
      let new = stack.add("Book", ["title": "B", "genre": "y"])
      stack.context.processPendingChanges()
      #expect(view.snapshots.last?.numberOfItems == 2 && view.snapshots.last?.index(ofSectionIdentifier: "y") == 1)
      try stack.context.save()
      #expect(!new.objectID.isTemporaryID && view.snapshots.last?.index(ofItemIdentifier: new.objectID) == 1)
      #expect(view.others == 0)
    }
  }

  @Test("A6.4, C154: differences are told without sections, and lead from the old ids to the new")
  func differences() throws {
    let stack = try LibraryFixture()
    try stack.context.performAndWait {
      let books = ["A", "B", "C"].map { stack.add("Book", ["title": $0]) }
      try stack.context.save()
      let controller = stack.controller()
      let view = DifferenceView()
      controller.delegate = view
      try controller.performFetch()
      view.ids = books.map { $0.objectID }
      books[1].setValue(3, forKey: "pages")
      stack.context.processPendingChanges()
      #expect(view.last?.insertions == [.insert(offset: 1, element: books[1].objectID, associatedWith: 1)])
      #expect(view.last?.removals == [.remove(offset: 1, element: books[1].objectID, associatedWith: 1)])
      books[0].setValue("D", forKey: "title")
      let new = stack.add("Book", ["title": "0"])
      stack.context.delete(books[2])
      stack.context.processPendingChanges()
      #expect(view.last?.insertions.contains(.insert(offset: 2, element: books[0].objectID, associatedWith: 0)) == true)
      #expect(view.ids == [new.objectID, books[1].objectID, books[0].objectID])
      try stack.context.save()
      #expect(view.ids == controller.fetchedObjects?.map { $0.objectID })
    }
  }

  @Test("B127: controllers follow batch requests once their ids are merged, and saves of other contexts")
  func merging() throws {
    let stack = try LibraryFixture()
    try stack.context.performAndWait {
      for title in ["A", "B"] { stack.add("Book", ["title": title]) }
      try stack.context.save()
      let controller = stack.controller()
      let list = ListView()
      controller.delegate = list
      try controller.performFetch()
      list.take(controller)
      let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
      fetch.predicate = NSPredicate(format: "title == 'A'")
      let request = NSBatchDeleteRequest(fetchRequest: fetch)
      request.resultType = .resultTypeObjectIDs
      let ids = (try stack.context.execute(request) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID] ?? []
      #expect(controller.fetchedObjects?.count == 2)
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [stack.context])
      #expect(list.events == [Event(kind: .delete, from: [0, 0], to: nil)] && list.agrees(with: controller))
    }
  }

  @Test("The controller that a delegate is passed is its own; what it does not have is not called")
  func facade() throws {
    let stack = try LibraryFixture()
    try stack.context.performAndWait {
      final class Watcher: NSObject, NSFetchedResultsControllerDelegate {
        var own: NSFetchedResultsController<NSManagedObject>?
        var isOwn = false
        func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
          isOwn = controller == own && controller.fetchedObjects?.count == 1
        }
        func controller(
          _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
          sectionIndexTitleForSectionName sectionName: String
        ) -> String? { "§" + sectionName }
      }
      let controller = stack.controller(sections: "genre")
      let watcher = Watcher()
      watcher.own = controller
      controller.delegate = watcher
      try controller.performFetch()
      stack.add("Book", ["title": "A", "genre": "g"])
      stack.context.processPendingChanges()
      #expect(watcher.isOwn && controller.sectionIndexTitles == ["§g"])
      #expect(controller != stack.controller())
    }
  }
}

/// Numbers that only look random.
struct Dice {
  private var state: UInt64
  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func roll(_ sides: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(sides))
  }
}
