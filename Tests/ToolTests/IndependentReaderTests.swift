import Foundation
import Schema
import Testing

/// Python's reader, written from the format documents alone, against `annals log --json`.
enum Reader {
  static let python = "/usr/bin/python3"
  static let script: String = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Formats/reader/read_log.py").path

  /// Debian's python3 with python3-lz4 and python3-xxhash; another Python may come first on the path.
  static let isUsable: Bool = {
    let modules = try? Tool.run("-c", "import lz4.block, xxhash", executable: URL(fileURLWithPath: python))
    return modules?.status == 0 && FileManager.default.fileExists(atPath: script)
  }()

  static func run(_ arguments: String...) throws -> Tool.Result {
    try Tool.run([script] + arguments, executable: URL(fileURLWithPath: python))
  }
}

@Suite(
  "The independent reader",
  .enabled(if: Reader.isUsable, "needs /usr/bin/python3 with the modules lz4 and xxhash (python3-lz4, python3-xxhash)"))
struct IndependentReaderTests {
  @Test("prints the same bytes as annals log --json, for values of every type, links, segments and packed blocks")
  func sameLines() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appendingPathComponent("Every.sqlite")
      try EveryKind.write(at: url)
      let segments = Set(try Place.all(url).map(\.file))
      #expect(segments.count > 2)
      let frames = try Tool.run("log", "--json", "-vv", url.path).output
      for part in [
        "\"packed\":true", "\"packed\":false", "\"op\":\"insert\"", "\"op\":\"update\"", "\"op\":\"delete\"",
        "\"op\":\"derive\"", "\"before\":", "\"links\":", "\"position\":-2.75", "\"metadata\":{\"a", "\"xxh3\":",
        "\"NaN\"", "\"Infinity\"", "\"9223372036854775807\"", "\"iso\":null",
      ] {
        #expect(frames.contains(part), "the store has no \(part)")
      }
      for options in [[], ["-v"], ["-vv"], ["-v", "--full"]] as [[String]] {
        let ours = try Tool.run(["log", "--json"] + options + [url.path])
        let theirs = try Tool.run(
          [Reader.script] + options + [url.path], executable: URL(fileURLWithPath: Reader.python))
        #expect(ours.status == 0)
        #expect(theirs.status == 0, "\(theirs.errors)")
        #expect(ours.lines.count == theirs.lines.count)
        for (a, b) in zip(ours.lines, theirs.lines) where a != b {
          let place = zip(a, b).prefix { $0 == $1 }.count
          let start = max(0, place - 60)
          Issue.record(
            "\(options) differ: annals \(a.dropFirst(start).prefix(160)) reader \(b.dropFirst(start).prefix(160))")
        }
        #expect(ours.output == theirs.output)
      }
    }
  }

  @Test("reads a store that was killed with a torn tail up to its last commit")
  func tornTail() throws {
    try withTemporaryDirectory { directory in
      let store = try SmallStore.makeUnclosed(in: directory)
      let last = try #require(try Place.all(store).last)
      let handle = try FileHandle(forUpdating: last.file)
      try handle.truncate(atOffset: last.offset + last.bytes - 8)
      try handle.close()
      let theirs = try Reader.run("-v", store.path)
      #expect(theirs.status == 0, "\(theirs.errors)")
      #expect(theirs.output == (try Tool.run("log", "--json", "-v", store.path).output))
    }
  }

  @Test("stops at damage with exit code 5, at the same record")
  func damage() throws {
    try withTemporaryDirectory { directory in
      let store = try SmallStore.make(in: directory)
      let bad = try Place.all(store)[2]
      try flipByte(of: bad.file, at: bad.offset + bad.bytes / 2)
      let theirs = try Reader.run(store.path)
      #expect(theirs.status == 5)
      #expect(theirs.lines.count == 2)
      #expect(theirs.errors.contains("\(bad.offset)"))
    }
  }
}
