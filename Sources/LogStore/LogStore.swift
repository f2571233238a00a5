import Synchronization

public import struct Foundation.UUID

/// A log of records in a directory of segment files: bytes in, bytes out; it knows no entities.
///
/// One writer at a time, by a kernel lock; any number of readers, without one. Every method may be called from any
/// thread; appends are put one behind the other, and reading never waits for them.
public final class LogStore: Sendable {
  /// How to open a log.
  public struct Options: Sendable {
    /// Whether a log is opened to be written.
    public enum Mode: Sendable {
      /// Opens a log that exists, or makes one.
      case readWrite
      /// Takes no lock, writes nothing, not even to cut a torn tail.
      case readOnly
    }
    /// Whether the log is written.
    public var mode: Mode
    /// A segment is sealed when the next record could take it past this; a larger record has one of its own.
    public var segmentBytesMax: UInt64
    /// Bound of the cache of blocks, in bytes.
    public var cacheBytesMax: Int
    /// Room is set aside in steps from this size on, doubling up to 16 MiB.
    public var preallocateBytes: UInt64
    /// The identity of a log that is made.
    public var createUUID: @Sendable () -> UUID
    package var faults = LogFaults()

    public init(
      mode: Mode = .readWrite, segmentBytesMax: UInt64 = 64 << 20, cacheBytesMax: Int = 64 << 20,
      preallocateBytes: UInt64 = 1 << 20, createUUID: @escaping @Sendable () -> UUID = { UUID() }
    ) {
      self.mode = mode
      self.segmentBytesMax = segmentBytesMax
      self.cacheBytesMax = cacheBytesMax
      self.preallocateBytes = preallocateBytes
      self.createUUID = createUUID
    }
  }

  struct Published: Sendable {
    var lastNumber: UInt64
    var segments: [Segment]
    /// Where each record starts, by number.
    var index: RecordIndex

    /// A log that holds nothing yet.
    init(first segment: Segment) {
      lastNumber = 0
      segments = [segment]
      index = RecordIndex()
    }

    /// What opening found, and what it passed by.
    init(_ opener: LogOpener) {
      lastNumber = opener.lastNumber
      segments = opener.passed + opener.segments
      index = opener.index
    }
  }

  /// The identity that every segment carries, fixed when the log was made.
  public let storeUUID: UUID
  /// What opening found.
  public let recovery: RecoveryReport
  let directory: String
  let published: Mutex<Published>
  let cache: BlockCache
  private let writer: Mutex<LogWriter?>

  init(
    storeUUID: UUID, recovery: RecoveryReport, directory: String, published: Published, cacheBytesMax: Int,
    writer: consuming LogWriter?
  ) {
    self.storeUUID = storeUUID
    self.recovery = recovery
    self.directory = directory
    self.published = Mutex(published)
    cache = BlockCache(bytesMax: cacheBytesMax)
    self.writer = Mutex(writer)
  }

  /// The number of the last durable record; 0 in an empty log.
  public var lastNumber: UInt64 { published.withLock { $0.lastNumber } }

  /// The segments as they are now, in order.
  public var segments: [SegmentInfo] { published.withLock { $0.segments }.map { $0.info() } }

  /// Appends one record and returns when it is durable. `build` gets the number that the record will have; appends
  /// wait for one another, so nothing can be appended between that and the record. It may throw: nothing is written.
  /// `build` must not call the log.
  /// - Parameter kind: Below 0x80; those above are the log's own.
  /// - Throws: What `build` throws, as it is; `LogError` otherwise. Without space for the record the log stays usable;
  ///   after a failed write or sync it refuses to write until it is opened again.
  @discardableResult
  public func append(kind: UInt8, _ build: (_ number: UInt64) throws -> RecordContent) throws -> AppendedRecord {
    try writer.withLock { writer in
      guard writer != nil else { throw readOnlyError() }
      let written = try writer!.append(kind: kind, build)
      published.withLock { published in
        if let segment = written.newSegment { published.segments.append(segment) }
        let location = written.record.location
        published.index.append(BlockAddress(segment: location.segment, offsetBytes: location.offsetBytes))
        published.lastNumber = written.record.number
      }
      return written.record
    }
  }

  /// Writes the mark of a clean end and lets go of the lock. Blocks handed out stay readable. Closing again is fine.
  /// - Throws: `LogError` when the mark could not be written; the log is closed all the same, and no record is lost.
  public func close() throws(LogError) {
    defer { for segment in published.withLock({ $0.segments }) { segment.closeFile() } }
    try writer.withLock { writer throws(LogError) in
      if writer != nil { try writer!.close() }
    }
  }

  private func readOnlyError() -> LogError {
    LogError(.readOnly, "The log was opened read-only.", path: directory)
  }
}
