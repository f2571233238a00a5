import Foundation
import Testing

@Suite("annals port")
struct PortCommandTests {
  private static let post = "@objc(Post)\nclass Post: NSManagedObject {\n  let k = #keyPath(Post.title)\n}\n"
  private static let ported = "class Post: NSManagedObject {\n  let k = \"title\"\n}\n"

  private func withSources(_ files: [String: String], _ body: (URL) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      for (name, text) in files { try Data(text.utf8).write(to: directory.appendingPathComponent(name)) }
      try body(directory)
    }
  }

  private func text(_ name: String, _ directory: URL) throws -> String {
    try String(contentsOf: directory.appendingPathComponent(name), encoding: .utf8)
  }

  @Test("changes files, prints each change with its place, and rests the second time")
  func porting() throws {
    try withSources(["Post.swift": Self.post, "Other.swift": "let a = 1\n"]) { directory in
      let result = try Tool.run("port", directory.path)
      #expect(result.status == 0)
      let path = "\(directory.path)/Post.swift"
      #expect(
        result.lines == [
          "\(path):1:1: removed @objc(Post)", "\(path):3:11: #keyPath(Post.title) is now \"title\"",
          "2 changes in 1 of 2 files",
        ])
      #expect(result.errors.contains("--guard"))
      #expect(try text("Post.swift", directory) == Self.ported)
      let again = try Tool.run("port", directory.path)
      #expect(again.status == 0)
      #expect(again.output == "0 changes in 0 of 2 files\n")
    }
  }

  @Test("--dry-run prints a diff that can be applied, and writes nothing")
  func dryRun() throws {
    try withSources(["Post.swift": Self.post]) { directory in
      let result = try Tool.run("port", "--dry-run", directory.path)
      #expect(result.status == 0)
      #expect(result.lines.prefix(3).map { $0.prefix(3) } == ["---", "+++", "@@ "])
      #expect(result.lines.contains("+  let k = \"title\""))
      #expect(try text("Post.swift", directory) == Self.post)
    }
  }

  @Test("what is left to do is printed with its cure, as exit code 1, and as JSON")
  func remarks() throws {
    try withSources(["A.swift": "import UIKit\n@objc(a) func a() {}\n"]) { directory in
      let result = try Tool.run("port", "--json", "--guard", directory.path)
      #expect(result.status == 1)
      let objects = try result.objects()
      #expect(objects.map { $0["kind"] as? String } == ["remark", "change", "ported"])
      #expect((objects[0]["cure"] as? String)?.contains("#if canImport(UIKit)") == true)
      #expect(objects[2]["remarks"] as? Int == 1)
      let expected = "import UIKit\n#if canImport(ObjectiveC)\n@objc(a)\n#endif\nfunc a() {}\n"
      #expect(try text("A.swift", directory) == expected)
      #expect(try Tool.run("port", directory.path).status == 1)
    }
  }

  @Test("a file that can't be read or is not in UTF-8 is exit code 3, and leaves all others as they are")
  func badFiles() throws {
    try withSources(["A.swift": Self.post]) { directory in
      try Data([0xFF, 0xFE, 0x40]).write(to: directory.appendingPathComponent("B.swift"))
      let result = try Tool.run("port", directory.path)
      #expect(result.status == 3)
      #expect(result.errors.contains("B.swift: is not in UTF-8"))
      #expect(try text("A.swift", directory) == Self.post)
      #expect(try Tool.run("port", directory.path + "/none").status == 3)
      #expect(try Tool.run("port").status == 2)
    }
  }
}
