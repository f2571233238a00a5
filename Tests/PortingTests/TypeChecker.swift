import Foundation

/// Type-checks sources against the modules as they were built for these tests.
enum TypeChecker {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The modules lie beside the test bundle, whatever the scratch path and configuration.
  static let modules: URL = {
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    return bundle.deletingLastPathComponent().appendingPathComponent("Modules")
  }()

  static var isAvailable: Bool {
    FileManager.default.fileExists(atPath: modules.appendingPathComponent("CoreData.swiftmodule").path)
  }

  /// The C modules that the built ones stand on.
  private static let moduleMaps: [String] = ["CLZ4", "CXXHash"].flatMap { name in
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources")
    return ["-Xcc", "-fmodule-map-file=\(sources.path)/\(name)/module.modulemap"]
  }

  /// Checks files as one module.
  /// - Parameter files: contents by name.
  /// - Throws: what the compiler says, if it finds errors.
  static func check(_ files: [String: String]) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("check-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in files { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", "-I", modules.path] + moduleMaps
      + files.keys.sorted()
    process.currentDirectoryURL = folder
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(description: String(decoding: data, as: UTF8.self)) }
  }
}
