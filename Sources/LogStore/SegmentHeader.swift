import Bytes
import Foundation

/// The first 128 bytes of a segment.
struct SegmentHeader: Equatable {
  /// Not text, not UTF-8, and broken by anything that changes line ends or the eighth bit.
  static let magic: [UInt8] = [0x89, 0x41, 0x4e, 0x4c, 0x0d, 0x0a, 0x1a, 0x0a]

  var majorVersion = FormatLimits.majorVersion
  var minorVersion = FormatLimits.minorVersion
  var storeUUID: UUID
  var sequence: UInt64
  /// The number that the first record in the segment has.
  var firstNumber: UInt64
  /// The hash of the record before it: the last one of the segment before, or the hash of the UUID in the first.
  var previousHash: UInt64
  /// Features without which the log must not be read, and without which it must not be written. None exist yet.
  var featuresToRead: UInt64 = 0
  var featuresToWrite: UInt64 = 0

  func encoded() -> [UInt8] {
    var writer = ByteWriter(reserving: FormatLimits.segmentHeaderBytes)
    writer.append(Self.magic)
    writer.uint16(majorVersion)
    writer.uint16(minorVersion)
    writer.uint32(UInt32(FormatLimits.segmentHeaderBytes))
    writer.append(Self.bytes(of: storeUUID))
    writer.uint64(sequence)
    writer.uint64(firstNumber)
    writer.uint64(previousHash)
    writer.uint64(featuresToRead)
    writer.uint64(featuresToWrite)
    writer.append([UInt8](repeating: 0, count: FormatLimits.segmentHeaderBytes - 8 - writer.count))
    writer.uint64(Checksum.xxh3_64(writer.bytes))
    return writer.bytes
  }

  enum Fault: Error {
    /// Shorter than a header, or without its magic.
    case notAHeader
    case checksum(expected: UInt64, found: UInt64)
  }

  init(storeUUID: UUID, sequence: UInt64, firstNumber: UInt64, previousHash: UInt64) {
    self.storeUUID = storeUUID
    self.sequence = sequence
    self.firstNumber = firstNumber
    self.previousHash = previousHash
  }

  /// The checksum comes before the version: its place is promised to every version to come.
  init(_ bytes: UnsafeRawBufferPointer) throws(Fault) {
    let size = FormatLimits.segmentHeaderBytes
    guard bytes.count >= size, bytes.prefix(8).elementsEqual(Self.magic) else { throw .notAHeader }
    let found = Checksum.xxh3_64(UnsafeRawBufferPointer(rebasing: bytes[0..<size - 8]))
    let expected = bytes.uint64(size - 8)
    guard found == expected else { throw .checksum(expected: expected, found: found) }
    self.init(unchecked: bytes)
  }

  /// Of a header whose checksum is wrong, to find out whose it was.
  init(unchecked bytes: UnsafeRawBufferPointer) {
    majorVersion = bytes.uint16(8)
    minorVersion = bytes.uint16(10)
    storeUUID = UUID(uuid: bytes.loadUnaligned(fromByteOffset: 16, as: uuid_t.self))
    sequence = bytes.uint64(32)
    firstNumber = bytes.uint64(40)
    previousHash = bytes.uint64(48)
    featuresToRead = bytes.uint64(56)
    featuresToWrite = bytes.uint64(64)
  }

  static func bytes(of uuid: UUID) -> [UInt8] {
    withUnsafeBytes(of: uuid.uuid) { Array($0) }
  }

  /// What the first record of a store is chained to.
  static func chainStart(of uuid: UUID) -> UInt64 { Checksum.xxh3_64(bytes(of: uuid)) }

  /// Seeds the checksums of record headers, so that one is believed only in the segment that it was written for.
  static func seed(of uuid: UUID, sequence: UInt64) -> UInt64 {
    Checksum.xxh3_64(bytes(of: uuid), seed: sequence)
  }
}

extension UnsafeRawBufferPointer {
  /// Little-endian numbers at offsets that the caller has checked.
  @inline(__always)
  func uint16(_ offset: Int) -> UInt16 { UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self)) }
  @inline(__always)
  func uint32(_ offset: Int) -> UInt32 { UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
  @inline(__always)
  func uint64(_ offset: Int) -> UInt64 { UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }

  @inline(__always)
  func slice(_ offset: Int, _ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[offset..<offset + count])
  }
}

extension UnsafeRawBufferPointer {
  /// The hash of a whole record, which its last eight bytes are to hold.
  func recordHash(seed: UInt64) -> UInt64 {
    Checksum.xxh3_64(UnsafeRawBufferPointer(rebasing: self[0..<count - 8]), seed: seed)
  }
}

extension UnsafeMutableRawBufferPointer {
  @inline(__always)
  func store(_ value: UInt64, _ offset: Int) {
    storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt64.self)
  }
  @inline(__always)
  func store(_ value: UInt32, _ offset: Int) {
    storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt32.self)
  }
  @inline(__always)
  func store(_ value: UInt16, _ offset: Int) {
    storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt16.self)
  }
}
