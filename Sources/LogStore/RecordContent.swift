/// What one record is to hold.
public struct RecordContent {
  /// Small bytes of the layer above that describe the record; never packed.
  public var meta: [UInt8]
  /// The blocks, in the order in which they are addressed.
  public var blocks: [BlockContent]

  public init(meta: [UInt8], blocks: [BlockContent] = []) {
    self.meta = meta
    self.blocks = blocks
  }
}

/// One block to be stored: its bytes are copied (and packed when that pays) while `append` runs.
public struct BlockContent {
  /// The layer above says with it what is inside.
  public let tag: UInt32
  enum Source {
    case array([UInt8])
    case memory(UnsafeRawBufferPointer)
  }
  let source: Source

  public init(tag: UInt32, _ bytes: [UInt8]) {
    self.tag = tag
    source = .array(bytes)
  }

  /// Bytes that the caller keeps in place until `append` returns.
  public init(tag: UInt32, memory: UnsafeRawBufferPointer) {
    self.tag = tag
    source = .memory(memory)
  }
}

/// What `append` made; durable by the time the caller has it.
public struct AppendedRecord: Sendable {
  /// The record’s number.
  public let number: UInt64
  /// Where it lies.
  public let location: RecordLocation
  /// Bytes that the record takes in the file, header and padding included.
  public let storedBytes: UInt64
  /// One address a block, in the order given.
  public let blocks: [BlockAddress]
}

/// Where a record starts.
public struct RecordLocation: Hashable, Sendable {
  /// The segment's sequence number.
  public let segment: UInt64
  /// From the start of the segment.
  public let offsetBytes: UInt64
}
