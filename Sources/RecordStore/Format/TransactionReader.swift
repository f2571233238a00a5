import Bytes
import Schema
import StoreContract

/// Why the bytes of a transaction record are not one.
struct RecordFault: Error {
  let message: String
  let isNewerFormat: Bool

  init(_ message: String, isNewerFormat: Bool = false) {
    self.message = message
    self.isNewerFormat = isNewerFormat
  }

  init(_ error: ByteError) { self.init(error.description) }
}

/// Reads the meta part of a transaction record. Whatever the bytes are, it gives changes or a fault.
struct TransactionReader {
  private var reader: ByteReader
  private let blockCount: Int
  private(set) var header = TransactionRecord.Header()
  private var sectionCount = 0

  /// - Parameter blockCount: how many blocks the record has.
  init(_ meta: UnsafeRawBufferPointer, number: UInt64, blockCount: Int) throws(RecordFault) {
    reader = ByteReader(meta)
    self.blockCount = blockCount
    header.number = number
    do throws(ByteError) {
      try readHeader()
    } catch {
      throw RecordFault(error)
    }
    guard version <= TransactionRecord.version else {
      throw RecordFault(
        "it has version \(version), this version reads \(TransactionRecord.version)", isNewerFormat: true)
    }
  }

  private var version: UInt8 = 0

  private mutating func readHeader() throws(ByteError) {
    version = try reader.uint8()
    guard version <= TransactionRecord.version else { return }
    let flags = try reader.uint8()
    try reader.skip(2)
    header.processID = Int32(bitPattern: try reader.uint32())
    header.timestamp = try reader.double()
    if flags & TransactionRecord.Flag.author != 0 { header.author = try reader.string() }
    if flags & TransactionRecord.Flag.contextName != 0 { header.contextName = try reader.string() }
    for _ in 0..<(try reader.count(bytesEach: 2)) {
      let name = try reader.string()
      let value = try reader.uint8() == 0 ? nil : try reader.string()
      header.metadata.append((name, value))
    }
    sectionCount = try reader.count(bytesEach: 3)
  }

  /// Calls `body` with each change, in the order of the record.
  mutating func forEachChange(
    _ body: (TransactionRecord.Change) throws(RecordFault) -> Void
  ) throws(RecordFault) {
    var firstBlock = 0
    for _ in 0..<sectionCount {
      let section: (entity: Int, blocks: Int, changes: Int)
      do throws(ByteError) {
        section = (
          Int(truncatingIfNeeded: try reader.varint()), Int(truncatingIfNeeded: try reader.varint()),
          try reader.count(bytesEach: 2)
        )
      } catch {
        throw RecordFault(error)
      }
      guard (0...ObjectKey.entityNumberMax).contains(section.entity) else {
        throw RecordFault("a section is of entity number \(section.entity)")
      }
      guard (0...blockCount - firstBlock).contains(section.blocks) else {
        throw RecordFault("a section has \(section.blocks) blocks, the record \(blockCount)")
      }
      try readSection(section.entity, firstBlock..<firstBlock + section.blocks, section.changes, body)
      firstBlock += section.blocks
    }
  }

  private mutating func readSection(
    _ entityNumber: Int, _ blocks: Range<Int>, _ count: Int,
    _ body: (TransactionRecord.Change) throws(RecordFault) -> Void
  ) throws(RecordFault) {
    var ordinal: UInt64 = 0
    var place = (block: blocks.lowerBound - 1, offsetBytes: 0)
    for _ in 0..<count {
      let change: TransactionRecord.Change
      do throws(ByteError) {
        change = try readChange(entityNumber, &ordinal, &place)
      } catch {
        throw RecordFault(error)
      }
      if let row = change.row, !blocks.contains(row.block) {
        throw RecordFault("a row is in a block that is not there")
      }
      try body(change)
    }
  }

  private mutating func readChange(
    _ entityNumber: Int, _ ordinal: inout UInt64, _ place: inout (block: Int, offsetBytes: Int)
  ) throws(ByteError) -> TransactionRecord.Change {
    let start = reader.offset
    let head = try reader.varint()
    guard head <= TransactionRecord.Head.all,
      let operation = TransactionRecord.Operation(rawValue: UInt8(head & TransactionRecord.Head.operationMask))
    else { throw ByteError(.badVarint, "a change has unknown flags", offsetBytes: start) }
    let key = try readKey(entityNumber, after: &ordinal)
    var change = TransactionRecord.Change(key: key, operation: operation)
    if operation == .update { change.changedProperties = try readProperties() }
    if head & TransactionRecord.Head.hasRow != 0 {
      if head & TransactionRecord.Head.startsBlock != 0 {
        place = (place.block + 1, 0)
      } else {
        let step = try reader.varint()
        guard step <= UInt64(UInt32.max) else {
          throw ByteError(.badVarint, "a row is too far away", offsetBytes: start)
        }
        place.offsetBytes += Int(step) << 3
      }
      change.row = place
    }
    if head & TransactionRecord.Head.hasLinks != 0 { change.links = try readLinks() }
    return change
  }

  private mutating func readKey(_ entityNumber: Int, after ordinal: inout UInt64) throws(ByteError) -> ObjectKey {
    let start = reader.offset
    ordinal = ordinal &+ UInt64(bitPattern: try reader.signedVarint())
    guard ordinal <= ObjectKey.ordinalMax, (0...ObjectKey.entityNumberMax).contains(entityNumber) else {
      throw ByteError(.badVarint, "an object key is out of range", offsetBytes: start)
    }
    return ObjectKey(entityNumber: entityNumber, ordinal: ordinal)
  }

  private mutating func readProperties() throws(ByteError) -> PropertySet {
    let bytes = try reader.countedBytes()
    var words = [UInt64](repeating: 0, count: (bytes.count + 7) / 8)
    for (index, byte) in bytes.enumerated() { words[index >> 3] |= UInt64(byte) << UInt64(index & 7 * 8) }
    return PropertySet(words: words)
  }

  private mutating func readLinks() throws(ByteError) -> [LinkChange] {
    var links: [LinkChange] = []
    for _ in 0..<(try reader.count(bytesEach: 3)) {
      let start = reader.offset
      let head = try reader.varint()
      guard head >> 1 <= UInt64(UInt16.max) else {
        throw ByteError(.badVarint, "a relationship is out of range", offsetBytes: start)
      }
      var ordinal: UInt64 = 0
      var added: [LinkChange.Member] = []
      for _ in 0..<(try reader.count(bytesEach: 2)) {
        let number = Int(truncatingIfNeeded: try reader.varint())
        let key = try readKey(number, after: &ordinal)
        added.append(LinkChange.Member(key: key, position: head & 1 != 0 ? try reader.double() : 0))
      }
      ordinal = 0
      var removed: [ObjectKey] = []
      for _ in 0..<(try reader.count(bytesEach: 2)) {
        let number = Int(truncatingIfNeeded: try reader.varint())
        removed.append(try readKey(number, after: &ordinal))
      }
      links.append(LinkChange(relationship: Int(head >> 1), added: added, removed: removed))
    }
    return links
  }
}
