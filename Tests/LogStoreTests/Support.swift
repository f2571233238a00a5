import FileSystem
import Foundation
import LogStore

/// What a record of a test holds, taken out of the log.
struct Kept: Equatable {
  var number: UInt64
  var kind: UInt8
  var meta: [UInt8]
  var blocks: [[UInt8]]
}

/// The identity of stores in tests, so that runs and vectors are the same every time.
let testUUID = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))

func testOptions(
  _ mode: LogStore.Options.Mode = .readWrite, segmentBytesMax: UInt64 = 64 << 20, preallocateBytes: UInt64 = 4096
) -> LogStore.Options {
  LogStore.Options(
    mode: mode, segmentBytesMax: segmentBytesMax, cacheBytesMax: 1 << 20, preallocateBytes: preallocateBytes,
    createUUID: { testUUID })
}

func keep(_ record: borrowing RecordReader) throws -> Kept {
  var blocks: [[UInt8]] = []
  for index in record.blocks.indices { blocks.append(try record.block(index).copy()) }
  return Kept(number: record.number, kind: record.kind, meta: Array(record.meta), blocks: blocks)
}

/// Opens a log and takes everything out of it.
func open(
  _ directory: String, in fileSystem: any FileSystem, _ options: LogStore.Options = testOptions()
) throws -> (log: LogStore, records: [Kept]) {
  var records: [Kept] = []
  let log = try LogStore.open(directory, in: fileSystem, options: options) { records.append(try keep($0)) }
  return (log, records)
}

/// A record with text for meta and one block for each text given.
@discardableResult
func append(_ log: LogStore, _ meta: String, _ blocks: [[UInt8]] = []) throws -> AppendedRecord {
  try log.append(kind: 1) { _ in
    RecordContent(
      meta: Array(meta.utf8), blocks: blocks.enumerated().map { BlockContent(tag: UInt32($0.offset), $0.element) })
  }
}

func metas(_ records: [Kept]) -> [String] { records.map { String(decoding: $0.meta, as: UTF8.self) } }

/// A directory of its own, removed when the object goes.
final class TemporaryDirectory {
  let path: String
  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("annals-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Bytes that don't pack, different for each seed.
func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
  return (0..<count).map { _ in
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return UInt8(truncatingIfNeeded: state >> 24)
  }
}

func segmentPath(_ directory: String, _ sequence: UInt64 = 1) -> String {
  let digits = String(sequence, radix: 16)
  return directory + "/log-" + String(repeating: "0", count: 16 - digits.count) + digits + ".seg"
}

/// A whole file's bytes.
func contents(_ path: String, in fileSystem: any FileSystem) throws -> [UInt8] {
  let file = try fileSystem.open(path, .read)
  var bytes = [UInt8](repeating: 0, count: Int(try file.size()))
  let count = try bytes.withUnsafeMutableBytes { try file.read(at: 0, into: $0) }
  bytes.removeLast(bytes.count - count)
  return bytes
}

/// Replaces a file's bytes.
func put(_ bytes: [UInt8], at path: String, in fileSystem: any FileSystem) throws {
  let file = try fileSystem.open(path, try fileSystem.exists(path) ? .readWrite : .createNew)
  try file.truncate(to: 0)
  try bytes.withUnsafeBytes { try file.write($0, at: 0) }
}
