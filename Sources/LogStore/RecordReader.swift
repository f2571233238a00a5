/// One record while it is being visited. Pointers taken from it are valid only during the visit; `Block`s stay.
public struct RecordReader: ~Copyable {
  /// The commit number: 1, 2, 3, … without gaps.
  public let number: UInt64
  /// Chosen by the layer above, below 0x80.
  public let kind: UInt8
  /// Where the record lies.
  public let location: RecordLocation
  /// Bytes in the file, header and padding included.
  public let storedBytes: UInt64
  /// Valid during the visit.
  public let meta: UnsafeRawBufferPointer
  /// Its blocks, in order.
  public let blocks: [BlockInfo]
  private let bytes: UnsafeRawBufferPointer
  private let owner: AnyObject
  private let path: String

  /// A block's bytes, unpacked if need be. The record's checksum has been compared already.
  /// - Parameter index: Its place in `blocks`.
  /// - Throws: `LogError` when what is stored can't be unpacked, or there is no such block.
  public func block(_ index: Int) throws(LogError) -> Block {
    guard blocks.indices.contains(index) else {
      throw LogError(
        .invalidAddress, "Record \(number) has \(blocks.count) blocks, none with index \(index).", path: path)
    }
    let address = blocks[index].address
    let offset = Int(address.offsetBytes - location.offsetBytes)
    guard let header = BlockCoding.header(bytes, at: offset) else { throw .malformed(path, address.offsetBytes) }
    do {
      return try BlockCoding.block(bytes, at: offset, header, owner: owner)
    } catch {
      throw .malformed(path, address.offsetBytes, cause: error)
    }
  }

  /// - Parameter bytes: The record, from its header to its trailer, whose checksum has been compared.
  init(
    _ header: RecordHeader, _ bytes: UnsafeRawBufferPointer, segment: UInt64, owner: AnyObject, path: String
  ) throws(LogError) {
    let contents = try Self.contents(header, bytes, segment: segment, path: path)
    number = header.number
    kind = header.kind
    location = RecordLocation(segment: segment, offsetBytes: header.offsetBytes)
    storedBytes = header.storedBytes
    meta = contents.meta
    blocks = contents.blocks
    self.bytes = bytes
    self.owner = owner
    self.path = path
  }

  /// Where meta bytes and blocks are in a record.
  private static func contents(
    _ header: RecordHeader, _ bytes: UnsafeRawBufferPointer, segment: UInt64, path: String
  ) throws(LogError) -> (meta: UnsafeRawBufferPointer, blocks: [BlockInfo]) {
    let bodyStart = FormatLimits.recordHeaderBytes
    let bodyEnd = bytes.count - FormatLimits.recordTrailerBytes
    var offset = bodyStart + FormatLimits.aligned(Int(header.metaBytes))
    guard offset <= bodyEnd else { throw .malformed(path, header.offsetBytes) }
    let meta = bytes.slice(bodyStart, Int(header.metaBytes))
    let body = bytes.slice(0, bodyEnd)
    var blocks: [BlockInfo] = []
    // Each block takes 32 bytes at least, so a count that can't be true reserves nothing.
    blocks.reserveCapacity(min(Int(header.blockCount), (bodyEnd - offset) / FormatLimits.blockHeaderBytes))
    for _ in 0..<header.blockCount {
      let place = header.offsetBytes + UInt64(offset)
      guard let block = BlockCoding.header(body, at: offset) else { throw .malformed(path, place) }
      let address = BlockAddress(segment: segment, offsetBytes: place)
      blocks.append(
        BlockInfo(
          tag: block.tag, address: address, rawBytes: block.rawBytes, storedBytes: block.storedBytes,
          codec: block.codec))
      offset += block.spanBytes
    }
    guard offset == bodyEnd else { throw .malformed(path, header.offsetBytes + UInt64(offset)) }
    return (meta, blocks)
  }
}

/// What is known of a block without reading it.
public struct BlockInfo: Sendable {
  /// How a block's bytes are stored.
  public enum Codec: UInt8, Sendable {
    /// As they are.
    case none = 0
    /// In LZ4's block format.
    case lz4 = 1
  }
  /// As given to `append`.
  public let tag: UInt32
  /// Where to read it later.
  public let address: BlockAddress
  /// Its length unpacked.
  public let rawBytes: Int
  /// Its length in the file.
  public let storedBytes: Int
  /// How it is packed.
  public let codec: Codec
}

extension LogError {
  static func malformed(_ path: String, _ offsetBytes: UInt64, cause: (any Error)? = nil) -> LogError {
    LogError(
      .damaged, "A record's checksum is right, but its contents do not fit together: a faulty program wrote it.",
      path: path, offsetBytes: offsetBytes, cause: cause)
  }
}
