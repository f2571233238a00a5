import LogStore
import Schema

/// From words on a command line to an exit code: finds the command, runs it, tells what went wrong.
enum Program {
  static let version = "0.1"

  static func run(_ words: [String]) -> ExitCode {
    let output = Output(isJSON: words.prefix { $0 != "--" }.contains("--json"))
    do {
      let code = try dispatch(words, output)
      try output.flush()
      return code
    } catch {
      return report(error, output)
    }
  }

  private static func dispatch(_ words: [String], _ output: Output) throws -> ExitCode {
    guard let name = words.first else {
      try output.flush()
      throw UsageError("a command is missing")
    }
    switch name {
    case "help": return try Help.run(Array(words.dropFirst()), output)
    case "--help", "-h": return try Help.run([], output)
    case "--version":
      try output.line("annals \(version) (JSON lines version \(JSONObject.schemaVersion))")
      return .fine
    default: break
    }
    guard let command = commands.first(where: { $0.spec.name == name }) else {
      let kind = name.hasPrefix("-") ? "option" : "command"
      let names = commands.map { $0.spec.name } + ["help", "--help", "--version"]
      throw UsageError("unknown \(kind) '\(name)'\(didYouMean(name, among: names))")
    }
    let arguments = try CommandLineArguments(Array(words.dropFirst()), spec: command.spec)
    guard !arguments.asksForHelp else {
      try Help.print(command.spec, output)
      return .fine
    }
    return try command.run(arguments, output)
  }

  /// Errors are text on standard error, and with `--json` a last line of kind "error" as well, so that whoever reads
  /// the lines learns that they are not all.
  private static func report(_ thrown: any Error, _ output: Output) -> ExitCode {
    let error = ownError(in: thrown)
    if error is Output.ReaderGone { return .fine }
    let failure = failure(from: error)
    do {
      if output.isJSON { try output.line(json(of: failure)) }
      try output.flush()
    } catch is Output.ReaderGone {
      return .fine
    } catch {
      // What is to be told goes to standard error below.
    }
    Output.writeError("annals: \(failure.message)\n")
    if let usage = error as? UsageError {
      Output.writeError("Try: annals help\(usage.command.map { " \($0)" } ?? "")\n")
    }
    return failure.code
  }

  /// An error of the tool's own that was thrown while a store was being read comes back wrapped in the store's.
  private static func ownError(in thrown: any Error) -> any Error {
    var current: any Error = thrown
    while true {
      let inner: (any Error)?
      switch current {
      case is Output.ReaderGone, is ToolFailure, is UsageError: return current
      case let error as StoreError: inner = error.underlying
      case let error as LogError: inner = error.cause
      default: return thrown
      }
      guard let inner else { return thrown }
      current = inner
    }
  }

  private static func failure(from error: any Error) -> ToolFailure {
    switch error {
    case let failure as ToolFailure: failure
    case let usage as UsageError: ToolFailure(.usage, usage.message)
    default: ToolFailure(error)
    }
  }

  private static func json(of failure: ToolFailure) -> JSONObject {
    var object = JSONObject(kind: "error")
    object.add("exit", .integer(Int(failure.code.rawValue)))
    object.add("message", .string(failure.message))
    object.add("path", .text(failure.path))
    object.add("offset", failure.offsetBytes.map { .integer($0) } ?? .null)
    return object
  }
}
