import FileSystem
import Foundation
import Schema
import StoreContract
import Testing

@testable import RecordStore

@Suite("Derived values")
struct DerivedValueTests {
  typealias Work = Library.Work
  typealias Shelf = Library.Shelf

  @Test("C187: text is folded for searching, and now() is the time of the last save that wrote the row")
  func own() throws {
    let store = try TestStore.memory()
    let draft = Draft(store)
    let shelf = try draft.insert(Library.shelf)
    let book = try draft.insert(Library.book, [Work.title: .string("ÉCOLE"), Work.shelf: .object(shelf)])
    let plain = try draft.insert(Library.book, [Work.title: .string("Plain Title")])
    let none = try draft.insert(Library.book)
    var view = try draft.commit()
    #expect(try view.value(book, Work.folded) == .string("ecole"))
    #expect(try view.value(plain, Work.folded) == .string("plain title"))
    #expect(try view.value(none, Work.folded) == .null)
    #expect(try view.value(book, Work.touched) == .date(1000))
    let later = Draft(store)
    later.timestamp = 2000
    try later.update(plain, [Work.pages: .int(3)])
    // Rewritten for its shelf's sake only: nobody touched the book.
    try later.update(shelf, [Shelf.label: .string("new")])
    view = try later.commit()
    #expect(try view.value(plain, Work.touched) == .date(2000))
    #expect(try view.value(book, Work.touched) == .date(1000))
    #expect(try view.value(book, Work.shelfLabel) == .string("NEW"))
  }

  @Test("C189: a derived value that is set by hand is overwritten")
  func overwritten() throws {
    let store = try TestStore.memory()
    let draft = Draft(store)
    let shelf = try draft.insert(Library.shelf, [Shelf.workCount: .int(99), Shelf.label: .string("a")])
    let book = try draft.insert(
      Library.book, [Work.title: .string("Big"), Work.folded: .string("lie"), Work.shelfLabel: .string("lie")])
    let view = try draft.commit()
    #expect(try view.value(shelf, Shelf.workCount) == .int(0))
    #expect(try view.value(shelf, Shelf.pages) == .int(0))
    #expect(try view.value(shelf, Shelf.longest) == .null)
    #expect(try view.value(book, Work.folded) == .string("big"))
    #expect(try view.value(book, Work.shelfLabel) == .null)
  }

  private func shelfValues(_ view: RecordView, _ shelf: ObjectKey) throws -> [Value] {
    try [Shelf.workCount, Shelf.pages, Shelf.shortest, Shelf.longest].map { try view.value(shelf, $0) }
  }

  @Test("C185, C186: counts and sums follow inserts, moves, changed values and deletions, and keep the owner's version")
  func aggregates() throws {
    let files = MemoryFileSystem()
    let store = try TestStore.open(files)
    let draft = Draft(store)
    let a = try draft.insert(Library.shelf, [Shelf.label: .string("a")])
    let b = try draft.insert(Library.shelf, [Shelf.label: .string("b")])
    let first = try draft.insert(Library.book, [Work.pages: .int(100), Work.shelf: .object(a)])
    var view = try draft.commit()
    let version = view.commitNumber
    #expect(try shelfValues(view, a) == [.int(1), .int(100), .int(100), .int(100)])

    let second = Draft(store)
    let record = try second.insert(Library.record, [Work.pages: .int(7), Work.shelf: .object(a)])
    view = try second.commit()
    #expect(try shelfValues(view, a) == [.int(2), .int(107), .int(7), .int(100)])
    #expect(try view.row(for: a)?.version == version)
    #expect(try view.value(record, Work.shelfLabel) == .string("A"))

    let move = Draft(store)
    try move.update(first, [Work.shelf: .object(b), Work.pages: .int(50)])
    view = try move.commit()
    #expect(try shelfValues(view, a) == [.int(1), .int(7), .int(7), .int(7)])
    #expect(try shelfValues(view, b) == [.int(1), .int(50), .int(50), .int(50)])
    #expect(try view.value(first, Work.shelfLabel) == .string("B"))

    let deletion = Draft(store)
    try deletion.delete(record)
    view = try deletion.commit()
    #expect(try shelfValues(view, a) == [.int(0), .int(0), .null, .null])
    // A derived rewrite is no change of its own to history.
    let last = try #require(try store.transactions(after: view.commitNumber - 1, limit: 1).first)
    #expect(last.changes.map(\.key) == [record])

    // The owner can still be saved by somebody who read it before all that.
    let stale = Draft(store)
    try stale.update(a, [Shelf.label: .string("aa")], expected: version)
    view = try stale.commit()
    #expect(try shelfValues(view, a) == [.int(0), .int(0), .null, .null])
    try store.close()
    #expect(try shelfValues(TestStore.open(files).latest, b) == [.int(1), .int(50), .int(50), .int(50)])
  }

  @Test("C186: counts over links follow them from either side, and the deletion of a member")
  func overLinks() throws {
    let store = try TestStore.memory()
    let draft = Draft(store)
    let tag = try draft.insert(Library.tag)
    let book = try draft.insert(Library.book, [Work.pages: .int(10)], links: [link(Work.tags, add: [tag])])
    let other = try draft.insert(Library.book, [Work.pages: .int(5)])
    let list = try draft.insert(
      Library.list, links: [link(Library.List.entries, add: [book, other])])
    var view = try draft.commit()
    func counts() throws -> [Value] {
      try [view.value(tag, Library.Tag.workCount), view.value(tag, Library.Tag.pages), view.value(list, 3)]
    }
    #expect(try counts() == [.int(1), .double(10), .int(2)])
    let more = Draft(store)
    try more.update(other, links: [link(Work.tags, add: [tag])])
    try more.update(book, [Work.pages: .int(20)])
    view = try more.commit()
    #expect(try counts() == [.int(2), .double(25), .int(2)])
    let less = Draft(store)
    try less.delete(book)
    view = try less.commit()
    #expect(try counts() == [.int(1), .double(5), .int(1)])
    let none = Draft(store)
    try none.update(other, links: [link(Work.tags, remove: [tag])])
    view = try none.commit()
    #expect(try counts() == [.int(0), .double(0), .int(1)])
    try view.checkInvariants()
  }

  @Test("A copy of a related value follows the related object's changes and deletion")
  func related() throws {
    let store = try TestStore.memory()
    let draft = Draft(store)
    let shelf = try draft.insert(Library.shelf, [Shelf.label: .string("one")])
    let book = try draft.insert(Library.book, [Work.shelf: .object(shelf)])
    var view = try draft.commit()
    let version = try view.row(for: book)?.version
    let change = Draft(store)
    try change.update(shelf, [Shelf.label: .string("two")])
    view = try change.commit()
    #expect(try view.value(book, Work.shelfLabel) == .string("TWO"))
    #expect(try view.row(for: book)?.version == version)
    let deletion = Draft(store)
    try deletion.delete(shelf)
    view = try deletion.commit()
    #expect(try view.value(book, Work.shelfLabel) == .null)
  }
}
