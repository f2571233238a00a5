import Bytes
import Foundation
import Schema
import StoreContract
import Testing

@testable import RecordStore

@Suite("Records")
struct RecordFormatTests {
  @Test("A schema is the same after writing and reading its record, numbers and defaults of every kind included")
  func schema() throws {
    let defaults: [AttributeType: Value] = [
      .integer16: .int(-5), .decimal: .decimal(Decimal(string: "1.50")!), .double: .double(.infinity),
      .float: .float(0.1), .string: .string("a \"quoted\"\n\u{1} line"), .boolean: .bool(true), .date: .date(0.5),
      .binary: .data(Data([1, 2])), .uuid: .uuid(UUID()), .uri: .url("x:y"),
    ]
    let typed = AttributeType.allCases.map {
      Library.attribute($0.name, $0, default: defaults[$0] ?? .null)
    }
    var entities = Library.schema.entities
    entities[Library.everything] = EntitySchema(
      name: "Everything", index: Library.everything, superentity: nil, isAbstract: false, properties: typed,
      inheritedCount: 0, renamingIdentifier: "Old")
    let stored = StoredSchema(new: Schema(entities: entities))
    let text = Array(stored.json.text.utf8)
    let read = try text.withUnsafeBytes { try StoredSchema(record: $0) }
    #expect(read.entityNumbers == stored.entityNumbers)
    #expect(read.propertyNumbers == stored.propertyNumbers)
    #expect(read.json == stored.json)
    for (a, b) in zip(read.schema.entities, entities) {
      #expect(a.name == b.name)
      #expect(a.properties == b.properties)
      #expect(a.constraints == b.constraints)
      #expect(a.fetchIndexes == b.fetchIndexes)
      #expect(a.superentity == b.superentity)
      #expect(a.isAbstract == b.isAbstract)
    }
    // Inherited properties have the number of their origin.
    #expect(stored.propertyNumbers[Library.book].starts(with: stored.propertyNumbers[Library.work]))
    #expect(stored.difference(from: Schema(entities: entities)) == [])
  }

  @Test("Text that is not a schema is told, whatever is wrong with it; nothing traps")
  func badSchemas() throws {
    let good = Array(StoredSchema(new: Library.schema).json.text.utf8)
    var random = SeededGenerator(seed: 5)
    for _ in 0..<2000 {
      var bad = good
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bad.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bad[place] = UInt8.random(in: 0x20...0x7E, using: &random)
        case 1: bad.remove(at: place)
        default: bad.insert(UInt8.random(in: 0x2C...0x3A, using: &random), at: place)
        }
      }
      _ = try? bad.withUnsafeBytes { try StoredSchema(record: $0) }
    }
    for text in [
      "", "[]", "{", #"{"format":1}"#, String(repeating: "[", count: 10_000), #"{"format":1,"entities":[{}]}"#,
    ] {
      #expect(throws: SchemaRecordFault.self) { try Array(text.utf8).withUnsafeBytes { try StoredSchema(record: $0) } }
    }
  }

  private static let header = TransactionRecord.Header(
    number: 9, timestamp: 12.5, author: "me", contextName: "import ü", processID: 77,
    metadata: [("a", "1"), ("b", nil)])

  private static let changes: [TransactionRecord.Change] = {
    func key(_ ordinal: UInt64) -> ObjectKey { ObjectKey(entityNumber: 3, ordinal: ordinal) }
    let members = [LinkChange.Member(key: key(1 << 40), position: 1.5), LinkChange.Member(key: key(2), position: -1)]
    return [
      TransactionRecord.Change(key: key(5), operation: .insert, row: (0, 0)),
      TransactionRecord.Change(key: key(6), operation: .derive, row: (0, 96)),
      TransactionRecord.Change(
        key: key(900), operation: .update, changedProperties: PropertySet([0, 9, 70]), row: (1, 0),
        links: [LinkChange(relationship: 1, added: members, removed: [key(3)])]),
      TransactionRecord.Change(key: key(901), operation: .update, changedProperties: PropertySet([1])),
      TransactionRecord.Change(key: key(1 << 47), operation: .delete),
    ]
  }()

  private static func bytes() -> [UInt8] {
    var writer = ByteWriter()
    TransactionRecord.write(header, sectionCount: 1, to: &writer)
    TransactionRecord.writeSection(
      entityNumber: 3, blockCount: 2, changes: changes[...], ordered: [false, true], to: &writer)
    return writer.bytes
  }

  private func read(_ bytes: [UInt8], blockCount: Int = 2) throws -> (
    TransactionRecord.Header, [TransactionRecord.Change]
  ) {
    try bytes.withUnsafeBytes { raw in
      var changes: [TransactionRecord.Change] = []
      var reader = try TransactionReader(raw, number: 9, blockCount: blockCount)
      try reader.forEachChange { change throws(RecordFault) in changes.append(change) }
      return (reader.header, changes)
    }
  }

  @Test("A transaction is the same after writing and reading its record")
  func transaction() throws {
    let (header, changes) = try read(Self.bytes())
    #expect(header.author == "me")
    #expect(header.contextName == "import ü")
    #expect(header.processID == 77)
    #expect(header.timestamp == 12.5)
    #expect(header.metadata.map(\.name) == ["a", "b"])
    #expect(header.metadata.map(\.value) == ["1", nil])
    #expect(changes.count == Self.changes.count)
    for (read, written) in zip(changes, Self.changes) {
      #expect(read.key == written.key)
      #expect(read.operation == written.operation)
      #expect(read.changedProperties.indexes == written.changedProperties.indexes)
      #expect(read.row?.block == written.row?.block)
      #expect(read.row?.offsetBytes == written.row?.offsetBytes)
      #expect(read.links.map(\.added) == written.links.map(\.added))
      #expect(read.links.map(\.removed) == written.links.map(\.removed))
    }
  }

  @Test("A record that is cut short, has too few blocks or a later version is told; changed bytes never trap")
  func badTransactions() throws {
    let good = Self.bytes()
    for length in 0..<good.count {
      #expect(throws: RecordFault.self) { try read(Array(good[..<length])) }
    }
    #expect(throws: RecordFault.self) { try read(good, blockCount: 1) }
    var later = good
    later[0] = 2
    #expect { try read(later) } throws: { ($0 as? RecordFault)?.isNewerFormat == true }
    for place in good.indices {
      for bit in 0..<8 {
        var bad = good
        bad[place] ^= 1 << UInt8(bit)
        _ = try? read(bad)
      }
    }
  }
}
