/// What a log reports: which file, where in it, what was expected and found, and what to do.
public struct LogError: Error, Sendable {
  /// A case that code can match; new ones may be added.
  public struct Code: Hashable, Sendable {
    private enum Name: Hashable, Sendable {
      case notALog, missing, locked, lockUnsupported, readOnly, permissionDenied, noSpace, damaged, newerFormat
      case closedAfterFailure, closed, limitExceeded, inputOutput, invalidAddress, invalidContent, stoppedByVisitor,
        displaced
    }
    private let name: Name
    private init(_ name: Name) { self.name = name }

    /// The path is a file, or a directory of something else.
    public static let notALog = Code(.notALog)
    /// There is nothing at the path, and the mode does not allow making it.
    public static let missing = Code(.missing)
    /// Another opener holds the log for writing; see `processID`.
    public static let locked = Code(.locked)
    /// The file system has no locks that hold.
    public static let lockUnsupported = Code(.lockUnsupported)
    /// The medium, or the way the log was opened, allows no writing.
    public static let readOnly = Code(.readOnly)
    /// The process may not read or write a file of the log.
    public static let permissionDenied = Code(.permissionDenied)
    /// The medium is full; what was acknowledged is intact.
    public static let noSpace = Code(.noSpace)
    /// Bytes that had been acknowledged are gone or changed.
    public static let damaged = Code(.damaged)
    /// Written by a newer version, in a way that this one must not touch.
    public static let newerFormat = Code(.newerFormat)
    /// A write or sync failed earlier: nothing is written until the log is opened again.
    public static let closedAfterFailure = Code(.closedAfterFailure)
    /// The log was closed.
    public static let closed = Code(.closed)
    /// Something exceeds a limit of the format.
    public static let limitExceeded = Code(.limitExceeded)
    /// The medium failed.
    public static let inputOutput = Code(.inputOutput)
    /// A block address or a record number that this log never gave out.
    public static let invalidAddress = Code(.invalidAddress)
    /// Content handed to `append` that a record can't hold.
    public static let invalidContent = Code(.invalidContent)
    /// The log's file was moved, removed or replaced while it was open.
    public static let displaced = Code(.displaced)
    /// The visitor threw; its error is `cause`.
    public static let stoppedByVisitor = Code(.stoppedByVisitor)
  }

  /// What kind of error it is.
  public let code: Code
  /// What happened, to what, and what to do about it.
  public let message: String
  /// The file concerned.
  public let path: String?
  /// Where in the file.
  public let offsetBytes: UInt64?
  /// The checksum that the file says.
  public let expectedChecksum: UInt64?
  /// The checksum of the bytes that are there.
  public let foundChecksum: UInt64?
  /// The last record before the damage that is whole.
  public let lastGoodNumber: UInt64?
  /// The first record behind the damage that is whole.
  public let nextGoodNumber: UInt64?
  /// Who holds the lock, for `locked`.
  public let processID: Int32?
  /// The system's error number, when the system refused.
  public let errorNumber: Int32?
  /// What the file system reported.
  public let cause: (any Error)?

  public init(
    _ code: Code, _ message: String, path: String? = nil, offsetBytes: UInt64? = nil, expectedChecksum: UInt64? = nil,
    foundChecksum: UInt64? = nil, lastGoodNumber: UInt64? = nil, nextGoodNumber: UInt64? = nil,
    processID: Int32? = nil, errorNumber: Int32? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.path = path
    self.offsetBytes = offsetBytes
    self.expectedChecksum = expectedChecksum
    self.foundChecksum = foundChecksum
    self.lastGoodNumber = lastGoodNumber
    self.nextGoodNumber = nextGoodNumber
    self.processID = processID
    self.errorNumber = errorNumber
    self.cause = cause
  }
}

extension LogError: CustomStringConvertible {
  /// The error in sentences, with its place.
  public var description: String {
    var text = message
    if let path { text += " [\(path)\(offsetBytes.map { " at byte \($0)" } ?? "")]" }
    return text
  }
}
