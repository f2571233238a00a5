import CoreData
import Foundation
import Testing

/// Code as apps have it, a file for each area, checked against the built product.
@Suite("The surface", .enabled(if: SurfaceFiles.folder != nil))
struct TypecheckTests {
  /// What is optional, and not there yet: conversions from Swift's own descriptors and predicates.
  private static let missing: [String] = ["Optional.swift:6:", "Optional.swift:7:", "Optional.swift:8:"]

  @Test("Every file that uses Core Data's names as apps do compiles with import CoreData in language mode 5")
  func compiles() throws {
    let files: [URL] = try SurfaceFiles.all()
    #expect(files.count > 20)
    let errors: [String] = try Modules.typecheck(files).filter { line in !Self.missing.contains { line.contains($0) } }
    #expect(errors.isEmpty, "\(errors.joined(separator: "\n"))")
  }

  @Test("The check notices a name that is not there")
  func notices() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("surface-\(UUID().uuidString).swift")
    try Data("import CoreData\nlet x: NSNothingOfTheKind? = nil\nlet y: NSUndone = 3\n".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try Modules.typecheck([file]).count == 2)
  }
}

/// The corpus's files, where there is one.
enum SurfaceFiles {
  static let folder: URL? = {
    let given: String? = ProcessInfo.processInfo.environment["ANNALS_CORPUS"]
    let root: URL =
      given.map { URL(fileURLWithPath: $0) }
      ?? Modules.checkout.deletingLastPathComponent().appendingPathComponent("shared")
    let folder: URL = root.appendingPathComponent("surface")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  static func all() throws -> [URL] {
    guard let folder else { return [] }
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
  }
}
