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
    #expect(throws: StoreError.self) {
      try Draft(store).insert(Library.tag).self
      try Draft(store).commit()
    }
    let again = try TestStore.open(files)
    #expect(again.identifier == store.identifier)
    try check(again.latest)
  }
}
