/// What a file system refused, of which file, and why.
public struct FileError: Error, Sendable {
  /// What kind of refusal it was: compare with the constants.
  public struct Code: Hashable, Sendable {
    private enum Name: Hashable, Sendable {
      case notFound, alreadyExists, permissionDenied, readOnly, noSpace, locked, tooManyFiles, unsupported, inputOutput
      case notADirectory, isADirectory, badPath
    }
    private let name: Name
    private init(_ name: Name) { self.name = name }

    /// There is no such file or directory.
    public static let notFound = Code(.notFound)
    /// The name is taken.
    public static let alreadyExists = Code(.alreadyExists)
    /// The process may not do that to the file.
    public static let permissionDenied = Code(.permissionDenied)
    /// The file system is mounted for reading only.
    public static let readOnly = Code(.readOnly)
    /// The device is full, or a quota is used up.
    public static let noSpace = Code(.noSpace)
    /// Another process, or another opener in this one, holds the lock.
    public static let locked = Code(.locked)
    /// The process or the system has no descriptor left.
    public static let tooManyFiles = Code(.tooManyFiles)
    /// The file system has no such operation.
    public static let unsupported = Code(.unsupported)
    /// The device failed, or nothing more precise is known.
    public static let inputOutput = Code(.inputOutput)
    /// A part of the path is a file.
    public static let notADirectory = Code(.notADirectory)
    /// The path is a directory where a file is needed.
    public static let isADirectory = Code(.isADirectory)
    /// The path can not name a file: too long, or with a zero byte.
    public static let badPath = Code(.badPath)
  }

  /// What kind of refusal it was.
  public let code: Code
  /// The verb that failed: "open", "write", "sync".
  public let operation: String
  /// The file or directory concerned.
  public let path: String
  /// The system's number, 0 when a simulation or a check of ours refused.
  public let errorNumber: Int32
  /// Who holds the lock, for `locked`, when that is known.
  public let processID: Int32?

  /// An error of a file system, for those who write one.
  public init(_ code: Code, operation: String, path: String, errorNumber: Int32 = 0, processID: Int32? = nil) {
    self.code = code
    self.operation = operation
    self.path = path
    self.errorNumber = errorNumber
    self.processID = processID
  }
}

extension FileError: CustomStringConvertible {
  /// The refusal in a sentence, for a person.
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
