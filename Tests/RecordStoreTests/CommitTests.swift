import FileSystem
import Foundation
import Schema
import StoreContract
import Testing

@testable import RecordStore

@Suite("Commits")
struct CommitTests {
  typealias Work = Library.Work
  typealias Shelf = Library.Shelf

  @Test("What is committed is read back, by key, by relationship from both ends, and after opening again")
  func roundTrip() throws {
    let files = MemoryFileSystem()
    let store = try TestStore.open(files)
    #expect(try store.currentView().commitNumber == 0)
    let draft = Draft(store)
    let shelf = try draft.insert(Library.shelf, [Shelf.label: .string("A")])
    let first = try draft.insert(Library.book, [Work.title: .string("First"), Work.shelf: .object(shelf)])
    let second = try draft.insert(Library.record, [Work.title: .string("Second"), Work.shelf: .object(shelf)])
    let view = try draft.commit()
    func check(_ view: RecordView) throws {
      #expect(try view.value(first, Work.title) == .string("First"))
      #expect(try view.members(shelf, Shelf.works) == [first, second].sorted())
      #expect(try view.memberCount(of: shelf, relationship: Shelf.works) == 2)
      #expect(try view.members(second, Work.shelf) == [shelf])
      #expect(try view.all(Library.work) == [first, second].sorted())
      #expect(try view.row(for: first)?.version == view.commitNumber)
      try view.checkInvariants()
    }
    try check(view)
    try store.close()
    #expect(throws: StoreError.self) { try Draft(store, on: view).commit() }
    let again = try TestStore.open(files)
    #expect(again.identifier == store.identifier)
    try check(again.latest)
  }

  @Test("Values of every type, absent ones too, are the same after opening again")
  func everyType() throws {
    let values: [AttributeType: Value] = [
      .integer16: .int(-32768), .integer32: .int(1 << 30), .integer64: .int(.min),
      .decimal: .decimal(Decimal(string: "-12345678901234567890.5")!), .double: .double(.leastNonzeroMagnitude),
      .float: .float(1.1), .string: .string("e\u{301} 👩‍👩‍👧"), .boolean: .bool(true), .date: .date(0.25),
      .binary: .data(Data([0, 255])), .uuid: .uuid(UUID()), .uri: .url("https://example.org/%20"),
      .transformable: .data(Data(repeating: 7, count: 100_000)),
      .objectID: .object(ObjectKey(entityNumber: 1, ordinal: 1)),
    ]
    let files = MemoryFileSystem()
    let store = try TestStore.open(files)
    let draft = Draft(store)
    let full = try draft.insert(
      Library.everything,
      Dictionary(uniqueKeysWithValues: values.map { (AttributeType.allCases.firstIndex(of: $0)!, $1) }))
    let empty = try draft.insert(Library.everything)
    try draft.commit()
    try store.close()
    let view = try TestStore.open(files).latest
    for (index, type) in AttributeType.allCases.enumerated() {
      #expect(try view.value(full, index) == values[type])
      #expect(try view.value(empty, index) == .null)
    }
  }

  @Test("A change set without changes writes nothing and keeps the number")
  func emptyChangeSet() throws {
    let store = try TestStore.memory()
    let draft = Draft(store)
    try draft.insert(Library.tag)
    let number = try draft.commit().commitNumber
    #expect(try Draft(store).commit().commitNumber == number)
    #expect(try store.transactions(after: 0, limit: 10).count == 1)
  }

  @Test("Keys are consecutive, and never given out again, not even after a deletion and opening again")
  func keys() throws {
    let files = MemoryFileSystem()
    let store = try TestStore.open(files)
    let first = try store.reserveKeys(entity: Library.tag, count: 3)
    #expect(try store.reserveKeys(entity: Library.tag, count: 1).ordinal == first.ordinal + 3)
    let draft = Draft(store)
    let key = try draft.insert(Library.tag)
    try draft.commit()
    let deletion = Draft(store)
    try deletion.delete(key)
    try deletion.commit()
    try store.close()
    let again = try TestStore.open(files)
    #expect(try again.reserveKeys(entity: Library.tag, count: 1) > key)
  }

  @Test("A view never changes: rows, members and counts stay as they were while commits go on")
  func viewsStay() throws {
    let store = try TestStore.memory()
    let draft = Draft(store)
    let shelf = try draft.insert(Library.shelf, [Shelf.label: .string("A")])
    let book = try draft.insert(Library.book, [Work.title: .string("Old"), Work.shelf: .object(shelf)])
    let before = try draft.commit()
    let change = Draft(store)
    try change.update(book, [Work.title: .string("New"), Work.shelf: .null])
    try change.insert(Library.book, [Work.shelf: .object(shelf)])
    try change.commit()
    let deletion = Draft(store)
    try deletion.delete(book)
    let after = try deletion.commit()
    #expect(try before.value(book, Work.title) == .string("Old"))
    #expect(try before.members(shelf, Shelf.works) == [book])
    #expect(try after.row(for: book) == nil)
    #expect(try after.memberCount(of: shelf, relationship: Shelf.works) == 1)
    try store.close()
    #expect(try before.value(book, Work.title) == .string("Old"))
  }

  @Test("Members of a many-to-many relationship are read from both ends; of an ordered one, by position")
  func links() throws {
    let files = MemoryFileSystem()
    let store = try TestStore.open(files)
    let draft = Draft(store)
    let tags = try (0..<3).map { _ in try draft.insert(Library.tag) }
    let book = try draft.insert(Library.book, links: [link(Work.tags, add: tags)])
    let other = try draft.insert(Library.book, links: [link(Work.related, add: [book])])
    let entries = LinkChange(
      relationship: Library.List.entries,
      added: [LinkChange.Member(key: book, position: 2), LinkChange.Member(key: other, position: 1)], removed: [])
    let list = try draft.insert(Library.list, links: [entries])
    try draft.commit()
    let change = Draft(store)
    try change.update(book, links: [link(Work.tags, remove: [tags[1]])])
    let moved = LinkChange(
      relationship: Library.List.entries, added: [LinkChange.Member(key: other, position: 3)], removed: [])
    try change.update(list, links: [moved])
    let version = try store.latest.row(for: book)?.version
    try change.commit()
    try store.close()
    let view = try TestStore.open(files).latest
    #expect(try view.members(book, Work.tags) == [tags[0], tags[2]])
    #expect(try view.members(tags[0], Library.Tag.works) == [book])
    #expect(try view.members(tags[1], Library.Tag.works) == [])
    #expect(try view.members(other, Work.related) == [book])
    #expect(try view.members(list, Library.List.entries) == [book, other])
    #expect(try view.row(for: book)?.version == version)
    try view.checkInvariants()
  }

  @Test("A deletion ends every link from and to the object")
  func deletionEndsLinks() throws {
    let files = MemoryFileSystem()
    let store = try TestStore.open(files)
    let draft = Draft(store)
    let tag = try draft.insert(Library.tag)
    let book = try draft.insert(Library.book, links: [link(Work.tags, add: [tag])])
    let other = try draft.insert(
      Library.book, links: [link(Work.tags, add: [tag]), link(Work.related, add: [book])])
    try draft.commit()
    let deletion = Draft(store)
    try deletion.delete(book)
    try deletion.commit()
    try store.close()
    let view = try TestStore.open(files).latest
    #expect(try view.members(tag, Library.Tag.works) == [other])
    #expect(try view.members(other, Work.related) == [])
    try view.checkInvariants()
  }

  @Test("Metadata is set, removed, and there after opening again")
  func metadata() throws {
    let files = MemoryFileSystem()
    let store = try TestStore.open(files)
    let draft = Draft(store)
    draft.metadata = ["a": "1", "b": "2"]
    try draft.commit()
    let removal = Draft(store)
    removal.metadata = ["a": nil]
    try removal.commit()
    #expect(store.metadata == ["b": "2"])
    try store.close()
    #expect(try TestStore.open(files).metadata == ["b": "2"])
  }

  @Test("A temporary key, as an object, in a row or in a link, is refused and changes nothing")
  func temporaryKeys() throws {
    let store = try TestStore.memory()
    let temporary = ObjectKey(entityNumber: Library.tag, ordinal: 1, isTemporary: true)
    let asObject = Draft(store)
    try asObject.insert(Library.tag, key: temporary)
    let inRow = Draft(store)
    try inRow.insert(Library.book, [Work.shelf: .object(temporary)])
    let inLink = Draft(store)
    try inLink.insert(Library.book, links: [link(Work.tags, add: [temporary])])
    for draft in [asObject, inRow, inLink] {
      let error = #expect(throws: StoreError.self) { try draft.commit() }
      #expect(error?.message.contains("temporary") == true)
    }
    #expect(try store.latest.all(Library.work).isEmpty)
  }
}
