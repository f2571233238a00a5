import Foundation
import Testing

/// House rules that a reader of the sources would otherwise have to enforce.
@Suite("Tidiness")
struct TidyTests {
  private static let files: [(name: String, text: String)] = ["Sources", "Tests", "Benchmarks"].flatMap { folder in
    LayeringTests.swiftFiles(in: folder).filter { !$0.path.contains("/.build/") }.compactMap { url in
      (try? String(contentsOf: url, encoding: .utf8)).map { (url.lastPathComponent, $0) }
    }
  }

  @Test("No source file is longer than 500 lines")
  func fileLength() {
    #expect(Self.files.count > 50)
    for (name, text) in Self.files {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
      #expect(lines <= 500, "\(name) has \(lines) lines: split it by concept")
    }
  }

  @Test("Sources force no try and no cast on input")
  func noForcedTry() throws {
    for url in LayeringTests.swiftFiles(in: "Sources") {
      let text = try String(contentsOf: url, encoding: .utf8)
      #expect(!text.contains("try" + "!"), "\(url.lastPathComponent) forces a try")
    }
  }

  @Test("Nothing names a machine's paths")
  func noMachinePaths() {
    for (name, text) in Self.files {
      for path in ["/wo" + "rk/", "/ro" + "ot/", "/ho" + "me/"] {
        #expect(!text.contains(path), "\(name) names \(path)")
      }
    }
  }
}
