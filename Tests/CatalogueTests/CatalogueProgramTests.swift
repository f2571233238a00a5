import Foundation
import Testing

/// The example as its user meets it: the built program on indexes of a few thousand packages.
@Suite("The catalogue program")
struct CatalogueProgramTests {
  private struct Output {
    var status: Int32
    var text: String
    var errors: String
  }

  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("annals-catalogue-\(UUID().uuidString)")
    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }
    var store: String { url.appendingPathComponent("store").path }

    /// Writes an index of packages `p0`…, each depending on the next, with changes to some.
    func index(_ count: Int, without gone: Set<Int> = [], newer: Set<Int> = []) throws -> String {
      let paragraphs = (0..<count).filter { !gone.contains($0) }.map { number in
        """
        Package: p\(number)
        Version: \(newer.contains(number) ? 2 : 1)
        Section: \(number % 2 == 0 ? "even" : "odd")
        Maintainer: Somebody <somebody@example.org>
        Installed-Size: \(number)
        Depends: p\(number + 1) (>= 1)
        Tag: role::program, number::\(number % 10)
        Description: The package number \(number)
        """
      }
      let path = url.appendingPathComponent("Packages").path
      try paragraphs.joined(separator: "\n\n").write(toFile: path, atomically: true, encoding: .utf8)
      return path
    }
  }

  private static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appendingPathComponent("catalogue")

  private func process(_ arguments: [String]) -> (Process, Pipe, Pipe) {
    let process = Process()
    process.executableURL = Self.program
    process.arguments = arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    return (process, output, errors)
  }

  private func run(_ arguments: String...) throws -> Output {
    let (process, output, errors) = process(arguments)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complaint = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Output(status: process.terminationStatus, text: text, errors: complaint)
  }

  @Test("An import fills the store, a second touches only what changed, and what vanished is deleted")
  func imports() throws {
    let folder = try Folder()
    let first = try run("import", "--store", folder.store, try folder.index(1500))
    #expect(first.text == "1500 packages: 1500 new, 0 changed, 0 gone, 0 as they were; 2 transactions\n")
    let again = try run("import", "--store", folder.store, try folder.index(1500))
    #expect(again.text == "1500 packages: 0 new, 0 changed, 0 gone, 1500 as they were; 0 transactions\n")
    let index = try folder.index(1500, without: [7], newer: [3, 4])
    let third = try run("import", "--store", folder.store, index)
    #expect(third.text == "1499 packages: 0 new, 2 changed, 1 gone, 1497 as they were; 2 transactions\n")
    let changes = try run("changes", "--store", folder.store)
    #expect(changes.text.contains("\n  ~ p3 2 ("))
    #expect(changes.text.contains("\n  - p7\n"))
    let token = try #require(changes.text.split(separator: " ").last.map { $0.trimmingCharacters(in: .newlines) })
    #expect(try run("changes", "--store", folder.store, "--since", token).text == "nothing has changed since\n")
  }

  @Test("Search finds by name, summary and section, sorts, limits and prints JSON")
  func search() throws {
    let folder = try Folder()
    _ = try run("import", "--store", folder.store, try folder.index(40))
    let arguments = ["--section", "odd", "--largest", "2", "--format", "json", "--store", folder.store]
    let (process, output, _) = process(["search", "PACKAGE"] + arguments)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(
      text == """
        {"installed":39,"package":"p39","section":"odd","summary":"The package number 39","version":"1"}
        {"installed":37,"package":"p37","section":"odd","summary":"The package number 37","version":"1"}

        """)
    let table = try run("search", "p12", "--store", folder.store)
    #expect(table.text.hasSuffix("p12      1        even     12 KiB     The package number 12\n1 package\n"))
  }

  @Test("Show walks relationships both ways, with derived counts")
  func show() throws {
    let folder = try Folder()
    _ = try run("import", "--store", folder.store, try folder.index(40))
    let shown = try run("show", "p12", "--store", folder.store)
    #expect(shown.text.contains("  section     even (20 packages)\n"))
    #expect(shown.text.contains("  tags        number::2, role::program\n"))
    #expect(shown.text.contains("  depends on\n    p13 (>= 1), here 1\n"))
    #expect(shown.text.contains("  needed by 1\n    p11\n"))
    // p40 does not exist: the dependency on it is there all the same.
    #expect(try run("show", "p39", "--store", folder.store).text.contains("p40 (>= 1), not in the catalogue"))
    let missing = try run("show", "nothing", "--store", folder.store)
    #expect(missing.status == 1)
    #expect(missing.errors.contains("There is no package nothing"))
  }

  @Test("An import killed half-way left exactly the acknowledged transactions, and is simply run again")
  func killed() throws {
    let folder = try Folder()
    let index = try folder.index(6000)
    let acknowledged = folder.url.appendingPathComponent("acknowledged").path
    let (process, output, _) = process(["import", "--store", folder.store, "--acknowledge", acknowledged, index])
    try process.run()
    var lines = 0
    while process.isRunning, lines < 2 {
      usleep(1000)
      lines = (try? String(contentsOfFile: acknowledged, encoding: .utf8))?.split(separator: "\n").count ?? 0
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    _ = output
    lines = try String(contentsOfFile: acknowledged, encoding: .utf8).split(separator: "\n").count
    let again = try run("import", "--store", folder.store, index)
    // One more may have been synced when the kill came before its acknowledgement.
    let kept = [lines, lines + 1].map { "\($0 * 1000) as they were; \(6 - $0) transactions\n" }
    #expect(kept.contains { again.text.hasSuffix($0) }, "\(lines) acknowledged, then: \(again.text)\(again.errors)")
    #expect(try run("show", "p5999", "--store", folder.store).text.contains("needed by 1\n    p5998"))
  }

  @Test("A command line that makes no sense exits with 2 and says how it should be")
  func usage() throws {
    for arguments in [["frobnicate"], ["search"], ["search", "a", "--largest", "many"], ["import", "--bogus"], []] {
      let (process, _, _) = process(arguments)
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 2, "\(arguments)")
    }
    let bad = try Folder()
    let none = try run("search", "a", "--store", bad.store)
    #expect(none.status == 1)
    #expect(none.errors.contains("There is no catalogue at"))
  }
}
