import CoreData
import Testing

@Suite("Query generations, A11")
struct GenerationTests {
  @Test("C179: a pinned context reads one state: old values, deleted rows, nothing new, until it is moved")
  func pinned() throws {
    let stack = try LibraryFixture()
    let context = stack.context
    try context.performAndWait {
      for title in ["r", "s"] { stack.add("Book", ["title": title, "code": title]) }
      try context.save()
      context.reset()
      try context.setQueryGenerationFrom(.current)
      let fetch = NSFetchRequest<NSManagedObject>(entityName: "Book")
      fetch.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let before = try context.fetch(fetch)
      try change(stack)
      #expect(try context.fetch(fetch) == before && context.count(for: fetch) == 2)
      #expect(before.map { $0.text("title") } == ["r", "s"])
      let token = try #require(context.queryGenerationToken)
      let other = stack.sibling()
      try other.performAndWait {
        try other.setQueryGenerationFrom(token)
        #expect(other.queryGenerationToken == token)
        #expect(try other.fetch(fetch).map { $0.text("title") } == ["r", "s"])
      }
      try context.setQueryGenerationFrom(nil)
      context.refreshAllObjects()
      #expect(try context.fetch(fetch).map { $0.text("title") } == ["R", "t"])
    }
  }

  private func change(_ stack: LibraryFixture) throws {
    let other = stack.sibling()
    try other.performAndWait {
      for book in try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")) {
        if book.text("code") == "s" { other.delete(book) } else { book.setValue("R", forKey: "title") }
      }
      stack.add("Book", ["title": "t", "code": UUID().uuidString], in: other)
      try other.save()
    }
  }

  @Test("C181: a save of a pinned context meets conflicts with the newest state, and moves to the one after it")
  func saving() throws {
    let stack = try LibraryFixture()
    let context = stack.context
    try context.performAndWait {
      let book = stack.add("Book", ["title": "r", "code": "r"])
      try context.save()
      try context.setQueryGenerationFrom(.current)
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")) == 1)
      try change(stack)
      book.setValue("mine", forKey: "title")
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .managedObjectMerge)
      context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
      try context.save()
      #expect(try stack.saved("Book") == ["mine", "t"])
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")) == 2)
    }
  }

  @Test("C182: a reset lets go of the state and pins a newer one with the next read")
  func resetting() throws {
    let stack = try LibraryFixture()
    let context = stack.context
    try context.performAndWait {
      let fetch = NSFetchRequest<NSManagedObject>(entityName: "Book")
      try context.setQueryGenerationFrom(.current)
      #expect(try context.count(for: fetch) == 0)
      try change(stack)
      #expect(try context.count(for: fetch) == 0)
      context.reset()
      #expect(context.queryGenerationToken == .current)
      #expect(try context.count(for: fetch) == 1)
      try change(stack)
      #expect(try context.count(for: fetch) == 1)
    }
  }
}
