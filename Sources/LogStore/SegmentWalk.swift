import Bytes
import Glibc

/// Goes from record to record through a segment's bytes, believing nothing that isn't proved by a checksum and by the
/// chain of hashes. It neither reads files nor throws: what to do about a bad place is the caller's.
struct SegmentWalk {
  private(set) var bytes: UnsafeRawBufferPointer
  let seed: UInt64
  /// Where the next record is to be.
  private(set) var offset: Int
  /// The hash of the record before it.
  private(set) var chain: UInt64
  private(set) var lastNumber: UInt64
  /// How far in front of its place the next record was written for, where bytes in front of it are missing; where there
  /// are too many, the number wraps around.
  private var shift: UInt64 = 0
  var ignoresChecksums = false
  var ignoresChain = false

  struct Record {
    let header: RecordHeader
    let offset: Int
    let hash: UInt64
    var byteCount: Int { Int(header.storedBytes) }
  }

  struct Fault {
    let offset: Int
    let message: String
    var kind: UInt8?
    var expected: UInt64?
    var found: UInt64?
  }

  enum Step {
    case record(Record)
    /// No whole record is next: the end, a torn one, or a damaged one.
    case stop(Fault)
  }

  init(_ bytes: UnsafeRawBufferPointer, header: SegmentHeader) {
    self.bytes = bytes
    seed = SegmentHeader.seed(of: header.storeUUID, sequence: header.sequence)
    offset = FormatLimits.segmentHeaderBytes
    chain = header.previousHash
    lastNumber = header.firstNumber &- 1
  }

  mutating func next() -> Step {
    let header: RecordHeader
    do throws(RecordHeader.Fault) {
      header = try RecordHeader(bytes, at: offset, startingAt: shift, seed: seed)
    } catch {
      return .stop(fault(error))
    }
    let expectedNumber = header.isOwn ? lastNumber : lastNumber &+ 1
    guard header.number == expectedNumber else {
      return .stop(
        Fault(
          offset: offset, message: "a record has number \(header.number) where \(expectedNumber) is next",
          kind: header.kind))
    }
    guard header.previousHash == chain || ignoresChain else {
      return .stop(
        Fault(
          offset: offset, message: "a record does not follow the one before it", kind: header.kind, expected: chain,
          found: header.previousHash))
    }
    guard let hash = hash(of: header, at: offset) else {
      return .stop(Fault(offset: offset, message: "a record is longer than its file", kind: header.kind))
    }
    let expected = storedHash(of: header, at: offset)
    guard hash == expected || ignoresChecksums else {
      return .stop(
        Fault(
          offset: offset, message: "a record's checksum differs", kind: header.kind, expected: expected, found: hash))
    }
    let record = Record(header: header, offset: offset, hash: expected)
    resume(behind: record)
    return .record(record)
  }

  /// Goes on behind a record, whatever was before it.
  mutating func resume(behind record: Record) {
    offset = record.offset + record.byteCount
    chain = record.hash
    lastNumber = record.header.number
    shift = record.header.offsetBytes &- UInt64(record.offset)
  }

  /// Goes on behind a record that is known to be there, and everything before it.
  mutating func resume(behind position: LogPosition) {
    offset = Int(position.endBytes)
    chain = position.hash
    lastNumber = position.number
  }

  /// Goes on in a newer copy of the same segment.
  mutating func look(at bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// How many whole records follow one another from `record` on.
  func wholeRecords(from record: Record) -> Int {
    var walk = self
    walk.resume(behind: record)
    var count = record.header.isOwn ? 0 : 1
    while case .record(let next) = walk.next() { count += next.header.isOwn ? 0 : 1 }
    return count
  }

  /// Whether everything from the next record's place on is zero: room set aside, the normal end.
  func isBlankFromHere() -> Bool {
    var position = offset
    while position < bytes.count, position % 8 != 0 {
      if bytes[position] != 0 { return false }
      position += 1
    }
    while position + 8 <= bytes.count {
      if bytes.uint64(position) != 0 { return false }
      position += 8
    }
    while position < bytes.count {
      if bytes[position] != 0 { return false }
      position += 1
    }
    return true
  }

  /// Whether a believable header lies at `offset` or behind it that proves that what was at `offset` had been synced:
  /// it was written later, or it is not where it was written, which no torn write does. Bytes may have been lost or
  /// come in between, so it may lie anywhere.
  func provesDurable(_ offset: Int) -> Bool {
    headers(from: offset) { header, place in
      header.durableBytes > UInt64(offset)
        || (header.offsetBytes >= UInt64(offset) && header.offsetBytes != UInt64(place))
    } != nil
  }

  /// The first whole record behind `offset`, whatever is in front of it and wherever it was written for.
  func nextWhole(after offset: Int) -> Record? {
    var found: Record?
    _ = headers(from: offset) { header, place in
      // What is repeated is no news.
      guard header.number > lastNumber || header.isOwn && header.number == lastNumber else { return false }
      guard let hash = hash(of: header, at: place), hash == storedHash(of: header, at: place) else { return false }
      found = Record(header: header, offset: place, hash: hash)
      return true
    }
    return found
  }

  /// The header of a record that may not be whole, if it can be believed itself.
  func header(at offset: Int) -> RecordHeader? {
    try? RecordHeader(bytes, at: offset, startingAt: nil, seed: seed)
  }

  /// The first believable header from `offset` on that passes a test, for which it is given with its place.
  private func headers(from offset: Int, where test: (RecordHeader, Int) -> Bool) -> RecordHeader? {
    var start = offset
    while let place = Self.magic(in: bytes, from: start) {
      start = place + 1
      if let header = try? RecordHeader(bytes, at: place, startingAt: nil, seed: seed), test(header, place) {
        return header
      }
    }
    return nil
  }

  /// Where the next record's magic is, at any offset from one on. Most of what is searched is zero.
  private static func magic(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var place = start
    while place + 4 <= bytes.count {
      // unsafe: searches what is left of the bytes.
      guard let next = memchr(base + place, Int32(RecordHeader.magic & 0xff), bytes.count - place - 3) else {
        return nil
      }
      place = UnsafeRawPointer(next) - base
      if bytes.uint32(place) == RecordHeader.magic { return place }
      place += 1
    }
    return nil
  }

  /// Whether something in the bytes looks like the start of a record, for a segment whose header can't be believed.
  static func hasRecordShapes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    magic(in: bytes, from: 0) != nil
  }

  private func hash(of header: RecordHeader, at offset: Int) -> UInt64? {
    let storedBytes = header.storedBytes
    guard storedBytes <= UInt64(bytes.count - offset) else { return nil }
    return Checksum.xxh3_64(bytes.slice(offset, Int(storedBytes) - 8), seed: header.previousHash)
  }

  private func storedHash(of header: RecordHeader, at offset: Int) -> UInt64 {
    bytes.uint64(offset + Int(header.storedBytes) - 8)
  }

  private func fault(_ fault: RecordHeader.Fault) -> Fault {
    switch fault {
    case .short: Fault(offset: offset, message: "the segment ends")
    case .notAHeader: Fault(offset: offset, message: "there is no record header")
    case .checksum(let expected, let found):
      Fault(offset: offset, message: "a record header's checksum differs", expected: expected, found: found)
    case .field(let name): Fault(offset: offset, message: "a record header's \(name) is impossible")
    }
  }
}
