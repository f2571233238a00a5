import Foundation
import Porting
import Testing

@Suite("Ported code and the porting guide compile", .enabled(if: TypeChecker.isAvailable))
struct CompilingTests {
  private static let checkout = fixtures.deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test("A file as Xcode and its users write it compiles once it is ported, either way", arguments: [false, true])
  func sample(isGuarded: Bool) throws {
    let text = try String(contentsOf: fixtures.appendingPathComponent("Sample.swift.txt"), encoding: .utf8)
    #expect(throws: TypeChecker.Failure.self) { try TypeChecker.check(["Sample.swift": text]) }
    let file = port(text, guarding: isGuarded)
    #expect(file.remarks == [])
    #expect(port(file.text, guarding: isGuarded).notes == [])
    try TypeChecker.check(["Sample.swift": file.text])
  }

  @Test("Every snippet of the porting guide compiles, and is ported already")
  func guide() throws {
    let article = Self.checkout.appendingPathComponent("Sources/Annals/Annals.docc/Articles/PortingCoreDataCode.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    var files: [String: String] = ["Preamble.swift": Self.preamble]
    for (index, part) in text.components(separatedBy: "<!-- compiled -->\n```swift\n").dropFirst().enumerated() {
      let snippet = try #require(part.components(separatedBy: "```").first)
      files["Snippet\(index).swift"] = "import CoreData\n\n\(snippet)"
    }
    #expect(files.count > 8)
    #expect(text.components(separatedBy: "```swift").count == files.count, "a snippet is not marked")
    try TypeChecker.check(files)
    for (name, file) in files { #expect(port(file).notes == [], "\(name)") }
  }

  /// The classes that the guide speaks of.
  private static let preamble = """
    import CoreData

    public class Post: NSManagedObject {
      @nonobjc public class func fetchRequest() -> NSFetchRequest<Post> { NSFetchRequest<Post>(entityName: "Post") }
      @NSManaged public var title: String?
      @NSManaged public var author: Author?
    }

    public class Author: NSManagedObject {
      @NSManaged public var name: String?
    }
    """
}
