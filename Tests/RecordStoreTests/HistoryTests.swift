import FileSystem
import Foundation
import Schema
import StoreContract
import Testing

@testable import RecordStore

@Suite("History and inspection")
struct HistoryTests {
  typealias Work = Library.Work

  private static func filled(_ files: MemoryFileSystem) throws -> (store: RecordStore, keys: [ObjectKey]) {
    let store = try TestStore.open(files)
    let first = Draft(store)
    first.author = "importer"
    let tag = try first.insert(Library.tag, [Library.Tag.name: .string("new")])
    let book = try first.insert(Library.book, [Work.title: .string("Öne"), Work.pages: .int(5)])
    try first.commit()
    let second = Draft(store)
    second.metadata = ["colour": "blue"]
    try second.update(book, [Work.pages: .int(6)], links: [link(Work.tags, add: [tag])])
    try second.commit()
    let third = Draft(store)
    try third.delete(book)
    try third.commit()
    return (store, [tag, book])
  }

  @Test("Transactions come oldest first, with what changed, the rows as written, and preserved values of what is gone")
  func transactions() throws {
    let (store, keys) = try Self.filled(MemoryFileSystem())
    let all = try store.transactions(after: 0, limit: 10)
    #expect(all.map(\.author) == ["importer", nil, nil])
    #expect(all.map { $0.changes.map(\.operation) } == [[.insert, .insert], [.update], [.delete]])
    #expect(all.allSatisfy { $0.processID == ProcessInfo.processInfo.processIdentifier && $0.timestamp == 1000 })
    let pages = try #require(store.schema.entities[Library.book].layout.slots[Work.pages])
    let title = try #require(store.schema.entities[Library.book].layout.slots[Work.title])
    let written = try #require(all[0].changes.first { $0.key == keys[1] }?.row)
    #expect(written.value(pages) == .int(5))
    #expect(written.version == all[0].number)
    #expect(all[1].changes[0].changedProperties.indexes == [Work.tags, Work.pages])
    #expect(all[1].changes[0].row?.value(pages) == .int(6))
    let gone = try #require(all[2].changes[0].row)
    #expect(gone.value(title) == .string("Öne"))
    #expect(gone.isNull(pages))
    #expect(try store.transactions(after: all[0].number, limit: 1).map(\.number) == [all[1].number])
    #expect(try store.transactions(after: all[2].number, limit: 1).isEmpty)
    #expect(try store.transactions(after: 1000, limit: 5).isEmpty)
  }

  @Test("A store is inspected while it is written to, with names and without its model")
  func inspection() throws {
    let files = MemoryFileSystem()
    let (store, keys) = try Self.filled(files)
    let inspection = try StoreInspection(directory: "/library", in: files)
    let info = try inspection.info()
    #expect(info.identifier == store.identifier)
    #expect(info.transactionCount == 3)
    #expect(info.firstTransaction?.author == "importer")
    #expect(info.metadata == ["colour": "blue"])
    let counts = info.entities.filter { $0.insertedCount > 0 }.map { "\($0.name) \($0.liveCount) \($0.insertedCount)" }
    #expect(counts == ["Book 0 1", "Tag 1 1"])
    #expect(info.liveRowBytes > 0 && info.historyRowBytes > 0)
    #expect(inspection.entityName(ofNumber: keys[1].entityNumber) == "Book")
    var seen: [InspectedTransaction] = []
    try inspection.forEachTransaction { transaction in
      seen.append(transaction)
      return true
    }
    #expect(
      seen.map { $0.changes.map(\.operation) } == [[.insert, .insert], [.update, .derive], [.delete, .derive]])
    let update = seen[1].changes[0]
    #expect(update.entity == "Book")
    #expect(update.changedProperties == ["tags", "pages"])
    #expect(update.links.map(\.relationship) == ["tags"])
    #expect(update.values?.first { $0.name == "pages" }?.value == .int(6))
    #expect(seen[2].changes[0].values?.map(\.name) == ["title"])
    #expect(seen[1].metadata.map(\.name) == ["colour"])
    var count = 0
    try inspection.forEachTransaction(after: seen[0].number) { _ in
      count += 1
      return false
    }
    #expect(count == 1)
  }

  @Test("Verification of a sound store finds nothing; a reference to what is gone is a warning")
  func verification() throws {
    let files = MemoryFileSystem()
    let (store, _) = try Self.filled(files)
    let report = try StoreInspection(directory: "/library", in: files).verify()
    #expect(report.findings.isEmpty)
    #expect(report.transactionsChecked == 3)
    #expect(report.rowsChecked == 6)
    let draft = Draft(store)
    let shelf = try draft.insert(Library.shelf)
    try draft.insert(Library.book, [Work.shelf: .object(shelf)])
    try draft.commit()
    let deletion = Draft(store)
    try deletion.delete(shelf)
    try deletion.commit()
    let dangling = try StoreInspection(directory: "/library", in: files).verify()
    #expect(dangling.isSound)
    #expect(dangling.findings.map(\.severity) == [.warning])
  }
}
