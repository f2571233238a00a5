import Bytes
import Foundation

/// The first 128 bytes of a checkpoint; Formats/checkpoint-format.md explains them.
struct CheckpointHeader: Equatable {
  static let sizeBytes = 128
  /// Not text, not UTF-8, and broken by anything that changes line ends or the eighth bit.
  static let magic: [UInt8] = [0x89, 0x41, 0x43, 0x4b, 0x0d, 0x0a, 0x1a, 0x0a]
  /// A checkpoint of another version is not read: it is a cache, and is written anew.
  static let version: UInt32 = 1

  var storeUUID: UUID
  /// The record that the checkpoint is as of.
  var number: UInt64
  var pageCount: UInt64
  var pageSeed: UInt64
  var directoryOffsetBytes: UInt64
  var directoryBytes: UInt64
  var directoryChecksum: UInt64

  func encoded() -> [UInt8] {
    var writer = ByteWriter(reserving: Self.sizeBytes)
    writer.append(Self.magic)
    writer.uint32(Self.version)
    writer.uint32(UInt32(PageFile.pageBytes))
    writer.append(withUnsafeBytes(of: storeUUID.uuid) { Array($0) })
    writer.uint64(number)
    writer.uint64(pageCount)
    writer.uint64(pageSeed)
    writer.uint64(directoryOffsetBytes)
    writer.uint64(directoryBytes)
    writer.uint64(directoryChecksum)
    writer.append([UInt8](repeating: 0, count: Self.sizeBytes - 8 - writer.count))
    writer.uint64(Checksum.xxh3_64(writer.bytes))
    return writer.bytes
  }

  /// - Throws: why it can't be believed.
  init(_ bytes: UnsafeRawBufferPointer) throws(CheckpointFault) {
    let size = Self.sizeBytes
    guard bytes.count >= size, bytes.prefix(8).elementsEqual(Self.magic) else {
      throw CheckpointFault("it does not begin as a checkpoint does")
    }
    let head = UnsafeRawBufferPointer(rebasing: bytes[0..<size - 8])
    guard Checksum.xxh3_64(head) == Self.word(bytes, size - 8) else {
      throw CheckpointFault("its header's checksum differs")
    }
    let version = UInt32(truncatingIfNeeded: Self.word(bytes, 8))
    let pageBytes = Self.word(bytes, 8) >> 32
    guard version == Self.version, pageBytes == UInt64(PageFile.pageBytes) else {
      throw CheckpointFault("it has version \(version) with pages of \(pageBytes) bytes")
    }
    storeUUID = UUID(uuid: bytes.loadUnaligned(fromByteOffset: 16, as: uuid_t.self))
    number = Self.word(bytes, 32)
    pageCount = Self.word(bytes, 40)
    pageSeed = Self.word(bytes, 48)
    directoryOffsetBytes = Self.word(bytes, 56)
    directoryBytes = Self.word(bytes, 64)
    directoryChecksum = Self.word(bytes, 72)
    let end = UInt64(bytes.count)
    guard pageCount <= end, directoryBytes <= end,
      directoryOffsetBytes == UInt64(size) + pageCount * UInt64(PageFile.strideBytes),
      directoryOffsetBytes + directoryBytes == end
    else { throw CheckpointFault("its length is not what its header says") }
  }

  init(
    storeUUID: UUID, number: UInt64, pageCount: UInt64, pageSeed: UInt64, directoryOffsetBytes: UInt64,
    directory: [UInt8]
  ) {
    self.storeUUID = storeUUID
    self.number = number
    self.pageCount = pageCount
    self.pageSeed = pageSeed
    self.directoryOffsetBytes = directoryOffsetBytes
    directoryBytes = UInt64(directory.count)
    directoryChecksum = Checksum.xxh3_64(directory)
  }

  static func checksum(_ directory: UnsafeRawBufferPointer) -> UInt64 { Checksum.xxh3_64(directory) }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

/// Why a checkpoint is not used.
struct CheckpointFault: Error {
  let message: String
  init(_ message: String) { self.message = message }
}
