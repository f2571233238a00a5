public import FileSystem

/// A log of transactions in a directory of segment files: bytes in, bytes out; it knows no entities.
///
/// One writer at a time, by a kernel lock; any number of readers, without one.
public final class LogStore: Sendable {
  public struct Options: Sendable {
    public enum Mode: Sendable {
      /// Opens a log that exists, or makes one.
      case readWrite
      /// Takes no lock, writes nothing, not even to cut a torn tail.
      case readOnly
    }
    public var mode: Mode
    /// A segment is sealed when it reaches this.
    public var segmentBytesMax: UInt64
    /// Bound of the cache of unpacked blocks.
    public var cacheBytesMax: Int

    public init(mode: Mode = .readWrite, segmentBytesMax: UInt64 = 64 << 20, cacheBytesMax: Int = 64 << 20) {
      self.mode = mode
      self.segmentBytesMax = segmentBytesMax
      self.cacheBytesMax = cacheBytesMax
    }
  }

  /// Opens the log: finds the segments, checks the chain of records, cuts a torn tail (when writing). Every record's
  /// checksum is compared; `visit` sees each good record in order, which is how the layer above builds its indexes
  /// in one pass.
  public static func open(
    _ directory: String, in fileSystem: any FileSystem, options: Options = Options(),
    visit: (RecordReader) throws -> Void
  ) throws -> LogStore {
    preconditionFailure("not built yet")
  }
}
