/// What opening found at the end of the log.
public struct RecoveryReport: Sendable {
  /// The log was closed properly the last time.
  public var closedCleanly = false
  /// Bytes of an unfinished write behind the last whole record; cut when writing, ignored when only reading.
  public var tornBytes: UInt64 = 0
  /// Where the torn bytes begin.
  public var tornLocation: RecordLocation?
  /// Damage to acknowledged records. A log with any opens only for reading, up to the damage.
  public var damage: LogError?
  public init() {}
}

/// What the files of a log say about one of its segments.
public struct SegmentInfo: Sendable {
  /// The segment’s place in the order of segments.
  public let sequence: UInt64
  /// The segment’s file.
  public let path: String
  /// Up to the end of the last record.
  public let usedBytes: UInt64
  /// The file's size, room set aside included.
  public let fileBytes: UInt64
  /// The number that the first record has, or will have.
  public let firstNumber: UInt64
  /// The number of the last record; one less than `firstNumber` in an empty segment.
  public let lastNumber: UInt64
  /// Whether it is closed for good.
  public let isSealed: Bool
}

/// The outcome of checking every byte of a log.
public struct VerifyReport: Sendable {
  /// A place where what is there is not what was written.
  public struct BadPlace: Sendable {
    /// Sequence of the segment.
    public let segment: UInt64
    /// The segment’s file.
    public let path: String
    /// Where in the segment.
    public let offsetBytes: UInt64
    /// The record's kind, where its header can be believed.
    public let recordKind: UInt8?
    /// The checksum that the file says.
    public let expectedChecksum: UInt64?
    /// The checksum of what is there.
    public let foundChecksum: UInt64?
    /// The last whole record before the place.
    public let lastGoodNumber: UInt64
    /// The first whole record after it, if there is one.
    public let nextGoodNumber: UInt64?
    /// What is wrong, in a sentence.
    public let message: String
  }
  /// Whole records found.
  public var recordCount: UInt64 = 0
  /// Blocks whose checksums were compared.
  public var blockCount: UInt64 = 0
  /// Bytes read.
  public var byteCount: UInt64 = 0
  /// The last whole record in order.
  public var lastGoodNumber: UInt64 = 0
  /// Whether the log ends with a closing mark.
  public var closedCleanly = false
  /// Bytes of an unfinished write at the end: no loss.
  public var tornBytes: UInt64 = 0
  /// Where a torn tail begins.
  public var tornLocation: RecordLocation?
  /// Damage: acknowledged bytes that are gone or changed.
  public var badPlaces: [BadPlace] = []
  /// The segments found.
  public var segments: [SegmentInfo] = []
  public init() {}
}
