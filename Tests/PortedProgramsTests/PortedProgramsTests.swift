import Foundation
import Testing

/// Programs in the style of public samples, kept as they were written for Apple's platforms: built with this package,
/// unchanged, and run as their users would.
@Suite("Ported programs")
struct PortedProgramsTests {
  /// The build directory: the one that the test bundle, which this process has mapped, lies in.
  private static let build: URL? = {
    let maps: String = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
    for line in maps.split(separator: "\n") where line.hasSuffix(".xctest") {
      guard let start = line.firstIndex(of: "/") else { continue }
      return URL(fileURLWithPath: String(line[start...])).deletingLastPathComponent()
    }
    return nil
  }()

  /// Runs a program with a data directory of its own and returns the lines that it prints.
  private func run(_ program: String) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ported-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = Process()
    process.executableURL = try #require(Self.build).appendingPathComponent(program)
    process.environment = ProcessInfo.processInfo.environment.merging(["XDG_DATA_HOME": folder.path]) { _, own in own }
    process.currentDirectoryURL = folder
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data: Data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map { String($0) }
  }

  @Test("A stack class with background tasks, editing in a child context, and a list that follows")
  func stack() throws {
    // Two saves in a row may reach the list as one change or as two.
    let twice = "begin, reload row 1.1, end, begin, reload row 1.1, end"
    let lines = try run("BlogApp").map { $0.replacingOccurrences(of: twice, with: "begin, reload row 1.1, end") }
    #expect(
      lines == [
        "log: begin, insert section Ann, insert section Bob, insert row 0.0, insert row 0.1, insert row 1.0, end",
        "[A] Ann", "  Ann's post 1 (0)", "  Ann's post 2 (0)", "[B] Bob", "  Bob's post 1 (0)",
        "refused: title of Post", "parent has changes: true",
        "log: begin, insert row 1.1, end",
        "[A] Ann", "  Ann's post 1 (0)", "  Ann's post 2 (0)", "[B] Bob", "  Bob's post 1 (0)",
        "  Bob's second post (0)",
        "likes: 10, saves: 2",
        "log: begin, reload row 1.1, end",
        "[A] Ann", "  Ann's post 1 (0)", "  Ann's post 2 (0)", "[B] Bob", "  Bob's post 1 (0)",
        "  Bob's second post (10)",
        "log: begin, delete section Ann, delete row 0.0, delete row 0.1, end",
        "[B] Bob", "  Bob's post 1 (0)", "  Bob's second post (10)",
        "posts left: 2",
      ])
  }

  @Test("A batch importer that upserts a feed and follows its own history")
  func importer() throws {
    #expect(
      try run("FeedImport") == [
        "  importQuakes: 3 changes []",
        "imported: 3", "  a 1.5 Near here", "  b 6.25 Far away", "  d 4.0 At sea",
        "starred: 2",
        "before history: 4", "  a 1.5 Near here", "  b 6.5 Far away, revised *", "  d 4.0 AT SEA *",
        "  e 2.0 Under the hill",
        "  star: 2 changes []", "  importQuakes: 2 changes []",
        "after history: 4", "  a 1.5 Near here", "  b 6.5 Far away, revised *", "  d 4.0 AT SEA *",
        "  e 2.0 Under the hill",
        "  deleteQuakes: 2 changes [\"a\", \"e\"]",
        "deleted: 2", "  b 6.5 Far away, revised *", "  d 4.0 AT SEA *",
        "no more history", "wrong data format", "remote changes: true",
      ])
  }

  @Test("A document with undo: commands with names, through saves, to the empty page and back")
  func document() throws {
    #expect(
      try run("NotebookApp") == [
        "saved", "  Shopping: [ ] Milk, [ ] Bread, [ ] Tea", "  Undo Add Page | -",
        "checked and moved (edited)", "  Shopping: [ ] Bread, [ ] Tea, [x] Milk", "  Undo Move Line | -",
        "all deleted (edited)", "  Undo Delete Page | -",
        "two undone (edited)", "  Shopping: [ ] Bread, [ ] Tea, [x] Milk", "  Undo Move Line | Redo Delete Line",
        "one redone (edited)", "  Shopping: [ ] Tea, [x] Milk", "  Undo Delete Line | Redo Delete Page",
        "saved again", "  Shopping: [ ] Tea, [x] Milk", "  Undo Delete Line | Redo Delete Page",
        "everything undone (edited)", "  - | Redo Add Page",
        "first step again", "  Shopping: [ ] Milk, [ ] Bread, [ ] Tea", "  Undo Add Page | Redo Check Off",
        "reverted", "  Shopping: [ ] Milk, [ ] Bread, [ ] Tea", "  - | -",
        "gone: true",
        "reopened", "  Shopping: [ ] Milk, [ ] Bread, [ ] Tea", "  - | -",
      ])
  }
}
