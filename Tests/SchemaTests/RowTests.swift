import Foundation
import Schema
import Testing

@Suite("Rows")
struct RowTests {
  static let types: [(AttributeType, [Value])] = [
    (.integer16, [.int(0), .int(-32768), .int(32767)]),
    (.integer32, [.int(-2_147_483_648), .int(2_147_483_647)]),
    (.integer64, [.int(.min), .int(.max), .int(1)]),
    (
      .decimal,
      ["0", "-1.5", "12345678901234567890.123456789", "1e-100", "7e120"].map { .decimal(Decimal(string: $0)!) }
    ),
    (.double, [.double(.infinity), .double(-0.0), .double(.leastNonzeroMagnitude)]),
    (.float, [.float(1.1), .float(-.infinity)]),
    (.string, [.string(""), .string("e\u{301} é 👩‍👩‍👧"), .string(String(repeating: "x", count: 70_000))]),
    (.boolean, [.bool(true), .bool(false)]),
    (.date, [.date(-1e10), .date(0.0005)]),
    (.binary, [.data(Data()), .data(Data([0, 255, 1]))]),
    (.uuid, [.uuid(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!)]),
    (.uri, [.url("https://example.org/a?b=%20")]),
  ]

  @Test("A row gives back every value of every type, and which are absent")
  func everyType() throws {
    let attributes = Self.types.map { PropertySchema(name: $0.0.name, kind: .attribute(AttributeSchema(type: $0.0))) }
    let reference = PropertySchema(
      name: "owner", kind: .relationship(RelationshipSchema(destination: 0, inverse: nil, isToMany: false)))
    let layout = RowLayout(properties: attributes + [reference])
    let owner = ObjectKey(entityNumber: 3, ordinal: 77)
    for round in 0..<3 {
      for absent in -1..<attributes.count {
        let buffer = RowBuffer(capacityBytes: 1)
        let values: [Value] = Self.types.enumerated().map { index, type in
          index == absent ? .null : type.1[round % type.1.count]
        }
        let key = ObjectKey(entityNumber: 1, ordinal: 9)
        _ = try layout.encode(key: key, version: 0, into: buffer) { _ in .null }
        let start = try layout.encode(key: key, version: 5, into: buffer) {
          $0 < values.count ? values[$0] : .object(owner)
        }
        buffer.setVersion(6, at: start)
        let row = buffer.row(at: start)
        #expect(row.key == key)
        #expect(row.version == 6)
        #expect(start + row.lengthBytes == buffer.count)
        #expect(layout.fault(in: row.bytes) == nil)
        for (property, value) in values.enumerated() {
          #expect(row.value(try #require(layout.slots[property])) == value)
        }
        #expect(row.reference(try #require(layout.slots[values.count])) == owner)
      }
    }
  }

  @Test("To-many, transient and fetched properties have no slot")
  func slots() {
    let many = PropertySchema(
      name: "many", kind: .relationship(RelationshipSchema(destination: 0, inverse: nil, isToMany: true)))
    let transient = PropertySchema(
      name: "transient", kind: .attribute(AttributeSchema(type: .string)), isTransient: true)
    let layout = RowLayout(properties: [many, transient, PropertySchema(name: "fetched", kind: .fetched)])
    #expect(layout.slots.allSatisfy { $0 == nil })
    #expect(layout.variableOffset == RowLayout.headerBytes)
  }

  @Test("Bytes that are not a row of the layout are told, at every truncation and for every wrong offset")
  func faults() throws {
    let layout = RowLayout(properties: [
      PropertySchema(name: "a", kind: .attribute(AttributeSchema(type: .string))),
      PropertySchema(name: "b", kind: .attribute(AttributeSchema(type: .string))),
    ])
    let buffer = RowBuffer()
    _ = try layout.encode(key: ObjectKey(entityNumber: 0, ordinal: 1), version: 1, into: buffer) { _ in .string("abc") }
    let good = Array(buffer.bytes)
    #expect(good.withUnsafeBytes { layout.fault(in: $0) } == nil)
    for length in 0..<good.count {
      #expect(Array(good[..<length]).withUnsafeBytes { layout.fault(in: $0) } != nil)
    }
    for offset in [0, 4, layout.endOffsetsOffset, layout.endOffsetsOffset + 4] {
      var bad = good
      bad[offset + 1] ^= 0x80
      #expect(bad.withUnsafeBytes { layout.fault(in: $0) } != nil)
    }
  }
}
