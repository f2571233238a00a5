/// Where a block is, for the life of a log: the segment's sequence (24 bits) and the offset in it, divided by 8 (40 bits).
public struct BlockAddress: RawRepresentable, Hashable, Sendable {
  /// The address as it is written in records.
  public let rawValue: UInt64
  /// An address as it was read from a record.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  init(segment: UInt64, offsetBytes: UInt64) {
    rawValue = segment << 40 | offsetBytes >> 3
  }

  /// The sequence number of the segment.
  public var segment: UInt64 { rawValue >> 40 }
  /// Where the block's header starts in the segment's file.
  public var offsetBytes: UInt64 { (rawValue & 0xff_ffff_ffff) << 3 }
}
