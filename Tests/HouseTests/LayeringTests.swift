import Foundation
import Testing

/// Imports point one way: what each target of Sources may import of the others. Read from the sources themselves, so
/// that an arrow pointing up fails here, whatever the manifest allows.
@Suite("Layering")
struct LayeringTests {
  static let allowed: [String: Set<String>] = [
    "Bytes": ["CLZ4", "CXXHash"],
    "FileSystem": [],
    "SimulatedDisk": ["FileSystem"],
    "LogStore": ["Bytes", "FileSystem"],
    "Schema": [],
    "Predicates": ["Schema"],
    "Model": ["Schema", "Predicates"],
    "StoreContract": ["Schema", "Predicates"],
    "RecordStore": ["StoreContract", "Schema", "Predicates", "LogStore", "Bytes", "FileSystem"],
    "ObjectGraph": ["Model", "Predicates", "Schema", "StoreContract"],
    "Annals": ["ObjectGraph", "Model", "Predicates", "RecordStore", "FileSystem", "StoreContract", "Schema"],
    "CoreData": ["Annals"],
    "ModelCompiler": ["Model", "Schema", "Predicates"],
    "model-compiler": ["ModelCompiler", "Model"],
    "Porting": ["ModelCompiler"],
    "ModelPlugin": [],
    "annals-tool": [
      "RecordStore", "LogStore", "Bytes", "Model", "Schema", "StoreContract", "FileSystem", "Predicates",
      "ModelCompiler", "Porting",
    ],
    "CatalogueInput": ["Bytes"],
    "catalogue": ["Annals", "CatalogueInput"],
    "quick-start": ["Annals"],
    "RowStore": ["RecordStore", "StoreContract", "Schema", "Predicates", "FileSystem"],
    "shelf": ["RowStore"],
    "journal": ["LogStore", "FileSystem"],
    "crash-campaign": ["LogStore", "RecordStore", "SimulatedDisk", "FileSystem", "CrashWorkload"],
    "CrashWorkload": ["LogStore", "SimulatedDisk", "FileSystem", "Bytes"],
  ]

  /// Modules that are not ours.
  static let outside: Set<String> = [
    "Foundation", "FoundationEssentials", "FoundationXML", "Dispatch", "Glibc", "Musl", "Darwin", "Synchronization",
    "PackagePlugin",
  ]

  static let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func swiftFiles(in folder: String) -> [URL] {
    let root = checkout.appendingPathComponent(folder)
    guard let found = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil) else { return [] }
    return found.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
  }

  static func imports(of text: String) -> [String] {
    text.split(separator: "\n").compactMap { line -> String? in
      let words = line.split(separator: " ")
      guard let at = words.firstIndex(of: "import"), words[..<at].allSatisfy({ isImportModifier($0) }) else {
        return nil
      }
      let kinds: Set<Substring> = ["struct", "class", "enum", "func", "protocol", "typealias", "let", "var"]
      guard let name = words[(at + 1)...].first(where: { !kinds.contains($0) }) else { return nil }
      return String(name.prefix { $0 != "." })
    }
  }

  private static func isImportModifier(_ word: Substring) -> Bool {
    word.hasPrefix("@") || ["public", "package", "internal", "fileprivate", "private"].contains(word)
  }

  @Test("Every import of every target points down")
  func importsPointDown() throws {
    let sources = Self.swiftFiles(in: "Sources")
    #expect(sources.count > 50)
    let targets = Set(Self.allowed.keys).union(["CLZ4", "CXXHash"])
    for file in sources {
      let parts = file.pathComponents
      let target = try #require(parts.lastIndex(of: "Sources").map { parts[$0 + 1] })
      let allowed = try #require(Self.allowed[target], "\(target) is not in the table of layers")
      for name in Self.imports(of: try String(contentsOf: file, encoding: .utf8)) {
        if Self.outside.contains(name) { continue }
        #expect(targets.contains(name), "\(file.lastPathComponent) imports \(name), which the table does not know")
        #expect(allowed.contains(name), "\(target)/\(file.lastPathComponent) may not import \(name)")
      }
    }
  }

  @Test("The table itself has no way back up")
  func tableIsAcyclic() {
    func reaches(_ from: String, _ to: String, _ depth: Int = 0) -> Bool {
      depth < 30 && (Self.allowed[from] ?? []).contains { $0 == to || reaches($0, to, depth + 1) }
    }
    for target in Self.allowed.keys { #expect(!reaches(target, target), "\(target) reaches itself") }
  }

  @Test("The reader of imports sees modifiers and kinds, and no comments")
  func importReading() {
    let text = "public import A\n@_exported public import B\nimport struct C.D\n// import E\nlet x = \"import F\"\n"
    #expect(Self.imports(of: text) == ["A", "B", "C"])
  }
}
