import CoreData
import Testing

@Suite("Undo in a context, A14")
struct ContextUndoTests {
  /// A stack whose context has an undo manager.
  private func stack() throws -> LibraryFixture {
    let stack = try LibraryFixture()
    stack.context.undoManager = UndoManager()
    return stack
  }

  /// Does a thing as one event.
  private func event(_ stack: LibraryFixture, _ body: () throws -> Void) rethrows {
    try stack.context.performAndWait {
      try body()
      stack.context.processPendingChanges()
    }
  }

  @Test("C142: contexts have no undo manager by themselves, and undo does nothing then")
  func noManager() throws {
    let stack = try LibraryFixture()
    #expect(stack.context.undoManager == nil)
    try stack.context.performAndWait {
      let book = stack.add("Book", ["title": "A"])
      try stack.context.save()
      book.setValue("B", forKey: "title")
      stack.context.undo()
      stack.context.redo()
      #expect(book.text("title") == "B")
    }
  }

  @Test("C142: two changes of one event are one step")
  func oneStep() throws {
    let stack = try stack()
    try stack.context.performAndWait {
      let book = stack.add("Book", ["title": "A", "genre": "x"])
      try stack.context.save()
      event(stack) {
        book.setValue("B", forKey: "title")
        book.setValue("y", forKey: "genre")
      }
      event(stack) { book.setValue("C", forKey: "title") }
      stack.context.undo()
      #expect(book.text("title") == "B" && book.text("genre") == "y")
      stack.context.undo()
      #expect(book.text("title") == "A" && book.text("genre") == "x")
      stack.context.redo()
      stack.context.redo()
      #expect(book.text("title") == "C" && book.text("genre") == "y")
    }
  }

  @Test("C143: a change made while registration is disabled is not taken back")
  func exempt() throws {
    let stack = try stack()
    try stack.context.performAndWait {
      let book = stack.add("Book", ["title": "A", "genre": "x"])
      try stack.context.save()
      book.setValue("B", forKey: "title")
      stack.context.processPendingChanges()
      stack.context.undoManager?.disableUndoRegistration()
      book.setValue("z", forKey: "genre")
      stack.context.processPendingChanges()
      stack.context.undoManager?.enableUndoRegistration()
      stack.context.undo()
      #expect(book.text("title") == "A" && book.text("genre") == "z")
    }
  }

  @Test("C145, B161: an undone insertion leaves the context and every set; redo brings the same instance back")
  func insertion() throws {
    let stack = try stack()
    try stack.context.performAndWait {
      var book: NSManagedObject?
      var shelf: NSManagedObject?
      event(stack) { shelf = stack.add("Shelf", ["name": "S"]) }
      event(stack) { book = stack.add("Book", ["title": "A", "shelf": shelf as Any]) }
      stack.context.undo()
      #expect(stack.context.insertedObjects == [shelf!] && stack.context.deletedObjects.isEmpty)
      #expect(book?.managedObjectContext == nil && shelf?.list("books") == [])
      stack.context.redo()
      #expect(book?.managedObjectContext === stack.context && book?.text("title") == "A")
      #expect(book?.one("shelf") === shelf && shelf?.list("books") == [book!])
      stack.context.undo()
      try stack.context.save()
      #expect(try stack.saved("Book") == [] && stack.saved("Shelf", "name") == ["S"])
    }
  }

  @Test("C146: a change that was saved is taken back in memory, and the next save writes the old value")
  func afterSave() throws {
    let stack = try stack()
    try stack.context.performAndWait {
      let book = stack.add("Book", ["title": "A"])
      try stack.context.save()
      event(stack) { book.setValue("B", forKey: "title") }
      try stack.context.save()
      stack.context.undo()
      #expect(book.text("title") == "A" && book.isUpdated)
      try stack.context.save()
      #expect(try stack.saved("Book") == ["A"])
      stack.context.redo()
      try stack.context.save()
      #expect(try stack.saved("Book") == ["B"])
    }
  }

  @Test("B161: an insertion that was saved and is undone is deleted by the next save, with its last values")
  func savedInsertion() throws {
    let stack = try stack()
    try stack.context.performAndWait {
      let book = stack.add("Book", ["title": "A"])
      try stack.context.save()
      stack.context.undo()
      #expect(stack.context.deletedObjects == [book])
      #expect(book.committedValues(forKeys: ["title"])["title"] as? String == "A")
      try stack.context.save()
      #expect(try stack.saved("Book") == [])
      stack.context.redo()
      #expect(stack.context.insertedObjects == [book] && book.text("title") == "A")
      try stack.context.save()
      #expect(try stack.saved("Book") == ["A"])
    }
  }

  @Test("B161: an undone deletion brings back what it cascaded to, relationships and order", arguments: [false, true])
  func deletion(isSavedBetween: Bool) throws {
    let stack = try stack()
    try stack.context.performAndWait {
      let shelf = stack.add("Shelf", ["name": "S"])
      let books = ["A", "B", "C"].map { stack.add("Book", ["title": $0, "shelf": shelf]) }
      let author = stack.add("Author", ["name": "W", "books": NSSet(array: books)])
      let note = stack.add("Note", ["text": "n", "book": books[1]])
      try stack.context.save()
      let id = books[1].objectID
      for _ in 1...2 {
        event(stack) { stack.context.delete(books[1]) }
        #expect(note.isDeleted && shelf.list("books") == [books[0], books[2]])
        if isSavedBetween { try stack.context.save() }
        stack.context.undo()
        #expect(!books[1].isDeleted && !note.isDeleted && books[1].managedObjectContext === stack.context)
        #expect(shelf.list("books") == books && author.many("books") == Set(books))
        #expect(note.one("book") === books[1] && books[1].many("notes") == [note] && books[1].text("title") == "B")
        #expect(books[1].objectID == id)
        stack.context.redo()
        // What was inserted again and not saved leaves the context at once.
        for object in [books[1], note] {
          #expect(isSavedBetween ? object.managedObjectContext == nil : object.isDeleted)
        }
        #expect(author.many("books") == [books[0], books[2]])
        stack.context.undo()
        #expect(shelf.list("books") == books)
        if isSavedBetween { try stack.context.save() }
      }
      try stack.context.save()
      #expect(try stack.saved("Book") == ["A", "B", "C"] && stack.saved("Note", "text") == ["n"])
      let other = stack.sibling()
      try other.performAndWait {
        let found = try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf"))[0]
        #expect(found.list("books").map { $0.text("title") } == ["A", "B", "C"])
      }
    }
  }

  @Test("Moves within an ordered relationship and between owners are taken back on both sides")
  func relationships() throws {
    let stack = try stack()
    try stack.context.performAndWait {
      let (one, two) = (stack.add("Shelf", ["name": "1"]), stack.add("Shelf", ["name": "2"]))
      let books = ["A", "B", "C"].map { stack.add("Book", ["title": $0, "shelf": one]) }
      try stack.context.save()
      event(stack) { one.mutableOrderedSetValue(forKey: "books").exchangeObject(at: 0, withObjectAt: 2) }
      event(stack) { books[1].setValue(two, forKey: "shelf") }
      #expect(one.list("books") == [books[2], books[0]] && two.list("books") == [books[1]])
      stack.context.undo()
      #expect(one.list("books") == [books[2], books[1], books[0]] && two.list("books") == [])
      stack.context.undo()
      #expect(one.list("books") == books && books[1].one("shelf") === one)
      stack.context.redo()
      stack.context.redo()
      #expect(one.list("books") == [books[2], books[0]] && two.list("books") == [books[1]])
    }
  }

  @Test("C147, B046: rollback drops inserts, restores order, and empties the undo manager")
  func rollback() throws {
    let stack = try stack()
    try stack.context.performAndWait {
      let shelf = stack.add("Shelf", ["name": "S"])
      let books = ["A", "B", "C"].map { stack.add("Book", ["title": $0, "shelf": shelf]) }
      try stack.context.save()
      event(stack) {
        shelf.mutableOrderedSetValue(forKey: "books").exchangeObject(at: 0, withObjectAt: 2)
        stack.context.delete(books[1])
      }
      var added: NSManagedObject?
      event(stack) { added = stack.add("Book", ["title": "D", "shelf": shelf]) }
      stack.context.rollback()
      #expect(shelf.list("books") == books && !stack.context.hasChanges && !books[1].isDeleted)
      #expect(added?.managedObjectContext == nil && added?.one("shelf") == nil)
      #expect(stack.context.undoManager?.canUndo == false && stack.context.undoManager?.canRedo == false)
      stack.context.undo()
      #expect(shelf.list("books") == books)
    }
  }

  @Test("D11: a block of perform is one step, fetches within it included; a group of the program's own is one step")
  func groups() async throws {
    let stack = try stack()
    let id = try await stack.context.perform {
      let book = stack.add("Book", ["title": "A"])
      try stack.context.save()
      return book.objectID
    }
    try await stack.context.perform {
      let book = stack.context.object(with: id)
      book.setValue("B", forKey: "title")
      _ = try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
      book.setValue("C", forKey: "title")
    }
    try await stack.context.perform {
      let book = stack.context.object(with: id)
      stack.context.undo()
      #expect(book.text("title") == "A")
      stack.context.redo()
      let manager = try #require(stack.context.undoManager)
      manager.beginUndoGrouping()
      book.setValue("D", forKey: "title")
      stack.context.processPendingChanges()
      book.setValue("E", forKey: "title")
      manager.setActionName("Rename")
      manager.endUndoGrouping()
      #expect(manager.undoActionName == "Rename")
      stack.context.undo()
      #expect(book.text("title") == "C")
    }
  }
}
