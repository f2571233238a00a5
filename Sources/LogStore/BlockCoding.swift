import Bytes

/// How a block lies in a record: 32 bytes of header, then its bytes, then zeros up to a multiple of 16.
///
///     0  checksum, 8: XXH3-64 over the rest of the header and the stored bytes
///     8  tag, 4
///     12 codec, 1; reserved, 3
///     16 raw length, 8
///     24 stored length, 8
enum BlockCoding {
  struct Header {
    let checksum: UInt64
    let tag: UInt32
    let codec: BlockInfo.Codec
    let rawBytes: Int
    let storedBytes: Int

    /// Header, bytes and padding.
    var spanBytes: Int { FormatLimits.blockHeaderBytes + FormatLimits.aligned(storedBytes) }
  }

  /// Writes a block, packed when that pays, and returns how many bytes it took.
  /// - Precondition: `target` has room for the header and the raw bytes, and is zero.
  static func encode(
    tag: UInt32, _ raw: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) -> Int {
    let headerBytes = FormatLimits.blockHeaderBytes
    var codec = BlockInfo.Codec.none
    var stored = raw.count
    if raw.count >= FormatLimits.packRawBytesMin, raw.count <= BlockCompression.rawBytesMax {
      let room = UnsafeMutableRawBufferPointer(rebasing: target[headerBytes..<headerBytes + raw.count - raw.count / 8])
      if let count = BlockCompression.pack(raw, into: room) {
        codec = .lz4
        stored = count
      }
    }
    if codec == .none {
      UnsafeMutableRawBufferPointer(rebasing: target[headerBytes...]).copyMemory(from: raw)
    }
    target.store(tag, 8)
    target.store(UInt32(codec.rawValue), 12)
    target.store(UInt64(raw.count), 16)
    target.store(UInt64(stored), 24)
    let end = headerBytes + stored
    target.store(Checksum.xxh3_64(UnsafeRawBufferPointer(target).slice(8, end - 8)), 0)
    let padded = headerBytes + FormatLimits.aligned(stored)
    if padded > end {
      UnsafeMutableRawBufferPointer(rebasing: target[end..<padded]).initializeMemory(as: UInt8.self, repeating: 0)
    }
    return padded
  }

  /// Reads a block's header at `offset` of `bytes`; `nil` when what is there can't be one that ends within them.
  static func header(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Header? {
    let headerBytes = FormatLimits.blockHeaderBytes
    guard offset >= 0, bytes.count - offset >= headerBytes else { return nil }
    guard let codec = BlockInfo.Codec(rawValue: bytes[offset + 12]), bytes.uint32(offset + 12) >> 8 == 0 else {
      return nil
    }
    let raw = bytes.uint64(offset + 16)
    let stored = bytes.uint64(offset + 24)
    guard raw <= UInt64(FormatLimits.blockRawBytesMax), stored <= raw else { return nil }
    guard codec == .lz4 || stored == raw else { return nil }
    guard raw <= stored * UInt64(FormatLimits.packRatioMax) || codec == .none else { return nil }
    guard FormatLimits.aligned(Int(stored)) <= bytes.count - offset - headerBytes else { return nil }
    return Header(
      checksum: bytes.uint64(offset), tag: bytes.uint32(offset + 8), codec: codec, rawBytes: Int(raw),
      storedBytes: Int(stored))
  }

  /// The checksum of what is there, to be compared with the header's.
  static func checksum(_ bytes: UnsafeRawBufferPointer, at offset: Int, _ header: Header) -> UInt64 {
    Checksum.xxh3_64(bytes.slice(offset + 8, FormatLimits.blockHeaderBytes - 8 + header.storedBytes))
  }

  /// The block's bytes: in place when they are stored as they are, else unpacked into memory of their own.
  static func block(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, _ header: Header, owner: AnyObject
  ) throws(ByteError) -> Block {
    let stored = bytes.slice(offset + FormatLimits.blockHeaderBytes, header.storedBytes)
    if header.codec == .none { return Block(bytes: stored, tag: header.tag, owner: owner) }
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(header.rawBytes, 1), alignment: 16)
    let raw = UnsafeMutableRawBufferPointer(rebasing: memory[0..<header.rawBytes])
    do throws(ByteError) {
      try BlockCompression.unpack(stored, into: raw)
    } catch {
      memory.deallocate()
      throw error
    }
    return Block(bytes: UnsafeRawBufferPointer(raw), tag: header.tag, owner: nil)
  }
}
