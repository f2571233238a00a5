import Foundation
import ModelCompiler
import Testing

/// The whole of what is generated for one model, in each of Xcode's modes.
@Suite struct SnapshotTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures/Snapshots")

  struct Mode: Sendable, CustomTestStringConvertible {
    let name: String
    let codegen: String
    let source: String?
    var testDescription: String { name }
  }

  static let modes: [Mode] = [
    Mode(name: "ClassDefinition", codegen: " codeGenerationType=\"class\"", source: nil),
    Mode(
      name: "CategoryExtension", codegen: " codeGenerationType=\"category\"",
      source: """
        public class Entry: NSManagedObject {}
        public class Post: Entry {}
        class Author: NSManagedObject {}
        """),
    Mode(
      name: "ManualNone", codegen: "",
      source: """
        public class Entry: NSManagedObject { @NSManaged public var title: String? }
        public class Post: Entry {
          @NSManaged public var author: Author
          @NSManaged public var parts: NSOrderedSet?
          @NSManaged public var whole: Post?
          @NSManaged public var others: [Post]?
          @NSManaged public func insertIntoParts(_ value: Post, at idx: Int)
        }
        public class Author: NSManagedObject {
          @NSManaged public var name: String
          @NSManaged public var stars: NSNumber?
          @NSManaged var born: Date?
          @NSManaged var rank: Int16
          @NSManaged fileprivate var key: UUID
          @NSManaged public var posts: Set<Post>
          @NSManaged public func addToPosts(_ value: Post)
          @NSManaged public func removeFromPosts(_ values: NSSet)
        }
        """),
  ]

  @Test("B068: what is generated in each mode is what was looked at and agreed to", arguments: modes)
  func snapshot(_ mode: Mode) throws {
    let model = try String(contentsOf: Self.folder.appendingPathComponent("Model.xml"), encoding: .utf8)
    let output = try TemporaryTarget.compile(
      entities: model.replacingOccurrences(of: "%mode%", with: mode.codegen), source: mode.source)
    #expect(output.errorTexts == [])
    // The compiled model has snapshots of its own kind: it is read back by tests of its format.
    let registry = output.registry.replacingOccurrences(
      of: "(?s)StaticString = \"\"\"\n.*?\n\"\"\"", with: "StaticString = …", options: .regularExpression
    ).replacingOccurrences(of: "checksum: \"[^\"]*\"", with: "checksum: …", options: .regularExpression)
    let text = output.model + "\n// MARK: - AnnalsGeneratedModels.swift\n\n" + registry
    let file = Self.folder.appendingPathComponent("\(mode.name).txt")
    if ProcessInfo.processInfo.environment["ANNALS_RECORD"] != nil {
      try Data(text.utf8).write(to: file)
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    let (found, wanted) = (text.split(separator: "\n"), expected.split(separator: "\n"))
    for (line, (a, b)) in zip(found, wanted).enumerated() where a != b {
      Issue.record("\(mode.name).txt, line \(line + 1) without empty ones: found \(a), expected \(b)")
      break
    }
    #expect(found.count == wanted.count)
  }
}
