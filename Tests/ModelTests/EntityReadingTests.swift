import Foundation
import Testing

@testable import Model

@Suite("Entities and relationships in model files")
struct EntityReadingTests {
  static let library = """
    <entity name="Book" representedClassName=".Book" codeGenerationType="class" elementID="Volume">
      <attribute name="title" attributeType="String"/>
      <relationship name="pages" toMany="YES" minCount="2" maxCount="9" ordered="YES" deletionRule="Cascade"
        destinationEntity="Page" inverseName="book" inverseEntity="Page"/>
      <fetchedProperty name="others" optional="YES">
        <fetchRequest name="r" entity="Book" predicateString="title == $FETCH_SOURCE.title" fetchLimit="3"/>
      </fetchedProperty>
      <fetchIndex name="byTitle">
        <fetchIndexElement property="title" type="Binary" order="descending"/>
        <fetchIndexElement expression="lowercase:(title)" expressionType="String" type="Binary" order="ascending"/>
      </fetchIndex>
      <compoundIndexes><compoundIndex><index value="title"/></compoundIndex></compoundIndexes>
      <uniquenessConstraints>
        <uniquenessConstraint><constraint value="title"/></uniquenessConstraint>
      </uniquenessConstraints>
      <userInfo><entry key="a" value="b"/></userInfo>
    </entity>
    <entity name="Paper" isAbstract="YES"><attribute name="number" optional="YES" attributeType="Integer 32"/></entity>
    <entity name="Page" parentEntity="Paper">
      <relationship name="book" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Book"
        inverseName="pages" inverseEntity="Book"/>
    </entity>
    <fetchRequest name="all" entity="Book" resultType="2" includeSubentities="NO" returnDistinctResults="YES"/>
    <configuration name="Local" usedWithCloudKit="YES"><memberEntity name="Book"/><memberEntity name="Page"/></configuration>
    <elements><element name="Book" positionX="0" positionY="0" width="1" height="1"/></elements>
    """

  @Test("entities have their class, parent, marks, renaming identifier and user info")
  func entities() throws {
    let reading: ModelReading = try ModelText.read(Self.library)
    #expect(reading.diagnostics.map(\.message).allSatisfy { $0.contains("'lowercase:(title)' is computed") })
    let model: NSManagedObjectModel = reading.model
    let book = try #require(model.entitiesByName["Book"])
    let page = try #require(model.entitiesByName["Page"])
    let paper = try #require(model.entitiesByName["Paper"])
    #expect(book.managedObjectClassName == ".Book")
    #expect(page.managedObjectClassName == "NSManagedObject")
    #expect(book.codeGeneration == .classDefinition && page.codeGeneration == .manual)
    #expect(book.renamingIdentifier == "Volume" && page.renamingIdentifier == "Page")
    #expect(book.userInfo as? [String: String] == ["a": "b"])
    #expect(paper.isAbstract && page.superentity === paper && paper.subentitiesByName["Page"] === page)
    #expect(page.isKindOf(entity: paper) && !paper.isKindOf(entity: page))
    #expect(page.managedObjectModel === model)
    #expect(page.properties.map { $0.name } == ["number", "book"])
    #expect(page.attributesByName["number"]?.entity === paper)
  }

  @Test("relationships lead to each other and have counts, order and rule")
  func relationships() throws {
    let model: NSManagedObjectModel = try ModelText.read(Self.library).model
    let pages = try #require(model.entitiesByName["Book"]?.relationshipsByName["pages"])
    let book = try #require(model.entitiesByName["Page"]?.relationshipsByName["book"])
    #expect(pages.inverseRelationship === book && book.inverseRelationship === pages)
    #expect(pages.destinationEntity === model.entitiesByName["Page"])
    #expect(pages.isToMany && pages.isOrdered && pages.minCount == 2 && pages.maxCount == 9)
    #expect(pages.deleteRule == .cascadeDeleteRule && book.deleteRule == .nullifyDeleteRule)
    #expect(!book.isToMany && book.maxCount == 1)
    let paper = try #require(model.entitiesByName["Page"])
    #expect(model.entitiesByName["Book"]?.relationships(forDestination: paper).map { $0.name } == ["pages"])
  }

  @Test("requests, configurations, constraints and indexes are kept")
  func theRest() throws {
    let model: NSManagedObjectModel = try ModelText.read(Self.library).model
    let template = try #require(model.templates["all"])
    #expect(template.entityName == "Book" && template.resultType == 2)
    #expect(!template.includesSubentities && template.returnsDistinctResults && template.includesPendingChanges)
    #expect(model.configurations == ["Local"])
    #expect(model.entities(forConfigurationName: "Local")?.compactMap { $0.name } == ["Book", "Page"])
    #expect(model.entities(forConfigurationName: "Other") == nil)
    #expect(model.entities(forConfigurationName: nil)?.count == 3)
    let book = try #require(model.entitiesByName["Book"])
    #expect(book.uniquenessConstraints as? [[String]] == [["title"]])
    #expect(book.indexes.map { $0.name } == ["byTitle"])
    #expect(book.indexes[0].elements[0].property === book.attributesByName["title"])
    #expect(!book.indexes[0].elements[0].isAscending)
    #expect(book.indexes[0].elements[1].property is NSExpressionDescription)
    let fetched = book.propertiesByName["others"] as? NSFetchedPropertyDescription
    #expect(fetched?.template?.fetchLimit == 3)
    #expect(fetched?.template?.predicateFormat == "title == $FETCH_SOURCE.title")
  }

  @Test("what was written is read back equal, with all its parts")
  func roundTrip() throws {
    let model: NSManagedObjectModel = try ModelText.read(Self.library).model
    let text: String = ModelWriter.xml(of: model)
    let again: NSManagedObjectModel = try ModelReader.read(Data(text.utf8)).model
    #expect(again == model)
    #expect(ModelWriter.xml(of: again) == text)
    #expect(text.contains("usedWithCloudKit=\"YES\"") && text.contains("fetchLimit=\"3\""))
  }

  @Test("text of any kind goes round")
  func strangeText() throws {
    let strange = "<a & \"b\"> 'c'\t\n\r é 🦊"
    let model: NSManagedObjectModel = try ModelText.read(
      ModelText.note(
        "<attribute name=\"a\" attributeType=\"String\" defaultValueString=\"\(XMLText.escape(strange))\"/>")
    ).model
    #expect(model.entities[0].attributesByName["a"]?.defaultValue as? String == strange)
    let again: NSManagedObjectModel = try ModelReader.read(Data(ModelWriter.xml(of: model).utf8)).model
    #expect(again.entities[0].attributesByName["a"]?.defaultValue as? String == strange)
  }
}
