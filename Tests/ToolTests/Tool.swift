import Foundation

/// Runs the built `annals` as its users do: as a process of its own.
enum Tool {
  struct Result {
    let status: Int32
    let isKilledBySignal: Bool
    let output: String
    let errors: String

    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// The lines of `--json`, each an object; a line that is none fails the test that asks.
    func objects() throws -> [[String: Any]] {
      try lines.map { line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        guard let object else { throw NotAnObject(line: line) }
        return object
      }
    }
  }

  struct NotAnObject: Error {
    let line: String
  }

  struct NotBuilt: Error {
    let path: String
  }

  /// The executable lies beside the test bundle, whatever the scratch path and configuration.
  static let url: URL = {
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    return bundle.deletingLastPathComponent().appendingPathComponent("annals")
  }()

  static func run(
    _ arguments: String..., environment: [String: String] = [:], executable: URL = Tool.url
  ) throws -> Result {
    try run(arguments, environment: environment, executable: executable)
  }

  static func run(
    _ arguments: [String], environment: [String: String] = [:], executable: URL = Tool.url
  ) throws -> Result {
    guard FileManager.default.isExecutableFile(atPath: executable.path) else { throw NotBuilt(path: executable.path) }
    // Files rather than pipes: a process that prints much cannot block on a reader that waits for its end.
    return try withTemporaryDirectory { directory in
      let output = directory.appendingPathComponent("output")
      let errors = directory.appendingPathComponent("errors")
      for url in [output, errors] { try Data().write(to: url) }
      let process = Process()
      process.executableURL = executable
      process.arguments = arguments
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = try FileHandle(forWritingTo: output)
      process.standardError = try FileHandle(forWritingTo: errors)
      try process.run()
      process.waitUntilExit()
      return Result(
        status: process.terminationStatus, isKilledBySignal: process.terminationReason == .uncaughtSignal,
        output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
        errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
  }

  /// Runs a shell line in which `"$ANNALS"` is the executable.
  static func shell(_ line: String, environment: [String: String] = [:]) throws -> Result {
    let all = environment.merging(["ANNALS": url.path]) { $1 }
    return try run(["-c", line], environment: all, executable: URL(fileURLWithPath: "/bin/sh"))
  }
}

/// A directory for one test, gone when it ends.
func withTemporaryDirectory<R>(_ body: (URL) throws -> R) throws -> R {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("annals-tool-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: url) }
  return try body(url)
}
