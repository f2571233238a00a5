/// A command line that can't be understood.
struct UsageError: Error {
  let message: String
  /// The command whose help would tell more, if one was recognised.
  var command: String?

  init(_ message: String, command: String? = nil) {
    self.message = message
    self.command = command
  }
}
