import Foundation
import Testing

@testable import Model

/// What model files can say, name by name.
@Suite("The vocabulary of model files")
struct VocabularyTests {
  /// An attribute of an element, with two values that mean different things.
  struct Word: Sendable, CustomTestStringConvertible {
    let element: String
    let attribute: String
    let values: (String, String)
    /// What the element has besides.
    var others = ""
    var testDescription: String { "\(element).\(attribute)" }

    init(_ name: String, _ first: String, _ second: String, _ others: String = "") {
      let parts = name.split(separator: ".").map(String.init)
      (element, attribute, values, self.others) = (parts[0], parts[1], (first, second), others)
    }
  }

  /// Everything that a model keeps.
  static let words: [Word] = [
    Word("model.userDefinedModelVersionIdentifier", "1", "2"),
    Word("entity.name", "A", "B"), Word("entity.representedClassName", "A", "B"),
    Word("entity.isAbstract", "YES", "NO"),
    Word("entity.parentEntity", "Other", "Third"), Word("entity.codeGenerationType", "class", "category"),
    Word("entity.elementID", "x", "y"), Word("entity.renamingIdentifier", "x", "y"),
    Word("entity.versionHashModifier", "x", "y"),
    Word("attribute.name", "a", "b"), Word("attribute.attributeType", "String", "Date"),
    Word("attribute.optional", "YES", "NO"), Word("attribute.defaultValueString", "x", "y"),
    Word("attribute.usesScalarValueType", "YES", "NO", "attributeType='Integer 16'"),
    Word("attribute.valueTransformerName", "x", "y", "attributeType='Transformable'"),
    Word("attribute.customClassName", "A", "B", "attributeType='Transformable'"),
    Word("attribute.transient", "YES", "NO"), Word("attribute.indexed", "YES", "NO"),
    Word("attribute.allowsExternalBinaryDataStorage", "YES", "NO", "attributeType='Binary'"),
    Word("attribute.versionHashModifier", "x", "y"), Word("attribute.elementID", "x", "y"),
    Word("attribute.renamingIdentifier", "x", "y"), Word("attribute.minValueString", "1", "2"),
    Word("attribute.maxValueString", "1", "2"), Word("attribute.regularExpressionString", "x", "y"),
    Word("attribute.defaultDateTimeInterval", "1", "2", "attributeType='Date'"),
    Word("attribute.minDateTimeInterval", "1", "2", "attributeType='Date'"),
    Word("attribute.maxDateTimeInterval", "1", "2", "attributeType='Date'"),
    Word("attribute.derived", "YES", "NO", "derivationExpression='now()' attributeType='Date'"),
    Word("attribute.derivationExpression", "uppercase:(s)", "lowercase:(s)", "derived='YES'"),
    Word("attribute.composite", "Place", "Way", "attributeType='Composite'"),
    Word("attribute.spotlightIndexingEnabled", "YES", "NO"), Word("attribute.preserveAfterDeletion", "YES", "NO"),
    Word("attribute.storedInTruthFile", "YES", "NO"),
    Word("relationship.name", "u", "v"), Word("relationship.deletionRule", "Cascade", "Deny"),
    Word("relationship.destinationEntity", "Other", "Third"), Word("relationship.optional", "YES", "NO"),
    Word("relationship.inverseName", "back", "forth"),
    Word("relationship.inverseEntity", "Other", "Elsewhere", "inverseName='back'"),
    Word("relationship.toMany", "YES", "NO"), Word("relationship.maxCount", "1", "2"),
    Word("relationship.minCount", "1", "2", "toMany='YES'"), Word("relationship.ordered", "YES", "NO", "toMany='YES'"),
    Word("relationship.transient", "YES", "NO"), Word("relationship.indexed", "YES", "NO"),
    Word("relationship.elementID", "x", "y"),
    Word("fetchedProperty.name", "u", "v"), Word("fetchedProperty.optional", "YES", "NO"),
    Word("fetchRequest.name", "a", "b"), Word("fetchRequest.entity", "Other", "Third"),
    Word("fetchRequest.predicateString", "s == 'x'", "s == 'y'"), Word("fetchRequest.resultType", "1", "2"),
    Word("fetchRequest.includeSubentities", "YES", "NO"), Word("fetchRequest.includePropertyValues", "YES", "NO"),
    Word("fetchRequest.includesPendingChanges", "YES", "NO"), Word("fetchRequest.returnObjectsAsFaults", "YES", "NO"),
    Word("fetchRequest.returnDistinctResults", "YES", "NO"),
    Word("fetchIndex.name", "a", "b"), Word("fetchIndexElement.property", "s", "n"),
    Word("fetchIndexElement.type", "Binary", "RTree"), Word("fetchIndexElement.order", "ascending", "descending"),
    Word("index.value", "s", "n"), Word("constraint.value", "s", "n"), Word("composite.name", "Place", "Yard"),
    Word("configuration.name", "a", "b"), Word("configuration.usedWithCloudKit", "YES", "NO"),
    Word("memberEntity.name", "Other", "Third"), Word("entry.key", "a", "b"), Word("entry.value", "a", "b"),
  ]

  /// What means nothing to a program: tools' versions, places in the editor's diagram, and marks of other frameworks.
  static let editors: Set<String> = [
    "model.type", "model.documentVersion", "model.lastSavedToolsVersion", "model.systemVersion",
    "model.minimumToolsVersion", "model.sourceLanguage", "model.macOSVersion", "model.iOSVersion", "model.name",
    "model.usedWithCloudKit", "model.usedWithSwiftData", "element.name", "element.positionX", "element.positionY",
    "element.width", "element.height",
    "entity.syncable", "attribute.syncable", "relationship.syncable", "fetchedProperty.syncable",
  ]

  /// A model with every element, one attribute of which has a value.
  private func text(_ word: Word, _ value: String) -> String {
    func tag(_ element: String, _ defaults: String, children: String = "") -> String {
      var words: [String] = [defaults]
      if element == word.element {
        let given = word.others + " \(word.attribute)='\(value.replacingOccurrences(of: "'", with: "&apos;"))'"
        let names = given.split(separator: "'").enumerated().filter { $0.offset % 2 == 0 }
          .map { $0.element.trimmingCharacters(in: CharacterSet(charactersIn: " =")) }
        let kept = defaults.split(separator: "' ").map { $0.hasSuffix("'") ? String($0) : $0 + "'" }
          .filter { piece in !names.contains { piece.hasPrefix($0 + "=") } }
        words = kept + [given]
      }
      return "<\(element) \(words.joined(separator: " "))>\(children)</\(element)>"
    }
    let entry = tag("entry", "key='k' value='v'")
    let request = tag("fetchRequest", "name='r' entity='Other'")
    let entity = tag(
      "entity", "name='E'",
      children: tag(
        "attribute", "name='a' optional='YES' attributeType='String'", children: "<userInfo>\(entry)</userInfo>")
        + "<attribute name='s' optional='YES' attributeType='String'/><attribute name='n' optional='YES' attributeType='Integer 16'/>"
        + tag("relationship", "name='r' optional='YES' destinationEntity='Other'")
        + tag("fetchedProperty", "name='f'", children: request)
        + tag(
          "fetchIndex", "name='i'", children: tag("fetchIndexElement", "property='s' type='Binary' order='ascending'"))
        + "<compoundIndexes><compoundIndex>\(tag("index", "value='s'"))</compoundIndex></compoundIndexes>"
        + "<uniquenessConstraints><uniquenessConstraint>\(tag("constraint", "value='s'"))</uniquenessConstraint></uniquenessConstraints>"
    )
    let name = word.element == "entity" && word.attribute == "name" ? value : "E"
    let inverse = word.attribute == "inverseName" ? value : (word.attribute == "inverseEntity" ? "back" : nil)
    let others = ["Other", "Third"].map { entity in
      let relationships = ["back", "forth"].map { (back: String) in
        "<relationship name='\(back)' optional='YES' destinationEntity='\(name)'"
          + (back == inverse && entity == "Other" ? " inverseName='r'/>" : "/>")
      }
      return "<entity name='\(entity)'>\(relationships.joined())</entity>"
    }.joined()
    let part = "<attribute name='p' optional='YES' attributeType='String'/>"
    return tag(
      "model", "type='com.apple.IDECoreDataModeler.DataModel' documentVersion='1.0'",
      children: entity + others + tag("composite", "name='Place'", children: part) + "<composite name='Way'/>" + request
        + tag("configuration", "name='c'", children: tag("memberEntity", "name='Other'")))
  }

  @Test("every attribute is read for what it means, and written back", arguments: words)
  func meaning(_ word: Word) throws {
    func read(_ value: String) throws -> String {
      let reading = try ModelReader.read(Data(text(word, value).utf8), file: "contents")
      let unknown = reading.diagnostics.filter { $0.message.contains("unknown") }
      #expect(unknown.isEmpty, "\(unknown)")
      let written = ModelWriter.xml(of: reading.model)
      let again = try ModelReader.read(Data(written.utf8), file: "contents").model
      #expect(ModelWriter.xml(of: again) == written)
      return written
    }
    #expect(try read(word.values.0) != read(word.values.1))
  }

  @Test("every name that occurs in real models is one of these", .enabled(if: Corpus.isPresent))
  func everyName() throws {
    let table = try #require(Corpus.directory).appendingPathComponent("xml-vocabulary.tsv")
    let known = Self.editors.union(Self.words.map(\.testDescription))
    let lines = try String(contentsOf: table, encoding: .utf8).split(separator: "\n").dropFirst()
    #expect(lines.count > 90)
    for line in lines {
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      let element = try #require(ModelVocabulary.elements[String(columns[0])], "\(line)")
      if columns[1].isEmpty { continue }
      #expect(element.attributes.contains(String(columns[1])), "\(line)")
      #expect(known.contains("\(columns[0]).\(columns[1])"), "\(line)")
    }
  }
}
