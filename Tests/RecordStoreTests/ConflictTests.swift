import FileSystem
import Foundation
import Schema
import StoreContract
import Testing

@testable import RecordStore

@Suite("Conflicts")
struct ConflictTests {
  typealias Work = Library.Work
  typealias Shelf = Library.Shelf

  @Test("An object that somebody else has changed or deleted is a version conflict; all of them come at once")
  func versions() throws {
    let store = try TestStore.memory()
    let draft = Draft(store)
    let books = try (0..<4).map { try draft.insert(Library.book, [Work.pages: .int($0)]) }
    let view = try draft.commit()
    let other = Draft(store)
    try other.update(books[0], [Work.pages: .int(10)])
    try other.update(books[1], [Work.pages: .int(11)])
    try other.delete(books[2])
    let newest = try other.commit()

    let stale = Draft(store, on: view)
    try stale.update(books[0], [Work.pages: .int(20)])
    try stale.delete(books[1])
    try stale.update(books[2], [Work.pages: .int(22)])
    try stale.update(books[3], [Work.pages: .int(23)])
    var found: [ObjectKey: UInt64?] = [:]
    for conflict in try stale.conflicts() {
      guard case .version(let key, let expected, let row) = conflict else { continue }
      #expect(expected == view.commitNumber)
      found.updateValue(row?.version, forKey: key)
    }
    #expect(found == [books[0]: newest.commitNumber, books[1]: newest.commitNumber, books[2]: UInt64?.none])
    #expect(store.latest === newest)
  }

  @Test("An object that is only locked conflicts as one that is written does")
  func locked() throws {
    let store = try TestStore.memory()
    let draft = Draft(store)
    let book = try draft.insert(Library.book)
    let view = try draft.commit()
    let fine = Draft(store)
    try fine.insert(Library.tag)
    fine.locked = [(book, view.commitNumber)]
    #expect(try fine.conflicts().isEmpty)
    let other = Draft(store)
    try other.update(book, [Work.pages: .int(10)])
    try other.commit()
    let stale = Draft(store, on: view)
    try stale.insert(Library.tag)
    stale.locked = [(book, view.commitNumber)]
    #expect(try stale.conflicts().count == 1)
  }

  @Test("Two contexts that add different members are both right; links to what is gone disappear")
  func linksNeverConflict() throws {
    let store = try TestStore.memory()
    let draft = Draft(store)
    let tags = try (0..<3).map { _ in try draft.insert(Library.tag) }
    let book = try draft.insert(Library.book)
    let view = try draft.commit()
    let one = Draft(store, on: view)
    try one.update(book, links: [link(Work.tags, add: [tags[0]])])
    try one.commit()
    let deletion = Draft(store)
    try deletion.delete(tags[2])
    try deletion.commit()
    let two = Draft(store, on: view)
    try two.update(book, links: [link(Work.tags, add: [tags[1], tags[2]])])
    try two.commit()
    #expect(try store.latest.members(book, Work.tags) == [tags[0], tags[1]])
    let goodbye = Draft(store)
    try goodbye.delete(book)
    try goodbye.commit()
    let late = Draft(store, on: view)
    try late.update(book, links: [link(Work.tags, add: [tags[0]])])
    let number = store.latest.commitNumber
    #expect(try late.commit().commitNumber == number)
    try store.latest.checkInvariants()
  }

  @Test("C121: a second object with the values of a unique one is a conflict that names the holder; nothing is written")
  func uniqueAgainstStored() throws {
    let store = try TestStore.memory()
    let draft = Draft(store)
    let holder = try draft.insert(Library.book, [Work.code: .string("X")])
    let before = try draft.commit()
    let second = Draft(store)
    // A constraint of the super-entity holds between objects of different entities below it.
    let intruder = try second.insert(Library.record, [Work.code: .string("X")])
    let conflicts = try second.conflicts()
    guard case .constraint(let entity, let properties, let keys, let stored)? = conflicts.first else {
      Issue.record("no constraint conflict")
      return
    }
    #expect(conflicts.count == 1)
    #expect(entity == Library.work)
    #expect(properties == [Work.code])
    #expect(keys == [intruder])
    #expect(stored == holder)
    #expect(store.latest === before)
  }

  @Test("C123: duplicates within one change set are one conflict without a holder")
  func uniqueWithin() throws {
    let store = try TestStore.memory()
    let draft = Draft(store)
    let keys = try (0..<3).map { _ in try draft.insert(Library.book, [Work.code: .string("X")]) }
    let conflicts = try draft.conflicts()
    guard case .constraint(_, _, let found, let stored)? = conflicts.first else {
      Issue.record("no constraint conflict")
      return
    }
    #expect(conflicts.count == 1)
    #expect(found.sorted() == keys.sorted())
    #expect(stored == nil)
  }

  @Test("C125: absent parts never conflict; values may be swapped, or taken from an object deleted in the same save")
  func uniqueSwaps() throws {
    let files = MemoryFileSystem()
    let store = try TestStore.open(files)
    let draft = Draft(store)
    let a = try draft.insert(Library.book, [Work.code: .string("A"), Library.Book.isbn: .string("1")])
    let b = try draft.insert(Library.book, [Work.code: .string("B"), Library.Book.isbn: .string("1")])
    try draft.insert(Library.book)
    try draft.insert(Library.book)
    try draft.commit()
    let swap = Draft(store)
    try swap.update(a, [Work.code: .string("B")])
    try swap.update(b, [Work.code: .string("A")])
    #expect(try swap.conflicts().isEmpty)
    let replacement = Draft(store)
    try replacement.delete(a)
    try replacement.insert(Library.record, [Work.code: .string("B")])
    #expect(try replacement.conflicts().isEmpty)
    let clash = Draft(store)
    try clash.update(b, [Work.code: .string("B")])
    #expect(try clash.conflicts().count == 1)
    let whole = Draft(store)
    try whole.update(b, [Library.Book.volume: .int(1)])
    try whole.insert(Library.book, [Library.Book.isbn: .string("1"), Library.Book.volume: .int(1)])
    #expect(try whole.conflicts().count == 1)
    try store.latest.checkInvariants()
    try store.close()
    let again = Draft(try TestStore.open(files))
    try again.insert(Library.book, [Work.code: .string("A")])
    #expect(try again.conflicts().count == 1)
  }

  @Test("Version and constraint conflicts of one change set are told together")
  func together() throws {
    let store = try TestStore.memory()
    let draft = Draft(store)
    let book = try draft.insert(Library.book, [Work.code: .string("A")])
    let view = try draft.commit()
    let other = Draft(store)
    try other.update(book, [Work.pages: .int(5)])
    try other.commit()
    let stale = Draft(store, on: view)
    try stale.update(book, [Work.pages: .int(6)])
    try stale.insert(Library.record, [Work.code: .string("A")])
    #expect(try stale.conflicts().count == 2)
  }
}
