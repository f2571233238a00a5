import FileSystem
import Foundation
import LogStore
import Schema
import StoreContract
import Testing

@testable import RecordStore

@Suite("Opening stores")
struct OpeningTests {
  private static func temporaryDirectory() throws -> URL {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("records-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    return directory
  }

  private func error(_ body: () throws -> Void) -> StoreError? {
    do {
      try body()
    } catch let error as StoreError {
      return error
    } catch {
      Issue.record("another error: \(error)")
    }
    return nil
  }

  @Test("On a real directory, a store is made, filled, closed and opened again; without a model, by its own schema")
  func realDirectory() throws {
    let directory = try Self.temporaryDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appendingPathComponent("Library.sqlite").path
    let store = try TestStore.open(DiskFileSystem(), Library.schema, path)
    let draft = Draft(store)
    let book = try draft.insert(Library.book, [Library.Work.title: .string("Alone")])
    try draft.commit()
    try store.close()
    let again = try TestStore.open(DiskFileSystem(), nil, path)
    #expect(again.schema.entities.map(\.name) == Library.schema.entities.map(\.name))
    #expect(try again.latest.value(book, Library.Work.title) == .string("Alone"))
    try again.latest.checkInvariants()
    try again.close()
  }

  @Test("A store that is open for writing cannot be opened for writing again; the error names the process")
  func locked() throws {
    let directory = try Self.temporaryDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let store = try TestStore.open(DiskFileSystem(), Library.schema, directory.path)
    let locked = error { _ = try TestStore.open(DiskFileSystem(), Library.schema, directory.path) }
    #expect(locked?.code == .locked)
    #expect(locked?.processID == ProcessInfo.processInfo.processIdentifier)
    // Reading needs no lock.
    let options = RecordStoreOptions(isReadOnly: true)
    let draft = Draft(store)
    try draft.insert(Library.tag)
    try draft.commit()
    let reader = try TestStore.open(DiskFileSystem(), Library.schema, directory.path, options: options)
    #expect(try reader.latest.all(Library.tag).count == 1)
    let refused = Draft(reader)
    try refused.insert(Library.tag)
    #expect(error { try refused.commit() }?.code == .readOnly)
    try store.close()
    try TestStore.open(DiskFileSystem(), Library.schema, directory.path).close()
  }

  @Test("What is not a store, is not there, or is empty and only to be read, is told apart")
  func notAStore() throws {
    let directory = try Self.temporaryDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appendingPathComponent("file").path
    try Data("SQLite format 3".utf8).write(to: URL(fileURLWithPath: file))
    #expect(error { _ = try TestStore.open(DiskFileSystem(), Library.schema, file) }?.code == .notAStore)
    let options = RecordStoreOptions(isReadOnly: true)
    let missing = directory.appendingPathComponent("missing").path
    let absent = error { _ = try TestStore.open(DiskFileSystem(), Library.schema, missing, options: options) }
    #expect(absent?.code == .cannotOpen)
    #expect(absent?.path?.hasPrefix(missing) == true)
    let files = MemoryFileSystem()
    try LogStore.open("/library", in: files, visit: { _ in }).close()
    #expect(error { _ = try TestStore.open(files, nil) }?.code == .notAStore)
    #expect(error { _ = try StoreInspection(directory: "/library", in: files) }?.code == .notAStore)
  }

  @Test("A store written with another model is refused, each difference in words")
  func otherSchema() throws {
    let files = MemoryFileSystem()
    try TestStore.open(files).close()
    var entities = Library.schema.entities
    var shelf = Library.shelfProperties
    shelf[Library.Shelf.pages] = Library.attribute(
      "pages", .integer32, .aggregate(relationship: Library.Shelf.works, .sum, property: Library.Work.pages))
    shelf.append(Library.attribute("colour", .string))
    entities[Library.shelf] = EntitySchema(
      name: "Shelf", index: Library.shelf, superentity: nil, isAbstract: false, properties: shelf, inheritedCount: 0,
      constraints: [[Library.Shelf.label]])
    entities[Library.everything] = EntitySchema(
      name: "Nothing", index: Library.everything, superentity: nil, isAbstract: false, properties: [],
      inheritedCount: 0)
    let refused = error { _ = try TestStore.open(files, Schema(entities: entities)) }
    #expect(refused?.code == .incompatibleSchema)
    for words in [
      "Shelf.pages: integer64 in the store, integer32 in the model", "Shelf.colour: in the model, not in the store",
      "Everything: in the store, not in the model", "Nothing: in the model, not in the store",
    ] {
      #expect(refused?.message.contains(words) == true, "\(words) is missing from: \(refused?.message ?? "")")
    }
    // Refusing has let go of the lock.
    try TestStore.open(files).close()
  }

  @Test("Default values, delete rules and the order of entities may differ: keys and links stay what they were")
  func harmlessDifferences() throws {
    let files = MemoryFileSystem()
    let store = try TestStore.open(files)
    let draft = Draft(store)
    let tag = try draft.insert(Library.tag)
    let book = try draft.insert(Library.book, links: [link(Library.Work.tags, add: [tag])])
    try draft.commit()
    try store.close()
    // The last entity, which nothing refers to, comes first.
    let order = [6, 0, 1, 2, 3, 4, 5]
    let moved = Schema(
      entities: order.enumerated().map { index, old in
        let entity = Library.schema.entities[old]
        let properties = entity.properties.map { property -> PropertySchema in
          guard case .relationship(let relationship) = property.kind else { return property }
          return PropertySchema(
            name: property.name,
            kind: .relationship(
              RelationshipSchema(
                destination: relationship.destination + 1, inverse: relationship.inverse,
                isToMany: relationship.isToMany, isOrdered: relationship.isOrdered, deleteRule: .cascade)))
        }
        return EntitySchema(
          name: entity.name, index: index, superentity: entity.superentity.map { $0 + 1 },
          isAbstract: entity.isAbstract,
          properties: properties, inheritedCount: entity.inheritedCount, constraints: entity.constraints,
          fetchIndexes: entity.fetchIndexes)
      })
    for _ in 0..<2 {
      let again = try TestStore.open(files, moved)
      #expect(again.schema.entities[again.latest.entityIndex(of: book)].name == "Book")
      #expect(try again.latest.members(book, Library.Work.tags) == [tag])
      #expect(try again.latest.members(tag, Library.Tag.works) == [book])
      try again.latest.checkInvariants()
      let more = Draft(again)
      try more.insert(Library.tag + 1)
      try more.commit()
      try again.close()
    }
    #expect(try TestStore.open(files).latest.all(Library.tag).count == 3)
  }

  @Test("A record of an unknown kind, and a format from the future, are told as such")
  func newer() throws {
    let files = MemoryFileSystem()
    try TestStore.open(files).close()
    let log = try LogStore.open("/library", in: files, visit: { _ in })
    try log.append(kind: 77) { _ in RecordContent(meta: [1]) }
    try log.close()
    #expect(error { _ = try TestStore.open(files) }?.code == .newerFormat)
    let future = MemoryFileSystem()
    let other = try LogStore.open("/library", in: future, visit: { _ in })
    try other.append(kind: 1) { _ in RecordContent(meta: Array(#"{"format":2,"entities":[]}"#.utf8)) }
    try other.close()
    #expect(error { _ = try TestStore.open(future) }?.code == .newerFormat)
  }

  @Test("A flipped byte in a row's block, or anywhere else, is reported as damage with its place, never read")
  func damaged() throws {
    let directory = try Self.temporaryDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let store = try TestStore.open(DiskFileSystem(), Library.schema, directory.path)
    for round in 0..<3 {
      let draft = Draft(store)
      for number in 0..<50 { try draft.insert(Library.book, [Library.Work.pages: .int(Int64(round * number))]) }
      try draft.commit()
    }
    try store.close()
    let info = try StoreInspection(directory: directory.path, in: DiskFileSystem())
    var middle: UInt64 = 0
    try info.forEachTransaction { transaction in
      middle = transaction.record.offsetBytes + transaction.record.storedBytes / 2
      return false
    }
    let name = try #require(try info.info().segments.first).fileName
    let url = directory.appendingPathComponent(name)
    var bytes = try Data(contentsOf: url)
    bytes[Int(middle)] ^= 0x10
    try bytes.write(to: url)
    let damage = error { _ = try TestStore.open(DiskFileSystem(), Library.schema, directory.path) }
    #expect(damage?.code == .damaged)
    #expect(damage?.path?.hasSuffix(name) == true)
    #expect(damage?.offsetBytes != nil)
    let inspection = try StoreInspection(directory: directory.path, in: DiskFileSystem())
    #expect(inspection.recovery.damage != nil)
    #expect(try !inspection.verify().isSound)
  }
}
