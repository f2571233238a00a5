import FileSystem

extension LogError {
  /// What the system refused, with what that means for a log.
  init(_ error: FileError, _ doing: String) {
    let code: Code
    let advice: String
    switch error.code {
    case .notFound: (code, advice) = (.missing, "There is no such file.")
    case .permissionDenied:
      code = .permissionDenied
      advice =
        "Permission to \(error.operation) is missing. Writing needs write permission for the directory and its files; with read permission alone, open it read-only."
    case .readOnly: (code, advice) = (.readOnly, "The file system is read-only. Open the log read-only.")
    case .noSpace: (code, advice) = (.noSpace, "No space is left. What was acknowledged before is intact.")
    case .locked:
      code = .locked
      let holder = error.processID.map { "Process \($0)" } ?? "Somebody else"
      advice = "\(holder) has it open for writing. Wait for it to close the log, or open it read-only."
    case .unsupported where error.operation == "lock":
      code = .lockUnsupported
      advice =
        "The file system has no locks, so two writers could not be kept apart. Use a local file system, or open the log read-only."
    case .notADirectory, .isADirectory: (code, advice) = (.notALog, "A log is a directory, and this path is not one.")
    default: (code, advice) = (.inputOutput, "\(error).")
    }
    self.init(
      code, "\(doing) failed. \(advice)", path: error.path, processID: error.processID,
      errorNumber: error.errorNumber == 0 ? nil : error.errorNumber, cause: error)
  }
}

/// Runs file operations and turns their errors into a log's.
@inline(__always)
func doing<Result>(_ what: @autoclosure () -> String, _ body: () throws(FileError) -> Result) throws(LogError) -> Result
{
  do throws(FileError) {
    return try body()
  } catch {
    throw LogError(error, what())
  }
}
