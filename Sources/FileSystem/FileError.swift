/// What a file system refused, of which file, and why.
public struct FileError: Error, Sendable {
  public struct Code: Hashable, Sendable {
    private enum Name: Hashable, Sendable {
      case notFound, alreadyExists, permissionDenied, readOnly, noSpace, locked, tooManyFiles, unsupported, inputOutput
    }
    private let name: Name
    private init(_ name: Name) { self.name = name }

    public static let notFound = Code(.notFound)
    public static let alreadyExists = Code(.alreadyExists)
    public static let permissionDenied = Code(.permissionDenied)
    public static let readOnly = Code(.readOnly)
    public static let noSpace = Code(.noSpace)
    public static let locked = Code(.locked)
    public static let tooManyFiles = Code(.tooManyFiles)
    public static let unsupported = Code(.unsupported)
    public static let inputOutput = Code(.inputOutput)
  }

  public let code: Code
  /// The verb that failed: "open", "write", "sync".
  public let operation: String
  public let path: String
  /// The system's number, 0 when a simulation or a check of ours refused.
  public let errorNumber: Int32
  /// Who holds the lock, for `locked`, when that is known.
  public let processID: Int32?

  public init(_ code: Code, operation: String, path: String, errorNumber: Int32 = 0, processID: Int32? = nil) {
    self.code = code
    self.operation = operation
    self.path = path
    self.errorNumber = errorNumber
    self.processID = processID
  }
}
