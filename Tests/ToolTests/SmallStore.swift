import Foundation
import Schema
import StoreContract

/// A store of five transactions, the same in every test: two people's insertions, an update, a link, a deletion.
enum SmallStore {
  /// 2026-11-30T09:00:00Z.
  static let start: Double = 817_722_000

  /// Writes it and leaves it open; number of the first transaction is returned with it.
  static func write(at url: URL) throws -> FixtureStore {
    let fixture = try FixtureStore(at: url)
    let owner = try fixture.newKey("Owner")
    let thing = try fixture.newKey("Thing")
    let special = try fixture.newKey("SpecialThing")
    let tag = try fixture.newKey("Tag")
    try fixture.commit(
      author: "ada", context: "import", time: start,
      [.insert(owner, ["name": .string("Ada")]), .insert(thing, ["aString": .string("first"), "aInteger16": .int(7)])])
    try fixture.commit(
      author: "ben", time: start + 60, [.insert(special, ["aString": .string("second"), "extra": .string("more")])])
    try fixture.commit(
      author: "ada", time: start + 120, [.update(thing, ["aString": .string("changed"), "owner": .object(owner)])])
    try fixture.commit(
      author: "ada", time: start + 180,
      [
        .insert(tag, ["label": .string("red")]),
        .update(thing, [:], links: [fixture.link("tags", of: "Thing", add: [tag])]),
      ])
    try fixture.commit(time: start + 240, [.delete(special)])
    return fixture
  }

  /// The store written and closed.
  static func make(in directory: URL) throws -> URL {
    let url = directory.appendingPathComponent("Small.sqlite")
    try write(at: url).close()
    return url
  }

  /// The files of the store as a kill would leave them: copied while the store is open.
  static func makeUnclosed(in directory: URL) throws -> URL {
    let url = directory.appendingPathComponent("Open.sqlite")
    let fixture = try write(at: url)
    let copy = directory.appendingPathComponent("Killed.sqlite")
    try FileManager.default.copyItem(at: url, to: copy)
    try fixture.close()
    return copy
  }
}

/// Where a transaction lies, as `annals log --json` tells.
struct Place {
  let number: Int
  let file: URL
  let offset: UInt64
  let bytes: UInt64

  static func all(_ store: URL) throws -> [Place] {
    try Tool.run("log", "--json", store.path).objects().compactMap { line in
      guard line["kind"] as? String == "transaction", let number = line["number"] as? Int,
        let segment = line["segment"] as? String, let offset = line["offset"] as? Int, let bytes = line["bytes"] as? Int
      else { return nil }
      return Place(
        number: number, file: store.appendingPathComponent(segment), offset: UInt64(offset), bytes: UInt64(bytes))
    }
  }
}

/// Inverts one byte of a file.
func flipByte(of file: URL, at offset: UInt64) throws {
  let handle = try FileHandle(forUpdating: file)
  defer { try? handle.close() }
  try handle.seek(toOffset: offset)
  guard let byte = try handle.read(upToCount: 1)?.first else { throw CocoaError(.fileReadCorruptFile) }
  try handle.seek(toOffset: offset)
  try handle.write(contentsOf: Data([~byte]))
}
