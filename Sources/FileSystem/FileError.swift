/// What a file system refused, of which file, and why.
public struct FileError: Error, Sendable {
  public struct Code: Hashable, Sendable {
    private enum Name: Hashable, Sendable {
      case notFound, alreadyExists, permissionDenied, readOnly, noSpace, locked, tooManyFiles, unsupported, inputOutput
      case notADirectory, isADirectory, badPath
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
    public static let notADirectory = Code(.notADirectory)
    public static let isADirectory = Code(.isADirectory)
    public static let badPath = Code(.badPath)
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

extension FileError: CustomStringConvertible {
  public var description: String {
    var text = "\(operation) failed: \(reason) [\(path)]"
    if let processID { text += ", held by process \(processID)" }
    return text
  }

  private var reason: String {
    switch code {
    case .notFound: "there is no such file"
    case .alreadyExists: "it exists already"
    case .permissionDenied: "permission denied"
    case .readOnly: "the file system is read-only"
    case .noSpace: "no space is left"
    case .locked: "it is locked"
    case .tooManyFiles: "too many files are open"
    case .unsupported: "the file system does not support it"
    case .notADirectory: "it is not a directory"
    case .isADirectory: "it is a directory"
    case .badPath: "the path can't be used"
    default: "input/output error \(errorNumber)"
    }
  }
}
