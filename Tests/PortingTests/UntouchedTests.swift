import Foundation
import Porting
import Testing

@Suite("What porting must not touch")
struct UntouchedTests {
  /// What would be changed or remarked upon as code, and holds no line break.
  static let constructs: [String] = [
    "@objc(Post) class Post: NSManagedObject {}", "#keyPath(Post.title)", "#selector(NSString.compare(_:))",
    "Post.fetchRequest() as! NSFetchRequest<NSFetchRequestResult>", "import UIKit", "@objcMembers class A: B {}",
    "override init(entity: E, insertInto c: C?) {}", "o.observe(\\.title) {}", "NSPersistentCloudKitContainer()",
  ]

  /// Surroundings that make text of what is put in at the mark.
  static let surroundings: [String] = [
    "// %\n", "/// %\nfunc a() {}", "/* % */", "/* /* */ % */", "/** %\n * % */ let a = 1", "let a = 1 // %\n",
    "let a = \"\"\"\n  %\n  \"\" % \"\"\"", "let a = #\"%\"#", "let a = #\"\"\" \n \"\"\" % \n\"\"\"#",
    "let a = ##\"\"#%\"##",
    "let a = \"\\(b) %\"", "let a = \"%\\(b)%\"", "let a = \"\\(\"%\") %\"", "let a = \"\\(b /* % */)\"",
    "let a = \"\\(b + #\"%\"# + \"%\")\"", "let a = \"\\\" %\"", "let a = #\"\\(%)\"#", "let a = #/\n % \n/#",
    "#if os(iOS)\n%\n#endif", "#if !os(Linux)\n%\n#else\nlet a = 1\n#endif", "#if canImport(UIKit) && DEBUG\n%\n#endif",
    "#if canImport(Foundation)\nlet a = 1\n#else\n%\n#endif",
    "#if os(macOS) || os(iOS)\n%\n#elseif os(Linux)\n#else\n%\n#endif",
    "#if canImport(ObjectiveC)\n#if DEBUG\n%\n#endif\n#endif", "#if false\n%\n#endif",
  ]

  @Test("Strings, comments, regular expressions and what Linux never compiles", arguments: surroundings)
  func surroundedText(surrounding: String) {
    for construct in Self.constructs {
      // A string of one line can't hold a bare backslash; in a raw one it is text.
      let isPlain = surrounding.contains("\"") && !surrounding.contains("#\"")
      let inside = isPlain ? construct.replacingOccurrences(of: "\\", with: "\\\\") : construct
      let text = surrounding.replacingOccurrences(of: "%", with: inside) + "\n#if DEBUG\n@objc(B) class B {}\n#endif\n"
      let file = port(text)
      #expect(file.text == text.replacingOccurrences(of: "@objc(B) class", with: "class"), "\(text)")
      #expect(file.notes.count == 1, "\(text)")
    }
  }

  @Test("Branches that a flag decides are ported")
  func undecidedBranches() {
    let text = "#if DEBUG\n@objc\n#else\n@objc(a)\n#endif\nfunc a() {}\n#if os(Linux)\nlet k = #keyPath(A.b)\n#endif\n"
    #expect(port(text).text == "#if DEBUG\n#else\n#endif\nfunc a() {}\n#if os(Linux)\nlet k = \"b\"\n#endif\n")
  }

  @Test("Broken files are left as they are where they are broken, and end")
  func brokenFiles() {
    let broken = [
      "\"", "\"\"\"", "/*", "#\"", "#/", "`", "\"\\(", "@objc(", "@objc", "#keyPath(", "#selector(A", "#if", "#if (",
      "as! NSFetchRequest<",
      "class", "protocol P", "@", "@@objc", "#", "\u{0}", "@objc(A) \u{0}", "}}}}", "((((", "#else\n#endif\n@objc",
      "init(", "override init(entity",
      String(repeating: "\"\\(", count: 5000), String(repeating: "(", count: 5000),
      String(repeating: "#if !(", count: 300),
    ]
    for text in broken { #expect(port(port(text).text).text == port(text).text, "\(text.prefix(40))") }
  }

  /// More by ANNALS_MUTILATIONS.
  static let mutilations = Int(ProcessInfo.processInfo.environment["ANNALS_MUTILATIONS"] ?? "") ?? 1000

  @Test("Text cut anywhere, or with pieces exchanged, comes out whole but for what is told")
  func mutilatedText() throws {
    var generator = SeededGenerator(seed: 5)
    let pieces =
      Self.constructs + [
        "\"", "\"\"\"", "#", "\\(", ")", "(", "{", "}", "/*", "*/", "//", "\n", "\r\n", "`", "<", ">", "é", " ",
      ]
    for _ in 0..<Self.mutilations {
      let text = (0..<Int.random(in: 1...12, using: &generator)).map { _ in pieces.randomElement(using: &generator)! }
        .joined()
      let file = port(text)
      if file.changes.isEmpty { #expect(file.text == text, "\(text.debugDescription)") }
      let again = port(file.text)
      #expect(again.changes.isEmpty, "\(text.debugDescription)\n\(file.text.debugDescription)")
    }
  }

  static let corpus: URL = {
    if let path = ProcessInfo.processInfo.environment["ANNALS_CORPUS"] { return URL(fileURLWithPath: path) }
    return fixtures.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("shared")
  }()
  static var surface: URL { corpus.appendingPathComponent("surface") }

  @Test("Code that Linux compiles is left alone", .enabled(if: FileManager.default.fileExists(atPath: surface.path)))
  func surfaceIsAtRest() throws {
    let paths = try SourceFiles.find([Self.surface.path])
    #expect(paths.count > 15)
    let files = Porter.port(try paths.map { ($0, try SourceFiles.read($0)) })
    for file in files {
      let changes = file.changes.map(\.description)
      #expect(changes == [])
    }
  }
}
