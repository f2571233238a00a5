/// What a simulated disk is to do wrong, and when. Operations are counted from 1, over the whole disk: see
/// `SimulatedDisk.operationCount`.
public struct FaultPlan: Sendable {
  /// How an operation fails.
  public enum Failure: Sendable {
    /// EIO, and nothing is done. A sync that fails so may lose what it was to make durable: it will not be written
    /// later either, whatever a further sync says.
    case inputOutput
    /// ENOSPC, and nothing is done.
    case noSpace
    /// A write stops in the middle and fails.
    case shortWrite
  }
  /// The operation that fails.
  public var failingOperation: Int?
  /// What the operation that fails reports.
  public var failure: Failure = .inputOutput
  /// Whether all operations behind it fail, too.
  public var failsFromThenOn = false
  /// At this operation the power goes: it is done or not, like others that were not synced, and every further one fails.
  public var powerFailsAtOperation: Int?
  /// All files together may have no more bytes.
  public var spaceBytesMax: UInt64?
  /// The locks of this disk don't work, as on some network file systems.
  public var hasNoLocks = false

  /// A plan in which nothing fails.
  public init() {}
}

/// One operation of a simulated disk, for those who want to know what was done, and in which order.
public struct DiskOperation: Sendable, Equatable, CustomStringConvertible {
  /// Its number, from 1.
  public let index: Int
  /// "open", "create", "write", "truncate", "preallocate", "sync", "rename", "remove", "sync directory", …
  public let verb: String
  /// The file or directory it was done to.
  public let path: String
  /// Where in the file; 0 for operations on names.
  public let offsetBytes: UInt64
  /// How many bytes were written or read.
  public let byteCount: Int

  /// The operation as a line of a trace.
  public var description: String { "\(index) \(verb) \(path) \(offsetBytes)+\(byteCount)" }
}
