import Foundation
import Testing

@Suite("annals model")
struct ModelCommandTests {
  private static let sound = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22522" \
    systemVersion="23D56" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="3">
        <entity name="Book" representedClassName="Book" syncable="YES" codeGenerationType="class">
            <attribute name="pages" attributeType="Integer 32" defaultValueString="0" usesScalarValueType="YES"/>
            <attribute name="title" attributeType="String"/>
            <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Person" \
    inverseName="books" inverseEntity="Person"/>
            <uniquenessConstraints>
                <uniquenessConstraint><constraint value="title"/></uniquenessConstraint>
            </uniquenessConstraints>
        </entity>
        <entity name="Person" representedClassName="Person" syncable="YES" codeGenerationType="class">
            <attribute name="name" optional="YES" attributeType="String"/>
            <relationship name="books" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Book" \
    inverseName="author" inverseEntity="Book"/>
        </entity>
    </model>
    """

  private func write(_ contents: String, in directory: URL) throws -> URL {
    let model = directory.appendingPathComponent("Library.xcdatamodeld")
    let version = model.appendingPathComponent("Library.xcdatamodel")
    try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
    try Data(contents.utf8).write(to: version.appendingPathComponent("contents"))
    return model
  }

  @Test("prints entities with class, attributes, relationships and unique values")
  func text() throws {
    try withTemporaryDirectory { directory in
      let model = try write(Self.sound, in: directory)
      for path in [model.path, model.path + "/Library.xcdatamodel", model.path + "/Library.xcdatamodel/contents"] {
        let result = try Tool.run("model", path)
        #expect(result.status == 0)
        for part in [
          "2 entities, version 3", "Book, class Book", "  pages: integer32, default 0", "  title: string, required",
          "  author: -> Person, inverse books, on delete nullify", "  unique: title",
          "  books: ->> Book, inverse author, on delete cascade",
        ] {
          #expect(result.output.contains(part), "\(part) is missing in\n\(result.output)")
        }
      }
    }
  }

  @Test("--json prints a line for the model and one for each entity")
  func json() throws {
    try withTemporaryDirectory { directory in
      let lines = try Tool.run("model", "--json", write(Self.sound, in: directory).path).objects()
      #expect(lines.map { $0["kind"] as? String } == ["model", "entity", "entity"])
      let book = try #require(lines.first { $0["name"] as? String == "Book" })
      let properties = try #require(book["properties"] as? [[String: Any]])
      let pages = try #require(properties.first { $0["name"] as? String == "pages" })
      #expect(pages["type"] as? String == "integer32")
      #expect(pages["default"] as? Int == 0)
    }
  }

  @Test("an unknown type is an error with file and line, and exit code 1")
  func unknownType() throws {
    try withTemporaryDirectory { directory in
      let broken = Self.sound.replacingOccurrences(of: "Integer 32", with: "Integer 33")
      let model = try write(broken, in: directory)
      let result = try Tool.run("model", model.path)
      #expect(result.status == 1)
      let line = try #require(result.lines.first)
      #expect(line.contains("contents:4: error: "))
      #expect(line.contains("Integer 33"))
      #expect(!result.output.contains("class Book"))
      let fault = try #require(try Tool.run("model", "--json", model.path).objects().first)
      #expect(fault["kind"] as? String == "fault")
      #expect(fault["severity"] as? String == "error")
      #expect(fault["line"] as? Int == 4)
      #expect(fault["entity"] as? String == "Book")
      #expect(fault["property"] as? String == "pages")
    }
  }

  @Test("a missing inverse is a warning, and the model is printed")
  func missingInverse() throws {
    try withTemporaryDirectory { directory in
      let oneWay = Self.sound
        .replacingOccurrences(of: #" inverseName="books" inverseEntity="Person""#, with: "")
        .replacingOccurrences(of: #" inverseName="author" inverseEntity="Book""#, with: "")
      let result = try Tool.run("model", write(oneWay, in: directory).path)
      #expect(result.status == 0)
      #expect(result.lines.contains { $0.contains("warning: ") && $0.contains("author") })
      #expect(result.output.contains("Book, class Book"))
    }
  }

  @Test("what is not XML, and what is not there, is told")
  func notAModel() throws {
    try withTemporaryDirectory { directory in
      let model = try write("this is no XML <", in: directory)
      let result = try Tool.run("model", model.path)
      #expect(result.status == 1)
      #expect(result.output.contains("error: "))
      let missing = try Tool.run("model", directory.path + "/None.xcdatamodeld")
      #expect(missing.status == 3)
      #expect(missing.errors.contains("None.xcdatamodeld: no such file or directory"))
    }
  }
}
