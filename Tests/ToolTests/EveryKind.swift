import Foundation
import Schema
import StoreContract

/// A store with everything that a format can hold: every type at its edges, inheritance, links with and without order,
/// updates, deletions, derived values, metadata, packed and unpacked blocks, several segments.
enum EveryKind {
  static func write(at url: URL) throws {
    let fixture = try FixtureStore(at: url, segmentBytesMax: 16 << 10)
    try edges(fixture)
    try relationships(fixture)
    try bulk(fixture)
    try fixture.close()
  }

  private static let strings = [
    "", "plain", "\"quoted\" \\ back", "tab\t line\n return\r bell\u{7} escape\u{1B} delete\u{7F}", "äöü ß İı",
    "👩‍👩‍👧‍👦 🇫🇷 e\u{301}", "\u{2028}\u{2029}\u{FEFF}", "a\0b", String(repeating: "long ", count: 200),
  ]
  private static let doubles: [Double] = [
    0, -0.0, 1, -1, 0.1, 0.0001, 0.00001, 123_456.789, 1e15, 9e15, 1e16, 1.5e16, 2e16, 1.2345678901234567e17, 1e22,
    1e100, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .leastNormalMagnitude, .pi, 1 / 3, .infinity, -.infinity,
    .nan,
    9_007_199_254_740_994,
  ]
  private static let floats: [Float] = [
    0, -0.0, 0.1, 1 / 3, 16_777_216, 1e10, 3.4e38, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
    .leastNormalMagnitude,
    123.456, 0.00001, 1e16, .infinity, -.infinity, .nan, 8.5899346e9,
  ]
  private static let dates: [Double] = [
    0, 1, -1, 0.5, -0.000_000_1, 817_722_000.123_456_7, 817_722_000.999_999_9, -63_113_904_000, -63_113_904_001,
    252_423_993_599.9, 252_423_993_600, 1e300, .nan, .infinity, -978_307_200, 86_399.999_999_9,
  ]
  private static let integers: [Int64] = [
    0, 1, -1, 9_007_199_254_740_991, 9_007_199_254_740_992, -9_007_199_254_740_991, -9_007_199_254_740_992, .max, .min,
  ]
  private static let decimals = [
    "0", "1", "-1", "0.1", "-123.456", "1e30", "1e-30", "12345678901234567890.12345678901",
  ]

  static func edges(_ fixture: FixtureStore) throws {
    var rows: [[String: Value]] = []
    let count = max(strings.count, doubles.count)
    for index in 0..<count {
      func pick<T>(_ values: [T]) -> T { values[index % values.count] }
      var row: [String: Value] = [:]
      row["aInteger16"] = .int(pick([0, 1, -1, 32_767, -32_768]))
      row["aInteger32"] = .int(pick([0, 1, -1, 2_147_483_647, -2_147_483_648]))
      row["aInteger64"] = .int(pick(integers))
      row["aDecimal"] = .decimal(Decimal(string: pick(decimals)) ?? .nan)
      row["aDouble"] = .double(pick(doubles))
      row["aFloat"] = .float(pick(floats))
      row["aString"] = .string(pick(strings))
      row["aBoolean"] = .bool(index % 2 == 0)
      row["aDate"] = .date(pick(dates))
      row["aBinary"] = .data(Data((0..<(index * 7)).map { UInt8(truncatingIfNeeded: $0 * 31) }))
      row["aUuid"] = .uuid(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID())
      row["aUri"] = .url("https://example.com/a?b=\(index)&c=\"d\"")
      row["aTransformable"] = .data(Data([UInt8](repeating: 0xAB, count: index)))
      row["aObjectID"] = .null
      rows.append(row)
    }
    rows.append(["aDecimal": .decimal(.nan)])
    var keys: [ObjectKey] = []
    let inserts: [FixtureStore.Change] = try rows.enumerated().map { index, row in
      let key = try fixture.newKey(index % 3 == 2 ? "SpecialThing" : "Thing")
      keys.append(key)
      return .insert(key, index % 3 == 2 ? row.merging(["extra": .string("é")]) { $1 } : row)
    }
    try fixture.commit(author: "edge \"cases\"\n", context: "ctx é", time: 817_722_000.25, inserts)
    // Every value replaced by the next row's: each type as a value before and a value after.
    let updates: [FixtureStore.Change] = keys.indices.dropLast(2).map { .update(keys[$0], rows[$0 + 1]) }
    try fixture.commit(author: "edge", time: 817_722_001, updates)
    try fixture.commit(
      time: -1e12, metadata: ["z": "1", "a\"b": "two", "é": nil],
      [.update(keys[0], ["aString": .null, "aObjectID": .object(keys[1])])])
    try fixture.commit(metadata: ["z": nil], [])
    try fixture.commit([.delete(keys[2]), .delete(keys[3])])
  }

  static func relationships(_ fixture: FixtureStore) throws {
    let owners = try (0..<3).map { _ in try fixture.newKey("Owner") }
    let tags = try (0..<4).map { _ in try fixture.newKey("Tag") }
    let things = try (0..<5).map { index in try fixture.newKey(index % 2 == 0 ? "Thing" : "SpecialThing") }
    let parts = try (0..<4).map { _ in try fixture.newKey("Part") }
    var changes: [FixtureStore.Change] = owners.indices.map { .insert(owners[$0], ["name": .string("owner \($0)")]) }
    changes += tags.indices.map { .insert(tags[$0], ["label": .string("tag \($0)")]) }
    changes += parts.indices.map { .insert(parts[$0], ["size": .int(Int64($0)), "whole": .object(things[0])]) }
    for index in things.indices {
      var links = [fixture.link("tags", of: "Thing", add: Array(tags.prefix(index)))]
      if index == 0 {
        links = [fixture.link("parts", of: "Thing", add: [parts[2], parts[0], parts[1]], positions: [0.5, 1, 1.25])]
      }
      let values: [String: Value] = index < 3 ? ["owner": .object(owners[index % 2])] : [:]
      changes.append(.insert(things[index], values, links: links))
    }
    try fixture.commit(author: "links", changes)
    try fixture.commit([
      .update(
        things[0], [:],
        links: [
          fixture.link("tags", of: "Thing", add: [tags[3], tags[0]]),
          fixture.link("parts", of: "Thing", add: [parts[0]], positions: [-2.75], remove: [parts[2]]),
        ]),
      .update(things[4], ["owner": .object(owners[2])], links: [fixture.link("tags", of: "Thing", remove: [tags[1]])]),
    ])
    try fixture.commit([.update(things[0], ["owner": .null]), .update(things[1], ["owner": .object(owners[0])])])
    try fixture.commit([.delete(owners[2]), .update(things[4], ["owner": .null]), .delete(tags[0])])
  }

  /// Enough text to be packed and to fill segments.
  private static func bulk(_ fixture: FixtureStore) throws {
    for round in 0..<6 {
      let inserts: [FixtureStore.Change] = try (0..<60).map { index in
        let text = "round \(round) object \(index): " + String(repeating: "the same words again and again ", count: 12)
        return .insert(try fixture.newKey("Tag"), ["label": .string(text)])
      }
      try fixture.commit(author: "bulk", context: "round \(round)", time: 817_722_000 + Double(round) / 3, inserts)
    }
    // Bytes that do not pack, in rows of their own size: a block with a single large row.
    var generator = SystemRandomNumberGenerator()
    let noise = Data((0..<40_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    try fixture.commit([.insert(try fixture.newKey("Thing"), ["aBinary": .data(noise), "aString": .string("noise")])])
  }
}
