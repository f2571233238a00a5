import Foundation
import Testing

@Suite("annals generate")
struct GenerateCommandTests {
  private static let model = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
        <entity name="Book" representedClassName="Book" codeGenerationType="class">
            <attribute name="title" optional="YES" attributeType="String"/>
        </entity>
        <entity name="Shelf" representedClassName=".Shelf">
            <attribute name="label" optional="YES" attributeType="String"/>
        </entity>
    </model>
    """

  private func withModel(_ contents: String = model, _ body: (_ model: String, _ directory: URL) throws -> Void) throws
  {
    try withTemporaryDirectory { directory in
      let target = directory.appendingPathComponent("My-App")
      let version = target.appendingPathComponent("Library.xcdatamodeld/Library.xcdatamodel")
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      try Data(contents.utf8).write(to: version.appendingPathComponent("contents"))
      try body(target.path + "/Library.xcdatamodeld", directory)
    }
  }

  @Test("writes what the plugin writes, says what it made and what it left, and rests the second time")
  func generating() throws {
    try withModel { model, directory in
      let output = directory.path + "/Generated"
      let source = directory.path + "/Shelf.swift"
      let shelf = "import CoreData\nclass Shelf: NSManagedObject { @NSManaged var label: String? }\n"
      try Data(shelf.utf8).write(to: URL(fileURLWithPath: source))
      let result = try Tool.run("generate", model, "--output", output, "--source", source)
      #expect(result.status == 0, "\(result.output)\(result.errors)")
      #expect(result.lines.first?.hasPrefix("My_App: Library") == true)
      #expect(
        result.lines.dropFirst() == [
          "\(output)/AnnalsGeneratedModels.swift: written", "\(output)/AnnalsGenerated_Library.swift: written",
        ])
      let file = output + "/AnnalsGenerated_Library.swift"
      let text = try String(contentsOfFile: file, encoding: .utf8)
      #expect(text.contains("class Book"))
      #expect(text.contains("5ShelfC5label"))
      try Data().write(to: URL(fileURLWithPath: output + "/AnnalsGenerated_Old.swift"))
      let again = try Tool.run("generate", model, "-o", output, "--source", source, "--json")
      let object = try #require(try again.objects().last)
      #expect(object["written"] as? [String] == [])
      #expect(object["unchanged"] as? [String] == ["AnnalsGeneratedModels.swift", "AnnalsGenerated_Library.swift"])
      #expect(object["others"] as? [String] == ["AnnalsGenerated_Old.swift"])
    }
  }

  @Test("errors of the model are printed with their place, and nothing is written")
  func badModel() throws {
    let bad = Self.model.replacingOccurrences(of: "attributeType=\"String\"", with: "attributeType=\"Strung\"")
    try withModel(bad) { model, directory in
      let result = try Tool.run("generate", model, "--output", directory.path + "/Generated")
      #expect(result.status == 1)
      #expect(result.output.contains("contents:4:"))
      #expect(!FileManager.default.fileExists(atPath: directory.path + "/Generated"))
    }
  }

  @Test("what is missing is told")
  func badCommandLines() throws {
    try withModel { model, directory in
      #expect(try Tool.run("generate").errors.contains("MODEL is missing"))
      #expect(try Tool.run("generate", model).errors.contains("--output DIR is missing"))
      let odd = try Tool.run("generate", model, "-o", directory.path, "--module", "1st")
      #expect(odd.status == 2)
      #expect(try Tool.run("generate", model + "x", "-o", directory.path).status == 3)
    }
  }
}
