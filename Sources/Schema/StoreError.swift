public import Foundation

/// What a store reports. The graph turns it into the `NSError` that Core Data documents, with this one beneath it.
public struct StoreError: Error, Sendable {
  /// A case that code can match; new ones may be added.
  public struct Code: Hashable, Sendable {
    private enum Name: Hashable, Sendable {
      case cannotOpen, locked, readOnly, noSpace, damaged, incompatibleSchema, newerFormat, closedAfterFailure
      case rowTooLarge, missingObject, unsupported, notAStore, inputOutput, invalidToken, limitExceeded
    }
    private let name: Name
    private init(_ name: Name) { self.name = name }

    public static let cannotOpen = Code(.cannotOpen)
    /// Another process, or another opener in this one, holds the store for writing.
    public static let locked = Code(.locked)
    public static let readOnly = Code(.readOnly)
    public static let noSpace = Code(.noSpace)
    public static let damaged = Code(.damaged)
    public static let incompatibleSchema = Code(.incompatibleSchema)
    public static let newerFormat = Code(.newerFormat)
    /// A write or sync failed earlier: the store refuses to write until it is opened again.
    public static let closedAfterFailure = Code(.closedAfterFailure)
    public static let rowTooLarge = Code(.rowTooLarge)
    public static let missingObject = Code(.missingObject)
    public static let unsupported = Code(.unsupported)
    public static let notAStore = Code(.notAStore)
    public static let inputOutput = Code(.inputOutput)
    public static let invalidToken = Code(.invalidToken)
    public static let limitExceeded = Code(.limitExceeded)
  }

  public let code: Code
  /// What happened, to what, and what to do about it: whole sentences for a person.
  public let message: String
  /// The file concerned and where in it, when there is one.
  public let path: String?
  public let offsetBytes: UInt64?
  /// The process that holds the store, for `locked`.
  public let processID: Int32?
  /// The system's error number, when the system refused.
  public let errorNumber: Int32?
  public let underlying: (any Error)?

  public init(
    _ code: Code, _ message: String, path: String? = nil, offsetBytes: UInt64? = nil, processID: Int32? = nil,
    errorNumber: Int32? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.path = path
    self.offsetBytes = offsetBytes
    self.processID = processID
    self.errorNumber = errorNumber
    self.underlying = underlying
  }

  static func rowTooLarge(key: ObjectKey, lengthBytes: Int) -> StoreError {
    StoreError(
      .rowTooLarge,
      "The object \(key) needs \(lengthBytes) bytes; a row may have \(RowLayout.rowBytesMax). Keep large binary values outside the row."
    )
  }
}

extension StoreError: CustomStringConvertible, LocalizedError {
  public var description: String {
    var text = message
    if let path { text += " [\(path)\(offsetBytes.map { " at byte \($0)" } ?? "")]" }
    return text
  }
  public var errorDescription: String? { description }
}
