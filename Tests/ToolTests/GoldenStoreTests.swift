import FileSystem
import Foundation
import RecordStore
import Schema
import StoreContract
import Testing

/// Stores that were written once, and must be read for ever as they were then. To add one: name it here, write it in
/// `make`, and run with ANNALS_WRITE_GOLDEN=NAME. One that exists is never written again: what a later version writes is
/// a new store.
private enum Golden: String, CaseIterable, Sendable {
  case small
  case everyType = "every-type"
  case torn, damaged
  case multiSegment = "multi-segment"
  /// Beside a sound log: a checkpoint, one with a damaged page, and one that is ahead of the log.
  case checkpoint
  case checkpointDamaged = "checkpoint-damaged"
  case checkpointStale = "checkpoint-stale"

  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Formats/stores/v1")
  static let asked = ProcessInfo.processInfo.environment["ANNALS_WRITE_GOLDEN"]

  var url: URL { Self.folder.appendingPathComponent(rawValue) }
  /// What `annals log --json -vv --full` prints of it.
  var lines: URL { Self.folder.appendingPathComponent(rawValue + ".jsonl") }
  var exitCode: Int32 { self == .damaged ? 5 : 0 }
  var exitCodeOfVerify: Int32 { self == .torn ? 4 : exitCode }

  func write() throws {
    guard !FileManager.default.fileExists(atPath: url.path) else { return }
    try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
    try withTemporaryDirectory { directory in
      let store = try make(in: directory)
      try? FileManager.default.removeItem(at: store.appendingPathComponent("writer.lock"))
      try FileManager.default.copyItem(at: store, to: url)
    }
    // Not the line of an error: it has the path of this machine.
    let result = try Tool.run("log", "--json", "-vv", "--full", url.path)
    let transactions = result.lines.filter { $0.contains("\"kind\":\"transaction\"") }
    try transactions.map { $0 + "\n" }.joined().write(to: lines, atomically: true, encoding: .utf8)
  }

  private func make(in directory: URL) throws -> URL {
    let store = directory.appendingPathComponent("store")
    switch self {
    case .small: try Self.notes(at: store)
    case .everyType:
      let fixture = try FixtureStore(at: store)
      try EveryKind.edges(fixture)
      try EveryKind.relationships(fixture)
      try fixture.close()
    case .torn:
      let copy = try SmallStore.makeUnclosed(in: directory)
      let last = try #require(try Place.all(copy).last)
      let handle = try FileHandle(forUpdating: last.file)
      try handle.truncate(atOffset: last.offset + last.bytes - 8)
      try handle.close()
      return copy
    case .damaged:
      let made = try SmallStore.make(in: directory)
      let bad = try Place.all(made)[2]
      try flipByte(of: bad.file, at: bad.offset + bad.bytes / 2)
      return made
    case .multiSegment:
      let fixture = try FixtureStore(at: store, segmentBytesMax: 2 << 10)
      try EveryKind.relationships(fixture)
      try fixture.close()
    case .checkpoint:
      let fixture = try SmallStore.write(at: store)
      try fixture.store.writeCheckpoint()
      try fixture.close()
    case .checkpointDamaged:
      try Self.notes(at: store, checkpoint: true)
      // In the first page.
      try flipByte(of: try Self.checkpoint(in: store), at: 200)
    case .checkpointStale:
      let longer = directory.appendingPathComponent("longer")
      try Self.notes(at: longer)
      try FileManager.default.copyItem(at: longer, to: store)
      let ahead = try RecordStore.open(directory: longer.path, in: DiskFileSystem(), schema: nil)
      _ = try ahead.commit(ChangeSet(timestamp: 1, metadata: ["more": "yes"]))
      try ahead.writeCheckpoint()
      try ahead.close()
      let file = try Self.checkpoint(in: longer)
      try FileManager.default.copyItem(at: file, to: store.appendingPathComponent(file.lastPathComponent))
    }
    return store
  }

  private static func checkpoint(in store: URL) throws -> URL {
    let names = try FileManager.default.contentsOfDirectory(atPath: store.path)
    return store.appendingPathComponent(try #require(names.first { $0.hasSuffix(".ckp") }))
  }

  /// As little as a store can be with an insertion, an update and a deletion in it.
  private static func notes(at url: URL, checkpoint: Bool = false) throws {
    let schema = Schema(entities: [
      EntitySchema(
        name: "Note", index: 0, superentity: nil, isAbstract: false,
        properties: [
          PropertySchema(name: "text", kind: .attribute(AttributeSchema(type: .string))),
          PropertySchema(name: "count", kind: .attribute(AttributeSchema(type: .integer32))),
        ], inheritedCount: 0)
    ])
    let fixture = try FixtureStore(at: url, schema: schema)
    let first = try fixture.newKey("Note")
    let second = try fixture.newKey("Note")
    try fixture.commit(
      author: "ada",
      [
        .insert(first, ["text": .string("one"), "count": .int(1)]), .insert(second, ["text": .string("two")]),
      ])
    try fixture.commit([.update(first, ["count": .int(2)]), .delete(second)])
    if checkpoint { try fixture.store.writeCheckpoint() }
    try fixture.close()
  }
}

@Suite("Golden stores", .serialized)
struct GoldenStoreTests {
  init() throws {
    for golden in Golden.allCases where Golden.asked == golden.rawValue || Golden.asked == "all" { try golden.write() }
  }

  @Test("Each is read as it was when it was written", arguments: Golden.allCases)
  fileprivate func ours(golden: Golden) throws {
    let result = try Tool.run("log", "--json", "-vv", "--full", golden.url.path)
    #expect(result.status == golden.exitCode)
    // With --json the failure is a line too.
    let lines = result.lines.filter { $0.contains("\"kind\":\"transaction\"") }
    let expected = try String(contentsOf: golden.lines, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(!lines.isEmpty)
    #expect(lines == expected)
  }

  @Test("The independent reader reads the same", .enabled(if: Reader.isUsable), arguments: Golden.allCases)
  fileprivate func theirs(golden: Golden) throws {
    let result = try Reader.run("-vv", "--full", golden.url.path)
    #expect(result.status == golden.exitCode)
    let expected = try String(contentsOf: golden.lines, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(result.lines == expected)
  }

  @Test("Each is verified whole, the damaged one as damaged, and nothing is written", arguments: Golden.allCases)
  fileprivate func verified(golden: Golden) throws {
    let before = try FileManager.default.contentsOfDirectory(atPath: golden.url.path)
    #expect(try Tool.run("verify", "--deep", golden.url.path).status == golden.exitCodeOfVerify)
    #expect(try FileManager.default.contentsOfDirectory(atPath: golden.url.path) == before)
  }

  @Test("B088: a checkpoint that is damaged, or ahead of the log, is told of and harmless")
  func checkpoints() throws {
    func find(_ golden: Golden, _ command: String...) throws -> Tool.Result {
      try Tool.run(command + [golden.url.path])
    }
    let info = try #require(try find(.checkpoint, "info", "--json").objects().first)
    let sound = try #require((info["checkpoints"] as? [[String: Any]])?.first)
    #expect(sound["file"] as? String == "checkpoint-0000000000000006.ckp")
    #expect(sound["record"] as? Int == 6)
    #expect(try find(.checkpoint, "info").output.contains("checkpoint    checkpoint-0000000000000006.ckp"))
    let stale = try find(.checkpointStale, "info").output
    #expect(stale.contains("not used: the log does not have the place that it names"))
    #expect(try find(.checkpointStale, "verify").output.contains("the log does not have the place"))
    #expect(try find(.checkpointDamaged, "verify").output.contains("pages of the checkpoint are damaged"))
    for golden in [Golden.checkpointDamaged, .checkpointStale] {
      var options = RecordStoreOptions(isReadOnly: true)
      options.checkpointTailBytes = 0
      let store = try RecordStore.open(
        directory: golden.url.path, in: DiskFileSystem(), schema: nil, options: options)
      #expect(store.opening.checkpointNumber == nil || golden == .checkpointDamaged)
    }
  }

  @Test("Each that is sound is opened for writing by a copy, and goes on", arguments: Golden.allCases)
  fileprivate func written(golden: Golden) throws {
    try withTemporaryDirectory { directory in
      let copy = directory.appendingPathComponent("copy")
      try FileManager.default.copyItem(at: golden.url, to: copy)
      let open = { try RecordStore.open(directory: copy.path, in: DiskFileSystem(), schema: nil) }
      guard golden != .damaged else {
        #expect(#expect(throws: StoreError.self) { try open() }?.code == .damaged)
        return
      }
      let store = try open()
      let number = try store.currentView().commitNumber
      guard case .committed(let receipt) = try store.commit(ChangeSet(timestamp: 1, metadata: ["more": "yes"])) else {
        Issue.record("in conflict with nothing")
        return
      }
      #expect(receipt.commitNumber == number + 1)
      try store.close()
      #expect(try Tool.run("verify", "--deep", copy.path).status == 0)
    }
  }
}
