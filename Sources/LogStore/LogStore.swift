public import FileSystem

public import struct Foundation.UUID

/// A log of records in a directory of segment files: bytes in, bytes out; it knows no entities.
///
/// One writer at a time, by a kernel lock; any number of readers, without one. Every method may be called from any
/// thread; appends are put one behind the other.
public final class LogStore: Sendable {
  public struct Options: Sendable {
    public enum Mode: Sendable {
      /// Opens a log that exists, or makes one.
      case readWrite
      /// Takes no lock, writes nothing, not even to cut a torn tail.
      case readOnly
    }
    public var mode: Mode
    /// A segment is sealed when the next record would take it past this.
    public var segmentBytesMax: UInt64
    /// Bound of the cache of blocks, in bytes.
    public var cacheBytesMax: Int
    /// Room is set aside in steps from this size on, doubling up to 16 MiB.
    public var preallocateBytes: UInt64
    /// The identity of a store that is made.
    public var createUUID: @Sendable () -> UUID

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

  /// Opens the log: finds the segments, checks the chain of records, cuts a torn tail (when writing). Every record's
  /// checksum is compared; `visit` sees each good record in order, which is how the layer above builds its indexes
  /// in one pass.
  /// - Throws: `LogError`; an error of `visit` is its `cause`, with code `stoppedByVisitor`.
  public static func open(
    _ directory: String, in fileSystem: any FileSystem, options: Options = Options(),
    visit: (borrowing RecordReader) throws -> Void
  ) throws(LogError) -> LogStore {
    preconditionFailure("not built yet")
  }

  /// Checks every byte of a log, without opening it, without a lock, writing nothing; bad places are reported, not thrown.
  /// - Throws: `LogError` when there is no log to check or the system refuses to read it.
  public static func verify(_ directory: String, in fileSystem: any FileSystem) throws(LogError) -> VerifyReport {
    preconditionFailure("not built yet")
  }

  public var storeUUID: UUID { preconditionFailure("not built yet") }
  public var recovery: RecoveryReport { preconditionFailure("not built yet") }
  /// The number of the last durable record; 0 in an empty log.
  public var lastNumber: UInt64 { preconditionFailure("not built yet") }
  public var segments: [SegmentInfo] { preconditionFailure("not built yet") }

  /// Appends one record and returns when it is durable. `build` gets the number that the record will have; appends
  /// wait for one another, so nothing can be appended between that and the record. It may throw: nothing is written.
  /// - Parameter kind: Below 0x80; those above are the log's own.
  /// - Throws: What `build` throws, as it is; `LogError` otherwise.
  @discardableResult
  public func append(kind: UInt8, _ build: (_ number: UInt64) throws -> RecordContent) throws -> AppendedRecord {
    preconditionFailure("not built yet")
  }

  /// The block at an address that this log gave out. Its checksum is compared when it comes from the medium.
  public func block(at address: BlockAddress) throws(LogError) -> Block { preconditionFailure("not built yet") }

  /// Visits the records behind `number`, in order, up to the last durable one when the call began.
  public func visitRecords(
    after number: UInt64, _ visit: (borrowing RecordReader) throws -> Void
  ) throws(LogError) { preconditionFailure("not built yet") }

  /// Writes the mark of a clean end and lets go of the lock. Blocks handed out stay readable.
  public func close() throws(LogError) { preconditionFailure("not built yet") }
}
