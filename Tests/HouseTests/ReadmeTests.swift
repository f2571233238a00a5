import Foundation
import Testing

/// README's examples are the examples that are built: the text is compared, the program is run.
@Suite("README")
struct ReadmeTests {
  private func block(after marker: String, fence: String) throws -> String {
    let url = LayeringTests.checkout.appendingPathComponent("README.md")
    let text = try String(contentsOf: url, encoding: .utf8)
    let start = try #require(text.range(of: "<!-- \(marker) -->\n```\(fence)\n"))
    let end = try #require(text.range(of: "```", range: start.upperBound..<text.endIndex))
    return String(text[start.upperBound..<end.lowerBound])
  }

  @Test("The quick start is the program in Sources/quick-start, in at most 30 lines")
  func quickStartIsBuilt() throws {
    let url = LayeringTests.checkout.appendingPathComponent("Sources/quick-start/main.swift")
    let program = try String(contentsOf: url, encoding: .utf8)
    #expect(try block(after: "quick-start", fence: "swift") == program)
    #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count <= 31)
  }

  @Test("The quick start prints what README says it prints")
  func quickStartRuns() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("annals-readme-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = Process()
    process.executableURL = Self.products.appendingPathComponent("quick-start")
    process.arguments = [folder.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(output == (try block(after: "quick-start output", fence: "")))
  }

  /// Where the build puts programs: beside the bundle that holds these tests.
  static let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
}
