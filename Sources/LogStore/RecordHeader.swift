import Bytes

/// The 64 bytes in front of a record's body. They have a checksum of their own, so that lengths are believed before use.
struct RecordHeader: Equatable {
  static let magic: UInt32 = 0x4345_52a7  // a7 'R' 'E' 'C', as it lies in the file

  enum OwnKind {
    /// The last record of a segment that has a successor, or is to have one.
    static let seal: UInt8 = 0x80
    /// Written when a log is closed properly, so that the record before it is known to be durable.
    static let close: UInt8 = 0x81
  }
  enum Flags {
    /// A reader that doesn't know the kind must not go on.
    static let mustUnderstand: UInt8 = 1
  }

  var kind: UInt8
  var flags: UInt8 = 0
  var bodyBytes: UInt64
  /// The commit number; records of the log's own have the number of the record before them.
  var number: UInt64
  /// Everything in this segment before this offset had been synced when the record was written. A believable header
  /// with a larger one than a bad place's offset proves that what was there had been acknowledged.
  var durableBytes: UInt64
  /// Where in the segment the header is.
  var offsetBytes: UInt64
  /// The hash of the record before.
  var previousHash: UInt64
  var metaBytes: UInt32
  var blockCount: UInt32

  var isOwn: Bool { kind >= FormatLimits.ownKindMin }
  /// Header, body and trailer.
  var storedBytes: UInt64 {
    UInt64(FormatLimits.recordHeaderBytes + FormatLimits.recordTrailerBytes) + bodyBytes
  }

  func encode(into target: UnsafeMutableRawBufferPointer, seed: UInt64) {
    target.store(Self.magic, 0)
    target[4] = kind
    target[5] = flags
    target.store(UInt16(FormatLimits.recordHeaderBytes), 6)
    target.store(bodyBytes, 8)
    target.store(number, 16)
    target.store(durableBytes, 24)
    target.store(offsetBytes, 32)
    target.store(previousHash, 40)
    target.store(metaBytes, 48)
    target.store(blockCount, 52)
    target.store(Checksum.xxh3_64(UnsafeRawBufferPointer(target).slice(0, 56), seed: seed), 56)
  }

  enum Fault: Error {
    case short
    case notAHeader
    case checksum(expected: UInt64, found: UInt64)
    /// The checksum is right and a field is not: written for another place, or by a program gone wrong.
    case field(String)
  }

  /// The header at the start of `bytes`, if it is whole and was written for that offset of the segment.
  init?(_ bytes: UnsafeRawBufferPointer, writtenFor place: UInt64, seed: UInt64) {
    guard let header = try? RecordHeader(bytes, at: 0, startingAt: place, seed: seed) else { return nil }
    self = header
  }

  /// Reads a header at an offset of a segment, and believes it only if it was written for there.
  /// - Parameter base: Where in the segment `bytes` start; `nil` takes a header that was written for any place.
  init(_ bytes: UnsafeRawBufferPointer, at offset: Int, startingAt base: UInt64? = 0, seed: UInt64) throws(Fault) {
    guard offset >= 0, bytes.count - offset >= FormatLimits.recordHeaderBytes else { throw .short }
    guard bytes.uint32(offset) == Self.magic else { throw .notAHeader }
    let found = Checksum.xxh3_64(bytes.slice(offset, 56), seed: seed)
    let expected = bytes.uint64(offset + 56)
    guard found == expected else { throw .checksum(expected: expected, found: found) }
    kind = bytes[offset + 4]
    flags = bytes[offset + 5]
    bodyBytes = bytes.uint64(offset + 8)
    number = bytes.uint64(offset + 16)
    durableBytes = bytes.uint64(offset + 24)
    offsetBytes = bytes.uint64(offset + 32)
    previousHash = bytes.uint64(offset + 40)
    metaBytes = bytes.uint32(offset + 48)
    blockCount = bytes.uint32(offset + 52)
    guard bytes.uint16(offset + 6) == FormatLimits.recordHeaderBytes else { throw .field("header length") }
    if let base, offsetBytes != base &+ UInt64(offset) { throw .field("offset") }
    guard bodyBytes <= FormatLimits.recordBodyBytesMax, bodyBytes % UInt64(FormatLimits.alignmentBytes) == 0 else {
      throw .field("body length")
    }
    guard metaBytes <= FormatLimits.metaBytesMax, blockCount <= FormatLimits.blockCountMax else {
      throw .field("contents")
    }
  }

  init(
    kind: UInt8, bodyBytes: UInt64, number: UInt64, durableBytes: UInt64, offsetBytes: UInt64, previousHash: UInt64,
    metaBytes: UInt32, blockCount: UInt32
  ) {
    self.kind = kind
    self.bodyBytes = bodyBytes
    self.number = number
    self.durableBytes = durableBytes
    self.offsetBytes = offsetBytes
    self.previousHash = previousHash
    self.metaBytes = metaBytes
    self.blockCount = blockCount
  }
}
