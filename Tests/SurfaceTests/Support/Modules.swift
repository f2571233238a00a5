import Foundation

/// Where the build that is being tested keeps its modules, for compiling against them.
enum Modules {
  static let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The build directory: the one that the test bundle, which this process has mapped, lies in.
  static let build: URL = {
    let maps: String = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
    for line in maps.split(separator: "\n") where line.hasSuffix(".xctest") {
      guard let start = line.firstIndex(of: "/") else { continue }
      return URL(fileURLWithPath: String(line[start...])).deletingLastPathComponent()
    }
    return checkout.appendingPathComponent(".build/debug")
  }()

  /// Runs a program and returns what it prints, errors included.
  static func run(_ tool: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data: Data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  /// Checks the types of files, as one module of language mode 5 that is built against the product CoreData.
  static func typecheck(_ files: [URL]) throws -> [String] {
    let sources: URL = checkout.appendingPathComponent("Sources")
    let (_, output) = try run(
      "swiftc",
      [
        "-typecheck", "-wmo", "-swift-version", "5", "-diagnostic-style", "llvm", "-I",
        build.appendingPathComponent("Modules").path, "-I", sources.appendingPathComponent("CLZ4").path, "-I",
        sources.appendingPathComponent("CXXHash").path,
      ] + files.map { $0.path })
    return output.split(separator: "\n").map { String($0) }.filter { $0.contains("error:") }
  }
}
