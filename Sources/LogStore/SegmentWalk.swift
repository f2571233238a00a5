import Bytes

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
      header = try RecordHeader(bytes, at: offset, seed: seed)
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

  /// Whether a believable header lies behind `offset` that was written after what was at `offset` had been synced.
  func provesDurable(_ offset: Int) -> Bool {
    headers(after: offset) { $0.durableBytes > UInt64(offset) } != nil
  }

  /// The first whole record behind `offset`, whatever is in front of it.
  func nextWhole(after offset: Int) -> Record? {
    var found: Record?
    _ = headers(after: offset) { header in
      let place = Int(header.offsetBytes)
      guard let hash = hash(of: header, at: place), hash == storedHash(of: header, at: place) else { return false }
      found = Record(header: header, offset: place, hash: hash)
      return true
    }
    return found
  }

  /// The first believable header behind `offset` that passes a test.
  private func headers(after offset: Int, where test: (RecordHeader) -> Bool) -> RecordHeader? {
    let step = FormatLimits.alignmentBytes
    var place = (offset / step + 1) * step
    while place + FormatLimits.recordHeaderBytes <= bytes.count {
      if bytes.uint32(place) == RecordHeader.magic,
        let header = try? RecordHeader(bytes, at: place, seed: seed), test(header)
      {
        return header
      }
      place += step
    }
    return nil
  }

  /// Whether anything looks like a record, for a segment whose header can't be believed.
  static func hasRecordShapes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var place = FormatLimits.segmentHeaderBytes
    while place + FormatLimits.recordHeaderBytes <= bytes.count {
      if bytes.uint32(place) == RecordHeader.magic, bytes.uint64(place + 32) == UInt64(place) { return true }
      place += FormatLimits.alignmentBytes
    }
    return false
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
