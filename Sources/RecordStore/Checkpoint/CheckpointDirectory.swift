import Bytes
import Foundation
import LogStore

/// What a checkpoint says about its pages, and everything that is too small for pages.
struct CheckpointDirectory: Sendable {
  struct Locations: Sendable, Equatable {
    var rootPage: Int?
    var height: Int
    var count: Int
  }
  struct Tree: Sendable, Equatable {
    var firstPage: Int
    var count: Int
  }

  var position: LogPosition
  var commitNumber: UInt64
  /// Text of the schema record.
  var schema: [UInt8]
  /// Which indexes there are, in which order, and how values become numbers: see `StorePlan.fingerprint`.
  var fingerprint: UInt64
  var tally: StoreTally
  var firstBlockPage: Int
  /// By schema entity.
  var locations: [Locations] = []
  /// Columns, links, mirrors, uniques and fetches, in this order.
  var trees: [Tree] = []

  func encoded() -> [UInt8] {
    var writer = ByteWriter(reserving: schema.count + 1024)
    encodePosition(to: &writer)
    writer.varint(commitNumber)
    writer.counted(schema)
    writer.uint64(fingerprint)
    encodeTally(to: &writer)
    writer.varint(UInt64(firstBlockPage))
    writer.varint(UInt64(locations.count))
    for entry in locations {
      writer.varint(UInt64((entry.rootPage ?? -1) + 1))
      writer.varint(UInt64(entry.height))
      writer.varint(UInt64(entry.count))
    }
    writer.varint(UInt64(trees.count))
    for tree in trees {
      writer.varint(UInt64(tree.firstPage))
      writer.varint(UInt64(tree.count))
    }
    return writer.bytes
  }

  private func encodePosition(to writer: inout ByteWriter) {
    writer.varint(position.segment)
    writer.varint(position.recordOffsetBytes)
    writer.varint(position.endBytes)
    writer.uint64(position.hash)
    writer.varint(UInt64(position.sealed.count))
    for segment in position.sealed {
      writer.varint(segment.sequence)
      writer.varint(segment.firstNumber)
      writer.uint64(segment.previousHash)
      writer.varint(segment.usedBytes)
    }
  }

  private func encodeTally(to writer: inout ByteWriter) {
    writer.varint(UInt64(tally.metadata.count))
    for (name, value) in tally.metadata.sorted(by: { $0.key < $1.key }) {
      writer.string(name)
      writer.string(value)
    }
    let numbers = Set(tally.highestOrdinals.keys).union(tally.insertedCounts.keys).sorted()
    writer.varint(UInt64(numbers.count))
    for number in numbers {
      writer.varint(UInt64(number))
      writer.varint(tally.highestOrdinals[number] ?? 0)
      writer.varint(UInt64(tally.insertedCounts[number] ?? 0))
    }
    writer.varint(UInt64(tally.transactionCount))
    for mark in [tally.first, tally.last] {
      writer.varint(mark?.number ?? 0)
      writer.double(mark?.timestamp ?? 0)
      writer.uint8(mark?.author == nil ? 0 : 1)
      if let author = mark?.author { writer.string(author) }
    }
    writer.varint(tally.rowBytes)
    writer.varint(UInt64(tally.blockCount))
  }
}

extension CheckpointDirectory {
  /// - Throws: what does not fit.
  init(_ bytes: UnsafeRawBufferPointer, header: CheckpointHeader) throws(CheckpointFault) {
    do throws(ByteError) {
      var reader = ByteReader(bytes)
      position = try Self.position(&reader, header)
      commitNumber = try reader.varint()
      schema = Array(try reader.bytes(try reader.count()))
      fingerprint = try reader.uint64()
      tally = try Self.tally(&reader)
      firstBlockPage = Int(clamping: try reader.varint())
      for _ in 0..<(try reader.count(bytesEach: 3)) {
        let root = Int(clamping: try reader.varint())
        let height = Int(clamping: try reader.varint())
        locations.append(
          Locations(rootPage: root == 0 ? nil : root - 1, height: height, count: Int(clamping: try reader.varint())))
      }
      for _ in 0..<(try reader.count(bytesEach: 2)) {
        let firstPage = Int(clamping: try reader.varint())
        trees.append(Tree(firstPage: firstPage, count: Int(clamping: try reader.varint())))
      }
    } catch {
      throw CheckpointFault("its directory cannot be read")
    }
    let pageCount = Int(clamping: header.pageCount)
    let entriesMax = pageCount * PageFile.pageBytes
    let isSensible =
      locations.allSatisfy { ($0.rootPage ?? 0) <= pageCount && $0.height <= 9 && $0.count <= entriesMax }
      && trees.allSatisfy { $0.firstPage <= pageCount && $0.count <= entriesMax }
      && firstBlockPage <= pageCount && tally.blockCount <= entriesMax
    guard isSensible else { throw CheckpointFault("its directory names pages that it does not have") }
  }

  private static func position(
    _ reader: inout ByteReader, _ header: CheckpointHeader
  ) throws(ByteError) -> LogPosition {
    var position = LogPosition(
      storeUUID: header.storeUUID, number: header.number, segment: try reader.varint(),
      recordOffsetBytes: try reader.varint(), endBytes: try reader.varint(), hash: try reader.uint64(), sealed: [])
    for _ in 0..<(try reader.count(bytesEach: 11)) {
      position.sealed.append(
        LogPosition.SealedSegment(
          sequence: try reader.varint(), firstNumber: try reader.varint(), previousHash: try reader.uint64(),
          usedBytes: try reader.varint()))
    }
    return position
  }

  private static func tally(_ reader: inout ByteReader) throws(ByteError) -> StoreTally {
    var tally = StoreTally()
    for _ in 0..<(try reader.count(bytesEach: 2)) {
      let name = try reader.string()
      tally.metadata[name] = try reader.string()
    }
    for _ in 0..<(try reader.count(bytesEach: 3)) {
      let number = Int(clamping: try reader.varint())
      tally.highestOrdinals[number] = try reader.varint()
      tally.insertedCounts[number] = Int(clamping: try reader.varint())
    }
    tally.transactionCount = Int(clamping: try reader.varint())
    tally.first = try mark(&reader)
    tally.last = try mark(&reader)
    tally.rowBytes = try reader.varint()
    tally.blockCount = Int(clamping: try reader.varint())
    return tally
  }

  private static func mark(_ reader: inout ByteReader) throws(ByteError) -> StoreTally.Mark? {
    let number = try reader.varint()
    let timestamp = try reader.double()
    let author = try reader.uint8() == 0 ? nil : try reader.string()
    return number == 0 ? nil : StoreTally.Mark(number: number, timestamp: timestamp, author: author)
  }
}
