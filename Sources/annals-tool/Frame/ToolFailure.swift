/// What ends a command: its exit code, what to tell a person, and, for JSON, the particulars by name.
struct ToolFailure: Error {
  let code: ExitCode
  let message: String
  /// The file concerned, and where in it.
  var path: String?
  var offsetBytes: UInt64?

  init(_ code: ExitCode, _ message: String, path: String? = nil, offsetBytes: UInt64? = nil) {
    self.code = code
    self.message = message
    self.path = path
    self.offsetBytes = offsetBytes
  }
}
