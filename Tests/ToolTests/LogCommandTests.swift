import Foundation
import Testing

@Suite("annals log")
struct LogCommandTests {
  @Test("prints one line for each transaction: number, UTC time, author, context, counts, bytes, place")
  func summaryLines() throws {
    try withTemporaryDirectory { directory in
      let result = try Tool.run("log", SmallStore.make(in: directory).path)
      #expect(result.status == 0)
      #expect(result.errors.isEmpty)
      #expect(result.lines.count == 5)
      let first = try #require(result.lines.first).components(separatedBy: "  ")
      #expect(first.dropFirst().prefix(3) == ["2026-11-30 09:00:00.000Z", "ada", "import"])
      #expect(first.contains("+2"))
      #expect(first.contains("~0"))
      #expect(first.contains("-0"))
      #expect(first.last?.contains("+") == true)
      #expect(result.lines[4].components(separatedBy: "  ")[2] == "-", "no author")
    }
  }

  @Test("-v lists what changed: insertions, updates with the value before, links, deletions")
  func changes() throws {
    try withTemporaryDirectory { directory in
      let text = try Tool.run("log", "-v", SmallStore.make(in: directory).path).output
      #expect(text.contains("  + Owner/1  name \"Ada\""))
      #expect(text.contains("  + Thing/1  aInteger16 7  aString \"first\""))
      #expect(text.contains("aString \"first\" -> \"changed\"  owner nil -> Owner/1"))
      #expect(text.contains("tags {+Tag/1}"))
      #expect(text.contains("  - SpecialThing/1"))
    }
  }

  @Test("-vv shows the frame of each record and its first bytes")
  func frames() throws {
    try withTemporaryDirectory { directory in
      let text = try Tool.run("log", "-vv", "--limit", "1", SmallStore.make(in: directory).path).output
      #expect(text.contains("record kind 0x02 at byte "))
      #expect(text.contains("block tag 0x0000"))
    }
  }

  static let selections: [([String], [Int])] = [
    ([], [0, 1, 2, 3, 4]),
    (["--limit", "2"], [0, 1]),
    (["-n", "2"], [0, 1]),
    (["--reverse"], [4, 3, 2, 1, 0]),
    (["--reverse", "--limit", "2"], [4, 3]),
    (["--first", "1", "--last", "1"], [0, 4]),
    (["--first", "4", "--last", "4"], [0, 1, 2, 3, 4]),
    (["--last", "2"], [3, 4]),
    (["--limit", "0"], []),
    (["--author", "ada"], [0, 2, 3]),
    (["--author", "ada", "--author", "ben"], [0, 1, 2, 3]),
    (["--author="], [4]),
    (["--entity", "Thing"], [0, 1, 2, 3, 4]),
    (["--entity", "SpecialThing"], [1, 4]),
    (["--entity=Tag"], [3]),
    (["--entity", "Thing", "--op", "update"], [2, 3]),
    (["--op", "delete"], [4]),
    (["--id", "Thing/1"], [0, 2, 3]),
    (["--id", "Thing/1", "--id", "SpecialThing/1", "--op=insert"], [0, 1]),
    (["--since", "2026-11-30T09:02:00Z"], [2, 3, 4]),
    (["--since", "2026-11-30T10:01+01:00", "--until", "2026-11-30 09:03"], [1, 2, 3]),
    (["--until", "2026-11-30"], [0, 1, 2, 3, 4]),
    (["--until", "2026-11-29"], []),
    (["--since", "2026-12-01"], []),
    (["--until", "2026-11-30T09:00:30Z"], [0]),
  ]

  @Test("limits, directions and filters choose transactions", arguments: selections)
  func selection(options: [String], expected: [Int]) throws {
    try withTemporaryDirectory { directory in
      let store = try SmallStore.make(in: directory)
      let all = try Place.all(store).map(\.number)
      try #require(all.count == 5)
      let result = try Tool.run(["log", "--json"] + options + [store.path])
      #expect(try result.objects().map { $0["number"] as? Int } == expected.map { all[$0] })
      let hasFilters =
        !options.isEmpty && !options[0].hasPrefix("--l") && options[0] != "-n" && options[0] != "--reverse"
      #expect(result.status == (expected.isEmpty && hasFilters ? 1 : 0))
      let verbose = try Tool.run(["log", "--json", "-v"] + options + [store.path])
      #expect(try verbose.objects().map { $0["number"] as? Int } == expected.map { all[$0] })
    }
  }

  @Test("--since and --until take transaction numbers, inclusively")
  func numbers() throws {
    try withTemporaryDirectory { directory in
      let store = try SmallStore.make(in: directory)
      let all = try Place.all(store).map(\.number)
      let result = try Tool.run("log", "--json", "--since", "\(all[1])", "--until", "\(all[3])", store.path)
      #expect(try result.objects().map { $0["number"] as? Int } == Array(all[1...3]))
      #expect(try Tool.run("log", "--since", "18446744073709551615", store.path).status == 1)
      #expect(try Tool.run("log", "--since", "0", store.path).lines.count == 5)
    }
  }

  @Test("--first and --last tell in text how many lie between")
  func gap() throws {
    try withTemporaryDirectory { directory in
      let result = try Tool.run("log", "--first", "1", "--last", "1", SmallStore.make(in: directory).path)
      #expect(result.lines.count == 3)
      #expect(result.lines[1] == "… 3 more …")
    }
  }

  @Test("an age is counted from now: the transactions are older than two hours, or in the future of the clock")
  func ages() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appendingPathComponent("Now.sqlite")
      let fixture = try FixtureStore(at: url)
      let now = Date().timeIntervalSinceReferenceDate
      try fixture.commit(time: now - 3 * 3600, [.insert(try fixture.newKey("Tag"), ["label": .string("old")])])
      try fixture.commit(time: now - 600, [.insert(try fixture.newKey("Tag"), ["label": .string("new")])])
      try fixture.close()
      #expect(try Tool.run("log", "--since", "2h", url.path).lines.count == 1)
      #expect(try Tool.run("log", "--since", "1d", url.path).lines.count == 2)
      #expect(try Tool.run("log", "--until", "2h", url.path).lines.count == 1)
    }
  }

  @Test("an entity that the store does not have is told, with the one that was meant")
  func unknownEntity() throws {
    try withTemporaryDirectory { directory in
      let store = try SmallStore.make(in: directory)
      let result = try Tool.run("log", "--entity", "Ownr", store.path)
      #expect(result.status == 2)
      #expect(result.errors.contains("no entity 'Ownr'; did you mean 'Owner'?"))
      #expect(try Tool.run("log", "--id", "Ownr/1", store.path).status == 2)
      #expect(try Tool.run("log", "--id", "Owner", store.path).status == 2)
      #expect(try Tool.run("log", "--id", "Owner/99999", store.path).status == 1)
    }
  }

  @Test("text from the store cannot reach the terminal as control characters")
  func controlCharacters() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appendingPathComponent("Store.sqlite")
      let fixture = try FixtureStore(at: url)
      let label = "\u{1B}[2J\u{7}\n\u{202E}x"
      try fixture.commit(author: label, [.insert(try fixture.newKey("Tag"), ["label": .string(label)])])
      try fixture.close()
      let result = try Tool.run("log", "-v", url.path)
      #expect(result.lines.count == 2)
      #expect(!result.output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" })
    }
  }

  @Test("B107: long binary values are shown by length, hash and beginning, and whole with --full")
  func binary() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appendingPathComponent("Store.sqlite")
      let fixture = try FixtureStore(at: url)
      let data = Data((0..<1000).map { UInt8(truncatingIfNeeded: $0) })
      try fixture.commit([.insert(try fixture.newKey("Thing"), ["aTransformable": .data(data)])])
      try fixture.close()
      let text = try Tool.run("log", "-v", url.path).output
      #expect(text.contains("aTransformable x'000102030405060708090a0b0c0d0e0f1011121314151617…' (1000 bytes, xxh3 "))
      let line = try Tool.run("log", "-v", "--full", "--json", url.path).output
      #expect(line.contains(data.base64EncodedString()))
    }
  }

  @Test("a reader of the lines that has seen enough ends the command, which is a success")
  func head() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appendingPathComponent("Store.sqlite")
      let fixture = try FixtureStore(at: url)
      // More than a pipe and the command's own buffer hold, so that writing fails.
      let label = String(repeating: "x", count: 1000)
      for _ in 0..<4 {
        try fixture.commit(try (0..<200).map { _ in .insert(try fixture.newKey("Tag"), ["label": .string(label)]) })
      }
      try fixture.close()
      let line = #"{ "$ANNALS" log -v --full "$STORE"; echo "status $?" >&2; } | head -n 1"#
      let result = try Tool.shell(line, environment: ["STORE": url.path])
      #expect(result.lines.count == 1)
      #expect(result.errors == "status 0\n")
    }
  }
}
