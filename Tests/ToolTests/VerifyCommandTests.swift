import Foundation
import Testing

@Suite("annals verify, and what the other commands do with a damaged store")
struct VerifyCommandTests {
  @Test("a sound store is exit code 0, in text and JSON, quick and deep", arguments: [[], ["--quick"], ["--deep"]])
  func sound(options: [String]) throws {
    try withTemporaryDirectory { directory in
      let store = try SmallStore.make(in: directory)
      let text = try Tool.run(["verify"] + options + [store.path])
      #expect(text.status == 0)
      #expect(text.output.hasPrefix("sound ("))
      let line = try #require(try Tool.run(["verify", "--json"] + options + [store.path]).objects().last)
      #expect(line["kind"] as? String == "verify")
      #expect(line["exit"] as? Int == 0)
      #expect(line["deep"] as? Bool == (options != ["--quick"]))
      #expect(line["damages"] as? Int == 0)
    }
  }

  @Test("B106: damage tells segment, offset, record kind, both checksums, last and next good transaction")
  func damage() throws {
    try withTemporaryDirectory { directory in
      let store = try SmallStore.make(in: directory)
      let places = try Place.all(store)
      try #require(places.count == 5)
      let bad = places[2]
      try flipByte(of: bad.file, at: bad.offset + bad.bytes / 2)
      let result = try Tool.run("verify", store.path)
      #expect(result.status == 5)
      for part in [
        "damage: ", bad.file.path, "byte offset        \(bad.offset)", "record kind        0x02",
        "expected checksum  0x", "computed checksum  0x", "last good          \(places[1].number) (2026-11-30 09:01",
        "by ben)", "next good          \(places[3].number)",
      ] {
        #expect(result.output.contains(part), "\(part) is missing in\n\(result.output)")
      }
      let fault = try #require(try Tool.run("verify", "--json", store.path).objects().first)
      #expect(fault["kind"] as? String == "fault")
      #expect(fault["severity"] as? String == "damage")
      #expect(fault["offset"] as? Int == Int(bad.offset))
      #expect(fault["last_good"] as? Int == places[1].number)
      #expect(fault["next_good"] as? Int == places[3].number)
      #expect(fault["expected"] as? String != fault["computed"] as? String)
    }
  }

  @Test("log and info print what lies before the damage, tell where it is, and answer 5")
  func beforeDamage() throws {
    try withTemporaryDirectory { directory in
      let store = try SmallStore.make(in: directory)
      let bad = try Place.all(store)[2]
      try flipByte(of: bad.file, at: bad.offset + bad.bytes / 2)
      let log = try Tool.run("log", store.path)
      #expect(log.status == 5)
      #expect(log.lines.count == 2)
      for part in ["damage", bad.file.path, "\(bad.offset)", "expected checksum", "computed checksum"] {
        #expect(log.errors.contains(part), "\(part) is missing in\n\(log.errors)")
      }
      let json = try Tool.run("log", "--json", store.path)
      #expect(json.status == 5)
      #expect(try json.objects().last?["kind"] as? String == "fault")
      let info = try Tool.run("info", store.path)
      #expect(info.status == 5)
      #expect(info.output.contains("damaged"))
    }
  }

  @Test("a torn tail is exit code 4 of verify; log and info mention it and print everything before")
  func tornTail() throws {
    try withTemporaryDirectory { directory in
      let store = try SmallStore.makeUnclosed(in: directory)
      let last = try #require(try Place.all(store).last)
      let handle = try FileHandle(forUpdating: last.file)
      try handle.truncate(atOffset: last.offset + last.bytes - 8)
      try handle.close()
      let size = try Data(contentsOf: last.file).count
      let verify = try Tool.run("verify", store.path)
      #expect(verify.status == 4)
      #expect(verify.output.contains("torn-tail: "))
      #expect(verify.output.contains("byte offset        \(last.offset)"))
      #expect(try Tool.run("verify", "--json", store.path).objects().last?["exit"] as? Int == 4)
      let log = try Tool.run("log", store.path)
      #expect(log.status == 0)
      #expect(log.lines.count == 4)
      #expect(log.errors.contains("unfinished record"))
      let info = try Tool.run("info", store.path)
      #expect(info.status == 0)
      #expect(info.output.contains("torn tail"))
      #expect(try Data(contentsOf: last.file).count == size, "the tail was left alone")
    }
  }

  @Test("a store that was not closed is sound")
  func unclosed() throws {
    try withTemporaryDirectory { directory in
      let store = try SmallStore.makeUnclosed(in: directory)
      #expect(try Tool.run("verify", store.path).status == 0)
      #expect(try Tool.run("log", store.path).lines.count == 5)
    }
  }

  @Test("B026, B028: no damaged byte or lost block makes a command trap, and none passes as sound")
  func everyKindOfDamage() throws {
    try withTemporaryDirectory { directory in
      let store = try SmallStore.make(in: directory)
      let last = try #require(try Place.all(store).last)
      let original = try Data(contentsOf: last.file)
      let end = Int(last.offset + last.bytes)
      for offset in stride(from: 0, to: end, by: 41) {
        var bytes = original
        bytes[offset] ^= 0x10
        try bytes.write(to: last.file)
        for command in ["verify", "log", "info"] {
          let result = try Tool.run(command, store.path)
          #expect(!result.isKilledBySignal, "\(command) with byte \(offset) changed: \(result.errors)")
          #expect([0, 3, 4, 5, 6].contains(result.status))
          if command == "verify" { #expect(result.status != 0, "byte \(offset) passes as sound") }
        }
      }
      for start in stride(from: 0, to: end, by: 512) {
        var bytes = original
        let block = start..<min(start + 512, end)
        bytes.replaceSubrange(block, with: Data(count: block.count))
        try bytes.write(to: last.file)
        let result = try Tool.run("verify", store.path)
        #expect(!result.isKilledBySignal)
        #expect([3, 4, 5, 6].contains(result.status), "zeroes from \(start) give \(result.status)")
      }
    }
  }
}
