import Foundation
import Testing

/// The documentation's examples are the examples that are built: the text is compared, the program is run.
@Suite("README and articles")
struct ReadmeTests {
  private static let embedding = "Sources/Annals/Annals.docc/Articles/EmbeddingTheStore.md"

  private func block(after marker: String, fence: String, in page: String = "README.md") throws -> String {
    let url = LayeringTests.checkout.appendingPathComponent(page)
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
    #expect(try output(of: "quick-start") == block(after: "quick-start output", fence: ""))
  }

  @Test(
    "The article on embedding shows the programs that are built, and what they print", arguments: ["shelf", "journal"])
  func embedding(program name: String) throws {
    let url = LayeringTests.checkout.appendingPathComponent("Sources/\(name)/main.swift")
    let program = try String(contentsOf: url, encoding: .utf8)
    #expect(try block(after: name, fence: "swift", in: Self.embedding) == program)
    #expect(try output(of: name) == block(after: "\(name) output", fence: "", in: Self.embedding))
  }

  /// What a program prints that is given an empty folder for its store.
  private func output(of program: String) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("annals-readme-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = Process()
    process.executableURL = Self.products.appendingPathComponent(program)
    process.arguments = [folder.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return output
  }

  /// Where the build puts programs: beside the bundle that holds these tests.
  static let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
}
