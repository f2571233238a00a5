import Foundation
import Testing

@testable import Model

@Suite("Printing models")
struct PrinterTests {
  @Test("the text form shows entities with their properties, constraints and indexes")
  func text() throws {
    let model: NSManagedObjectModel = try ModelText.read(EntityReadingTests.library).model
    let expected = """
      model: 3 entities, checksum \(model.versionChecksum)

      entity Book (class .Book, generates class, was Volume)
        others  fetches Book, where title == $FETCH_SOURCE.title, optional
        pages   → Page.book, to many, ordered, at least 2, at most 9, on delete cascade, required
        title   String, required
        unique: title
        index byTitle: title descending, lowercase:(title)

      entity Page (inherits Paper)
        book  → Book.pages, to one, on delete nullify, optional

      entity Paper (abstract)
        number  Integer 32, optional

      fetch request all: Book

      configuration Local: Book, Page

      """
    #expect(ModelPrinter.text(of: model) == expected)
  }

  @Test("the JSON form is one object a line, each with schema and kind")
  func json() throws {
    let model: NSManagedObjectModel = try ModelText.read(EntityReadingTests.library).model
    var kinds: [String] = []
    for line in ModelPrinter.jsonLines(of: model).split(separator: "\n") {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(object["schema"] as? Int == 1)
      kinds.append(object["kind"] as? String ?? "")
    }
    #expect(
      kinds == [
        "model", "entity", "fetchedProperty", "relationship", "attribute", "fetchIndex", "entity", "relationship",
        "entity", "attribute", "fetchRequest", "configuration",
      ])
  }

  @Test("diagnostics are printed as compilers write them, and as JSON")
  func diagnostics() throws {
    let found = [
      ModelDiagnostic(.error, "it is \"wrong\"", file: "a/contents", line: 7, entity: "Note", property: "size")
    ]
    #expect(ModelPrinter.text(of: found) == "a/contents:7: error: Note.size: it is \"wrong\"\n")
    #expect(
      ModelPrinter.jsonLines(of: found)
        == #"{"schema":1,"kind":"diagnostic","severity":"error","file":"a/contents","line":7,"entity":"Note","#
        + #""property":"size","message":"it is \"wrong\""}"# + "\n")
  }
}
