/// One record while it is being visited. Pointers taken from it are valid only during the visit; `Block`s stay.
public struct RecordReader: ~Copyable {
  /// The commit number: 1, 2, 3, … without gaps.
  public let number: UInt64
  /// Chosen by the layer above, below 0x80.
  public let kind: UInt8
  public let location: RecordLocation
  /// Bytes in the file, header and padding included.
  public let storedBytes: UInt64
  /// Valid during the visit.
  public let meta: UnsafeRawBufferPointer
  public let blocks: [BlockInfo]

  /// A block's bytes, unpacked if need be.
  public func block(_ index: Int) throws(LogError) -> Block { preconditionFailure("not built yet") }
}

/// What is known of a block without reading it.
public struct BlockInfo: Sendable {
  public enum Codec: UInt8, Sendable {
    case none = 0
    case lz4 = 1
  }
  public let tag: UInt32
  public let address: BlockAddress
  public let rawBytes: Int
  public let storedBytes: Int
  public let codec: Codec
}
