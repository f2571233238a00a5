import Foundation
import Testing

extension Tag {
  @Tag static var slow: Tag
}

/// Builds and runs a package that depends on this checkout, as an app would. The package and its build directory stay
/// in `.build`, so that only what has changed is built again.
@Suite(.serialized, .tags(.slow), .enabled(if: ProcessInfo.processInfo.environment["ANNALS_SKIP_FIXTURES"] == nil))
struct FixtureTests {
  private static let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let package = checkout.appendingPathComponent(".build/fixtures/Combined")
  private static let scratch = checkout.appendingPathComponent(".build/fixtures/build")

  /// Copies the package. Files that have not changed keep their dates.
  private static func install() throws {
    let source = checkout.appendingPathComponent("Tests/ModelCompilerTests/Fixtures/Combined")
    let files = FileManager.default
    try files.createDirectory(at: package, withIntermediateDirectories: true)
    let wanted = Set(try files.subpathsOfDirectory(atPath: source.path))
    for path in try files.subpathsOfDirectory(atPath: package.path).sorted().reversed() where !wanted.contains(path) {
      try files.removeItem(at: package.appendingPathComponent(path))
    }
    for path in wanted.sorted() {
      let (from, to) = (source.appendingPathComponent(path), package.appendingPathComponent(path))
      var isDirectory: ObjCBool = false
      _ = files.fileExists(atPath: from.path, isDirectory: &isDirectory)
      if isDirectory.boolValue {
        try files.createDirectory(at: to, withIntermediateDirectories: true)
      } else if let data = files.contents(atPath: from.path), data != files.contents(atPath: to.path) {
        try data.write(to: to)
      }
    }
  }

  private static func build(_ arguments: [String] = []) throws -> String {
    try Compiler.run(
      "env",
      ["ANNALS_CHECKOUT=\(checkout.path)", "swift", "build", "--scratch-path", scratch.path] + arguments, in: package)
  }

  private static func replace(_ old: String, _ new: String, in path: String) throws {
    let url = package.appendingPathComponent(path)
    let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    try #require(text.contains(old))
    try Data(text.replacingOccurrences(of: old, with: new).utf8).write(to: url)
  }

  private static func generated(_ name: String) throws -> String {
    let output = try Compiler.run("find", [scratch.path, package.path, "-name", name], in: package)
    let path = try #require(output.split(separator: "\n").first)
    return String(decoding: try Data(contentsOf: URL(fileURLWithPath: String(path))), as: UTF8.self)
  }

  @Test("D2, D7, D9: generated, extended and hand-written classes are created, set, related, saved and fetched")
  func combined() throws {
    try Self.install()
    _ = try Self.build(["--product", "Demo"])
    let output = try Compiler.run(Self.scratch.appendingPathComponent("debug/Demo").path, [], in: Self.package)
    #expect(output.split(separator: "\n").map(String.init) == Self.demoOutput)
  }

  @Test(
    "D2: they do the same when they are optimised across modules",
    .enabled(if: ProcessInfo.processInfo.environment["ANNALS_RELEASE_FIXTURES"] != nil))
  func combinedInRelease() throws {
    try Self.install()
    _ = try Self.build(["-c", "release", "--product", "Demo"])
    let output = try Compiler.run(Self.scratch.appendingPathComponent("release/Demo").path, [], in: Self.package)
    #expect(output.split(separator: "\n").map(String.init) == Self.demoOutput)
  }

  private static let demoOutput: [String] = [
    "generated: Moby-Dick, 640 pages, on the hall",
    "generated: 4.5 kept 1099511627776 7 false",
    "generated: /whale 3 9.95",
    "generated: Loomings, The Carpet-Bag, The Spouter-Inn",
    "generated: 1 the hall the hall",
    "category: untitled 2 Ann 2",
    "category: untitled 1 Ann 2",
    "hand-written: [\"red\"]",
    "hand-written: p1 Bo 3",
    "hand-written: e1 blank 1 0.5 bright [\"a\", \"c\"]",
    "hand-written: e2 blank 2 0.5 bright [\"a\", \"c\"]",
    "hand-written: e3 blank 3 0.5 bright [\"a\", \"c\"]",
    "on main: second of second noted a",
    "on main: first of first noted z",
    "five: fern 4 3 2",
    "five: ivy 3 2 1",
    "five: [\"Bed\", \"Plant\", \"Tool\"] 1",
    "kit: [[\"a\"], [\"a\"], []]",
  ]

  @Test("B103: a change of only the inner contents, or of only the current version's marker, makes the code anew")
  func rebuilding() throws {
    try Self.install()
    let model = "Sources/Category/Blog.xcdatamodeld"
    _ = try Self.build(["--target", "Category"])
    #expect(try !Self.generated("AnnalsGenerated_Blog.swift").contains("subtitle"))
    try Self.replace(
      "<attribute name=\"title\"",
      "<attribute name=\"subtitle\" optional=\"YES\" attributeType=\"String\"/><attribute name=\"title\"",
      in: "\(model)/Blog.xcdatamodel/contents")
    _ = try Self.build(["--target", "Category"])
    #expect(try Self.generated("AnnalsGenerated_Blog.swift").contains("var subtitle: String?"))
    try Self.replace("Blog.xcdatamodel", "Blog 2.xcdatamodel", in: "\(model)/.xccurrentversion")
    _ = try Self.build(["--target", "Category"])
    #expect(try Self.generated("AnnalsGenerated_Blog.swift").contains("var pinned: Bool"))
    #expect(try Self.generated("AnnalsGenerated_Blog.swift").contains("version Blog 2"))
  }

  @Test("A property that the model lacks stops the build with the line it stands on")
  func errorsInBuilds() throws {
    try Self.install()
    try Self.replace(
      "@NSManaged public var name: String?", "@NSManaged public var nam: String?",
      in: "Sources/HandWritten/Journal.swift")
    var message = ""
    do { message = try Self.build(["--target", "HandWritten"]) } catch { message = "\(error)" }
    #expect(message.contains("Journal.swift:10:25: error: 'Person.nam' is @NSManaged, but the entity 'Person'"))
    #expect(message.contains("did you mean 'name'?"))
  }
}
