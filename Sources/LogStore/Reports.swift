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
  public let sequence: UInt64
  public let path: String
  /// Up to the end of the last record.
  public let usedBytes: UInt64
  /// The file's size, room set aside included.
  public let fileBytes: UInt64
  /// The number that the first record has, or will have.
  public let firstNumber: UInt64
  /// The number of the last record; one less than `firstNumber` in an empty segment.
  public let lastNumber: UInt64
  public let isSealed: Bool
}

/// The outcome of checking every byte of a log.
public struct VerifyReport: Sendable {
  /// A place where what is there is not what was written.
  public struct BadPlace: Sendable {
    public let segment: UInt64
    public let path: String
    public let offsetBytes: UInt64
    /// The record's kind, where its header can be believed.
    public let recordKind: UInt8?
    public let expectedChecksum: UInt64?
    public let foundChecksum: UInt64?
    public let lastGoodNumber: UInt64
    public let nextGoodNumber: UInt64?
    public let message: String
  }
  public var recordCount: UInt64 = 0
  public var blockCount: UInt64 = 0
  public var byteCount: UInt64 = 0
  public var lastGoodNumber: UInt64 = 0
  public var closedCleanly = false
  /// Bytes of an unfinished write at the end: no loss.
  public var tornBytes: UInt64 = 0
  public var tornLocation: RecordLocation?
  /// Damage: acknowledged bytes that are gone or changed.
  public var badPlaces: [BadPlace] = []
  public var segments: [SegmentInfo] = []
  public init() {}
}
