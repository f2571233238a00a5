import Foundation
import Predicates
import Schema
import Testing

@testable import Model

@Suite("Models built in code")
struct ProgrammaticModelTests {
  static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    return attribute
  }

  static func relationship(_ name: String, to entity: NSEntityDescription, maxCount: Int) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = entity
    relationship.maxCount = maxCount
    return relationship
  }

  static func entity(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = properties
    return entity
  }

  /// Author and article, one to many, as apps write it.
  static func blog() -> NSManagedObjectModel {
    let author = entity("Author", [attribute("name", .stringAttributeType)])
    let article = entity(
      "Article", [attribute("title", .stringAttributeType), attribute("reads", .integer64AttributeType)])
    let articles = relationship("articles", to: article, maxCount: 0)
    let written = relationship("author", to: author, maxCount: 1)
    articles.inverseRelationship = written
    articles.deleteRule = .cascadeDeleteRule
    written.inverseRelationship = articles
    author.properties.append(articles)
    article.properties.append(written)
    article.uniquenessConstraints = [["title"]]
    let model = NSManagedObjectModel()
    model.entities = [author, article]
    return model
  }

  @Test("a model built in code freezes like one from a file")
  func freezes() throws {
    let model: NSManagedObjectModel = Self.blog()
    let schema: Schema = try model.schema()
    #expect(schema.entities.map { $0.name } == ["Article", "Author"])
    #expect(schema.entities[0].properties.map { $0.name } == ["author", "reads", "title"])
    #expect(schema.entities[0].properties[0].relationship?.inverse == 0)
    #expect(schema.entities[0].constraints == [[2]])
    #expect(model.entitiesByName["Article"]?.managedObjectModel === model)
  }

  @Test("defaults are those of Core Data: optional, to-many without bound, nullify, ascending")
  func defaults() {
    let relationship = NSRelationshipDescription()
    #expect(relationship.isOptional && relationship.isToMany && relationship.maxCount == 0)
    #expect(relationship.deleteRule == .nullifyDeleteRule && !relationship.isOrdered)
    let attribute = NSAttributeDescription()
    #expect(attribute.attributeType == .undefinedAttributeType && attribute.type == .undefined)
    #expect(NSEntityDescription().managedObjectClassName == "NSManagedObject")
    let element = NSFetchIndexElementDescription(property: attribute, collationType: .binary)
    #expect(element.isAscending && element.collationType == .binary)
  }

  @Test("sub-entities set their parent, and lose it again")
  func inheritance() {
    let parent = Self.entity("P", [Self.attribute("a", .stringAttributeType)])
    let child = Self.entity("C", [Self.attribute("b", .stringAttributeType)])
    parent.subentities = [child]
    #expect(child.superentity === parent)
    #expect(child.properties.map { $0.name } == ["a", "b"])
    child.properties.append(Self.attribute("c", .dateAttributeType))
    #expect(child.ownProperties.map { $0.name } == ["b", "c"])
    #expect(parent.properties.map { $0.name } == ["a"])
    parent.subentities = []
    #expect(child.superentity == nil && child.properties.map { $0.name } == ["b", "c"])
  }

  @Test("numbers of every Swift type are defaults of every number attribute")
  func numberDefaults() throws {
    let values: [Any] = [
      Int(1), Int16(1), Int64(1), UInt8(1), true, NSNumber(value: 1), Double(1), Float(1), Decimal(1),
    ]
    for value in values {
      for type: NSAttributeType in [.integer16AttributeType, .doubleAttributeType, .booleanAttributeType] {
        let attribute = Self.attribute("n", type)
        attribute.defaultValue = value
        let model = NSManagedObjectModel()
        let entity = Self.entity("E", [attribute])
        model.entities = [entity]
        let lowered: Value? = try model.schema().entities[0].properties[0].attribute?.defaultValue
        let expected: Value =
          type == .integer16AttributeType ? .int(1) : type == .doubleAttributeType ? .double(1) : .bool(true)
        #expect(lowered == expected, "\(Swift.type(of: value)) as \(type)")
      }
    }
  }

  @Test("a parent that is its own descendant is reported, not followed for ever")
  func circle() {
    let a = Self.entity("A", [])
    let b = Self.entity("B", [])
    a.subentities = [b]
    b.subentities = [a]
    let model = NSManagedObjectModel()
    model.entities = [a, b]
    let error: ModelError? = #expect(throws: ModelError.self) { try model.schema() }
    #expect(
      error?.diagnostics.map { $0.message } == ["the entity is its own ancestor", "the entity is its own ancestor"])
    #expect(a.properties.isEmpty && a.isKindOf(entity: b))
    b.subentities = []
  }

  @Test("entities outside the model are reported by name")
  func strangers() throws {
    let model: NSManagedObjectModel = Self.blog()
    let author = try #require(model.entitiesByName["Author"])
    let article = try #require(model.entitiesByName["Article"])
    model.entities = [article]
    let error: ModelError? = #expect(throws: ModelError.self) { try model.schema() }
    #expect(error?.description.contains("its destination entity 'Author' is not among the model's entities") == true)
    #expect(author.name == "Author")
  }

  @Test("a model lets go of everything when it is released")
  func noCycles() {
    weak var model: NSManagedObjectModel?
    weak var entity: NSEntityDescription?
    weak var property: NSPropertyDescription?
    do {
      let blog: NSManagedObjectModel = Self.blog()
      _ = try? blog.schema()
      model = blog
      entity = blog.entities[0]
      property = blog.entities[0].properties[0]
      #expect(property?.entity === entity)
    }
    #expect(model == nil && entity == nil && property == nil)
  }

  @Test("copies of entities and properties stand alone")
  func copies() throws {
    let model: NSManagedObjectModel = Self.blog()
    let article = try #require(model.entitiesByName["Article"])
    let copy = try #require(article.copy() as? NSEntityDescription)
    #expect(copy.name == "Article" && copy.model == nil && copy !== article)
    #expect(copy.properties.map { $0.name } == ["title", "reads", "author"])
    #expect(copy.relationshipsByName["author"]?.destinationEntity === model.entitiesByName["Author"])
    let title = try #require(article.attributesByName["title"]?.copy() as? NSAttributeDescription)
    #expect(title.attributeType == .stringAttributeType && title.owner == nil)
  }

  @Test("constraints may name descriptions instead of names")
  func constraintByDescription() throws {
    let model: NSManagedObjectModel = Self.blog()
    let article = try #require(model.entitiesByName["Article"])
    article.uniquenessConstraints = [[try #require(article.attributesByName["reads"]), "title"]]
    #expect(try model.schema().entities[0].constraints == [[1, 2]])
  }

  @Test("predicates and expressions given in code are written to a file and read back")
  func writtenPredicates() throws {
    let model: NSManagedObjectModel = Self.blog()
    let article = try #require(model.entitiesByName["Article"])
    let title = try #require(article.attributesByName["title"])
    let index = NSFetchIndexDescription(
      name: "byTitle", elements: [NSFetchIndexElementDescription(property: title, collationType: .binary)])
    index.partialIndexPredicate = NSPredicate(format: "reads > 10 AND title != nil")
    article.indexes = [index]
    let lower = NSDerivedAttributeDescription()
    lower.name = "lower"
    lower.attributeType = .stringAttributeType
    lower.derivationExpression = NSExpression(format: "lowercase:(title)")
    article.properties.append(lower)
    let again: NSManagedObjectModel = try ModelReader.read(Data(ModelWriter.xml(of: model).utf8)).model
    let read = try #require(again.entitiesByName["Article"])
    #expect(read.indexes[0].partialIndexPredicate == index.partialIndexPredicate)
    #expect((read.attributesByName["lower"] as? NSDerivedAttributeDescription)?.derivationText == "lowercase:(title)")
    #expect(again == model)
    #expect(try again.schema().entities[0].properties[1].attribute?.derivation == .own(property: 3, .lowercase))
  }

  @Test("types and rules have Core Data's raw values")
  func rawValues() {
    #expect(
      NSAttributeType.integer16AttributeType.rawValue == 100 && NSAttributeType.UUIDAttributeType.rawValue == 1100)
    #expect(NSAttributeType.transformableAttributeType.rawValue == 1800)
    #expect(NSAttributeDescription.AttributeType.composite.rawValue == 2100)
    #expect(NSDeleteRule.cascadeDeleteRule.rawValue == 2 && NSDeleteRule.denyDeleteRule.rawValue == 3)
  }

  @Test("C193: elements of a composite can't be untyped, object IDs, external or derived; all faults come at once")
  func compositeElements() throws {
    let composite = NSCompositeAttributeDescription()
    composite.name = "address"
    func element(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
      let element = NSAttributeDescription()
      element.name = name
      element.attributeType = type
      return element
    }
    let external = element("photo", .binaryDataAttributeType)
    external.allowsExternalBinaryDataStorage = true
    let wrong = element("count", .integer16AttributeType)
    wrong.defaultValue = "many"
    let derived = NSDerivedAttributeDescription()
    derived.name = "now"
    derived.attributeType = .dateAttributeType
    derived.derivationText = "now()"
    composite.elements = [
      element("any", .undefinedAttributeType), element("id", .objectIDAttributeType), external, wrong, derived,
      element("city", .stringAttributeType), element("city", .stringAttributeType), composite,
    ]
    let entity = NSEntityDescription()
    entity.name = "Person"
    entity.properties = [composite]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let error: ModelError? = #expect(throws: ModelError.self) { try model.schema() }
    let texts: [String] = error?.diagnostics.map { $0.message } ?? []
    for text in [
      "'any' has no type", "'id' can't be an object ID", "'photo' can't be kept outside", "'now' can't be derived",
      "'city' is there twice", "'count' has a default value", "contains itself",
    ] {
      #expect(texts.contains { $0.contains(text) }, "\(text)")
    }
  }

  @Test("C193: a renamed composite renames its elements; elements may be indexed and unique")
  func compositeColumns() throws {
    let model: NSManagedObjectModel = try ModelText.read(
      """
      <entity name="A"><attribute name="place" elementID="spot" optional="YES" attributeType="Composite" composite="P"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="place.x"/></uniquenessConstraint></uniquenessConstraints>
      <fetchIndex name="i"><fetchIndexElement property="place.x" type="Binary" order="ascending"/></fetchIndex></entity>
      <composite name="P"><attribute name="x" attributeType="Double"/></composite>
      """
    ).model
    let entity: EntitySchema = try model.schema().entities[0]
    #expect(entity.properties.map { $0.renamingIdentifier } == ["spot", "spot.x"])
    #expect(entity.constraints == [[1]])
    #expect(entity.fetchIndexes.map { $0.elements.map { $0.property } } == [[1]])
    #expect(entity.properties[1].isOptional)
  }
}
