import Foundation

/// The Swift compiler of the toolchain that runs the tests: the oracle for symbols.
struct Compiler {
  let directory: URL

  /// - Throws: when no directory can be made.
  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("oracle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(at: directory) }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs a tool found on the path.
  @discardableResult
  static func run(_ tool: String, _ arguments: [String], in directory: URL) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    process.currentDirectoryURL = directory
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    guard process.terminationStatus == 0 else {
      throw Failure(
        description: "\(tool) \(arguments.joined(separator: " ")) ended with \(process.terminationStatus):\n\(text)")
    }
    return text
  }

  /// Compiles a module that has the names of the graph's classes and nothing else.
  func makeStubGraph() throws {
    try write(
      """
      import Foundation
      open class NSManagedObject: NSObject { public required override init() {} }
      open class NSManagedObjectID: NSObject {}
      """, to: "ObjectGraphStub.swift")
    try Self.run(
      "swiftc",
      [
        "-parse-as-library", "-emit-module", "-module-name", "ObjectGraph", "-o", "ObjectGraph.swiftmodule",
        "ObjectGraphStub.swift",
      ], in: directory)
  }

  /// Compiles an umbrella over the built object graph, without the stores that the real one brings.
  func makeUmbrella(modules: URL) throws {
    try write(
      "@_exported public import Model\n@_exported public import ObjectGraph\n@_exported public import Predicates\n",
      to: "Umbrella.swift")
    try Self.run(
      "swiftc",
      [
        "-parse-as-library", "-emit-module", "-swift-version", "6", "-module-name", "Annals", "-I", modules.path, "-o",
        "Annals.swiftmodule", "Umbrella.swift",
      ], in: directory)
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: directory.appendingPathComponent(name))
  }

  /// Compiles files of one module into one object file and lists the symbols of the module that it leaves undefined.
  func undefinedSymbols(module: String, files: [String], modules: URL? = nil) throws -> Set<String> {
    try Self.run(
      "swiftc",
      [
        "-parse-as-library", "-wmo", "-emit-object", "-Onone", "-swift-version", "6", "-module-name", module, "-I", ".",
        "-I",
        modules?.path ?? ".",
        "-o", "oracle.o",
      ] + files, in: directory)
    let listing = try Self.run("nm", ["-u", "oracle.o"], in: directory)
    var symbols: Set<String> = []
    for line in listing.split(separator: "\n") {
      guard let symbol = line.split(separator: " ").last, symbol.hasPrefix("$s"), isOurs(symbol, module: module) else {
        continue
      }
      symbols.insert(String(symbol))
    }
    return symbols
  }

  private func isOurs(_ symbol: Substring, module: String) -> Bool {
    if symbol.hasPrefix("$s\(module.utf8.count)\(module)") { return true }
    return !module.utf8.allSatisfy { $0 < 0x80 } && symbol.hasPrefix("$s00")
  }
}
