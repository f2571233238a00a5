import FileSystem
import Foundation
import SimulatedDisk
import Testing

@testable import LogStore

/// The page and the vectors of the format are held against the code. To write them anew: ANNALS_WRITE_VECTORS=1.
@Suite("The log's format")
struct FormatTests {
  static let formats = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Formats")
  static let writes = ProcessInfo.processInfo.environment["ANNALS_WRITE_VECTORS"] != nil

  /// A log as it lies on the disk: names and bytes.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let about: String
    let files: [(name: String, bytes: [UInt8])]
    var testDescription: String { name }

    /// The same with something done to the last file.
    func changed(_ body: (inout [UInt8]) -> Void) -> Case {
      var files = files
      body(&files[files.count - 1].bytes)
      return Case(name: name, about: about, files: files)
    }
  }

  static func make(
    _ name: String, _ about: String, segmentBytesMax: UInt64 = 64 << 20, closes: Bool = true,
    _ body: (LogStore) throws -> Void
  ) throws -> Case {
    let disk = SimulatedDisk()
    do {
      let (log, _) = try open("/log", in: disk, testOptions(segmentBytesMax: segmentBytesMax, preallocateBytes: 512))
      try body(log)
      if closes { try log.close() }
    }
    let names = try disk.list("/log").filter { $0.hasSuffix(".seg") }
    let files = try names.map { (name: $0, bytes: try contents("/log/" + $0, in: disk)) }
    return Case(name: name, about: about, files: files)
  }

  static func example() throws -> Case {
    try make("example", "One record with a block of five bytes; the log was closed.") { log in
      try log.append(kind: 1) { _ in
        RecordContent(meta: Array("meta".utf8), blocks: [BlockContent(tag: 7, Array("hello".utf8))])
      }
    }
  }

  static func cases() throws -> [Case] {
    [
      try example(),
      try make("empty", "A log without records, not closed.", closes: false) { _ in },
      try make("unclosed", "Two records, and room set aside behind them.", closes: false) { log in
        try append(log, "first", [[1, 2, 3]])
        try append(log, "second", [[], noise(40)])
      },
      try make("segments", "Three records over several segments.", segmentBytesMax: 400) { log in
        for meta in ["a", "b", "c"] { try append(log, meta, [noise(100)]) }
      },
      try make("packed", "A block that LZ4 made smaller.") { log in
        try append(log, "packed", [[UInt8](repeating: 0x61, count: 4096)])
      },
      try make("torn-tail", "The second record was cut short; it never was acknowledged.", closes: false) { log in
        try append(log, "kept", [[1]])
        try append(log, "torn", [noise(100)])
      }.changed { $0.removeLast($0.count - 350) },
      try make("damaged", "A bit of the first record changed, with an acknowledged record behind it.") { log in
        try append(log, "damaged", [[1, 2, 3, 4]])
        try append(log, "whole", [[5]])
      }.changed { $0[210] ^= 4 },
    ]
  }

  /// What a reader is to find, and the files, as JSON.
  static func json(_ one: Case) throws -> String {
    let memory = MemoryFileSystem()
    try memory.createDirectory("/log")
    for file in one.files { try put(file.bytes, at: "/log/" + file.name, in: memory) }
    var records: [String] = []
    let log = try LogStore.open("/log", in: memory, options: testOptions(.readOnly)) { record in
      var blocks: [String] = []
      for index in record.blocks.indices {
        let info = record.blocks[index]
        let raw = hex(try record.block(index).copy())
        blocks.append(
          #"{"tag": \#(info.tag), "address": \#(info.address.rawValue), "codec": \#(info.codec.rawValue), "raw": "\#(raw)"}"#
        )
      }
      let place = #""segment": \#(record.location.segment), "offset": \#(record.location.offsetBytes)"#
      records.append(
        #"    {"number": \#(record.number), "kind": \#(record.kind), \#(place), "meta": "\#(hex(Array(record.meta)))", "blocks": [\#(blocks.joined(separator: ", "))]}"#
      )
    }
    let files = one.files.map { #"    {"name": "\#($0.name)", "bytes": "\#(hex($0.bytes))"}"# }
    let damage = log.recovery.damage.flatMap(\.offsetBytes).map { "\($0)" } ?? "null"
    return """
      {
        "about": "\(one.about)",
        "uuid": "\(log.storeUUID.uuidString.lowercased())",
        "closedCleanly": \(log.recovery.closedCleanly),
        "tornBytes": \(log.recovery.tornBytes),
        "damageOffset": \(damage),
        "records": [
      \(records.joined(separator: ",\n"))
        ],
        "files": [
      \(files.joined(separator: ",\n"))
        ]
      }

      """
  }

  static func hex(_ bytes: [UInt8]) -> String {
    let digits: [UInt8] = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  @Test("The vectors in Formats/vectors are what the code writes and reads")
  func vectors() throws {
    for one in try Self.cases() {
      let url = Self.formats.appendingPathComponent("vectors/log/\(one.name).json")
      let text = try Self.json(one)
      if Self.writes {
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: url, atomically: true, encoding: .utf8)
      }
      let stored = try String(contentsOf: url, encoding: .utf8)
      // Another version of LZ4 may pack otherwise, and be right.
      if one.name != "packed" { #expect(stored == text, "\(one.name)") }
    }
  }

  @Test("The worked example in Formats/log-format.md is what the code writes")
  func workedExample() throws {
    let url = Self.formats.appendingPathComponent("log-format.md")
    let page = try String(contentsOf: url, encoding: .utf8)
    let begin = try #require(page.range(of: "<!-- begin example -->\n"))
    let end = try #require(page.range(of: "<!-- end example -->"))
    let expected = try ExamplePage.text(of: Self.example().files[0].bytes)
    if Self.writes {
      let changed = page.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: expected)
      try changed.write(to: url, atomically: true, encoding: .utf8)
    } else {
      #expect(String(page[begin.upperBound..<end.lowerBound]) == expected)
    }
  }
}

/// The example's bytes with what they mean beside them.
enum ExamplePage {
  static func text(of bytes: [UInt8]) throws -> String {
    var lines: [String] = []
    var offset = 0
    func take(_ count: Int, _ meaning: String) {
      var rest = count
      var note = meaning
      while rest > 0 {
        let part = min(rest, 16)
        let hex = bytes[offset..<offset + part].map { FormatTests.hex([$0]) }.joined(separator: " ")
        let place = String(repeating: " ", count: 4 - "\(offset)".count) + "\(offset)"
        let padded = hex + String(repeating: " ", count: 47 - hex.count)
        lines.append("\(place)  \(padded)  \(note)".trimmingTrailingSpace())
        note = ""
        offset += part
        rest -= part
      }
    }
    take(8, "magic")
    take(8, "version 1.0, header length 128")
    take(16, "UUID 00010203-0405-0607-0809-0a0b0c0d0e0f")
    take(16, "sequence 1, first number 1")
    take(8, "previous hash: XXH3 of the UUID")
    take(16, "no features")
    take(48, "zero")
    take(8, "checksum of the 120 bytes before")
    record(take, bytes, at: offset, kind: "kind 1")
    take(4, "meta: \"meta\"")
    take(12, "padding")
    take(8, "block: checksum of the 29 bytes from tag to stored bytes")
    take(8, "tag 7, codec 0")
    take(16, "raw length 5, stored length 5")
    take(5, "\"hello\"")
    take(11, "padding")
    trailer(take)
    record(take, bytes, at: offset, kind: "kind 0x81, close")
    trailer(take)
    #expect(offset == bytes.count)
    let intro = """
      A log with the UUID 00010203-0405-0607-0809-0a0b0c0d0e0f was made, a record of kind 1 with the meta bytes "meta" and one
      block (tag 7, "hello") was appended, and the log was closed. `log-0000000000000001.seg` then has \(bytes.count) bytes:


      """
    return intro + "```\n" + lines.joined(separator: "\n") + "\n```\n"
  }

  private static func record(_ take: (Int, String) -> Void, _ bytes: [UInt8], at offset: Int, kind: String) {
    func number(_ place: Int, _ count: Int) -> UInt64 {
      bytes[offset + place..<offset + place + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    take(8, "record magic, \(kind), no flags, header length 64")
    take(8, "body length \(number(8, 8))")
    take(8, "number \(number(16, 8))")
    take(8, "durable up to \(number(24, 8))")
    take(8, "offset \(number(32, 8))")
    take(8, "previous hash")
    take(8, "meta length \(number(48, 4)), blocks \(number(52, 4))")
    take(8, "header checksum")
  }

  private static func trailer(_ take: (Int, String) -> Void) {
    take(8, "zero")
    take(8, "hash")
  }
}

extension String {
  fileprivate func trimmingTrailingSpace() -> String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
