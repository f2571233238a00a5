import Foundation
import Predicates
import Schema
import Testing

@testable import Model

@Suite("Freezing a model")
struct FreezeTests {
  static let shop = """
    <entity name="Item" isAbstract="YES">
      <attribute name="name" attributeType="String"/>
      <attribute name="key" attributeType="String" derived="YES" derivationExpression="canonical:(name)"/>
      <attribute name="stamp" optional="YES" attributeType="Date" derived="YES" derivationExpression="now()"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint></uniquenessConstraints>
    </entity>
    <entity name="Basket" parentEntity="Item">
      <attribute name="count" attributeType="Integer 64" derived="YES" derivationExpression="apples.@count"/>
      <attribute name="weight" attributeType="Double" derived="YES" derivationExpression="apples.@sum.grams"/>
      <relationship name="apples" toMany="YES" deletionRule="Deny" destinationEntity="Apple" inverseName="basket"/>
    </entity>
    <entity name="Apple" parentEntity="Item">
      <attribute name="grams" attributeType="Integer 32" indexed="YES"/>
      <attribute name="basketName" optional="YES" attributeType="String" derived="YES" derivationExpression="uppercase:(basket.name)"/>
      <relationship name="basket" optional="YES" maxCount="1" destinationEntity="Basket" inverseName="apples"/>
      <fetchIndex name="byNameAndGrams">
        <fetchIndexElement property="name" type="Binary" order="ascending"/>
        <fetchIndexElement property="grams" type="Binary" order="descending"/>
      </fetchIndex>
      <uniquenessConstraints><uniquenessConstraint><constraint value="grams"/><constraint value="name"/></uniquenessConstraint></uniquenessConstraints>
    </entity>
    """

  @Test("entities come by name, inherited properties first and own ones by name")
  func order() throws {
    let model: NSManagedObjectModel = try ModelText.read(Self.shop).model
    let schema: Schema = try model.schema()
    #expect(schema.entities.map { $0.name } == ["Apple", "Basket", "Item"])
    #expect(
      schema.entities[0].properties.map { $0.name }
        == ["key", "name", "stamp", "basket", "basketName", "grams"])
    #expect(schema.entities[0].inheritedCount == 3)
    #expect(schema.entities[0].superentity == 2 && schema.entities[2].isAbstract)
    #expect(model.entityDescriptions.map { $0.name } == ["Apple", "Basket", "Item"])
    #expect(model.entityDescriptions[1].propertyDescriptions[0] === model.entityDescriptions[2].propertyDescriptions[0])
  }

  @Test("derivations, relationships, constraints and indexes are lowered to indexes")
  func lowering() throws {
    let schema: Schema = try ModelText.read(Self.shop).model.schema()
    let apple: EntitySchema = schema.entities[0]
    let basket: EntitySchema = schema.entities[1]
    #expect(apple.properties[0].attribute?.derivation == .own(property: 1, .canonical))
    #expect(apple.properties[2].attribute?.derivation == .now)
    #expect(apple.properties[4].attribute?.derivation == .related(relationship: 3, property: 1, .uppercase))
    #expect(basket.properties.map { $0.name } == ["key", "name", "stamp", "apples", "count", "weight"])
    #expect(basket.properties[4].attribute?.derivation == .aggregate(relationship: 3, .count, property: nil))
    #expect(basket.properties[5].attribute?.derivation == .aggregate(relationship: 3, .sum, property: 5))
    let apples: RelationshipSchema? = basket.properties[3].relationship
    #expect(apples?.destination == 0 && apples?.inverse == 3 && apples?.isToMany == true && apples?.deleteRule == .deny)
    #expect(apple.constraints == [[1], [5, 1]])
    #expect(basket.constraints == [[1]])
    #expect(apple.fetchIndexes.map { $0.name } == ["byNameAndGrams", "bygrams"])
    #expect(apple.fetchIndexes[0].elements.map { $0.isAscending } == [true, false])
    #expect(apple.fetchIndexes[0].elements.map { $0.property } == [1, 5])
  }

  @Test("a derivation can be given as an expression")
  func derivationByExpression() throws {
    let model: NSManagedObjectModel = try ModelText.read(Self.shop).model
    let key = try #require(model.entitiesByName["Item"]?.attributesByName["key"] as? NSDerivedAttributeDescription)
    key.derivationExpression = NSExpression(
      forFunction: "lowercase:", arguments: [NSExpression(forKeyPath: "name")])
    let stamp = try #require(model.entitiesByName["Item"]?.attributesByName["stamp"] as? NSDerivedAttributeDescription)
    stamp.derivationExpression = NSExpression(forFunction: "now", arguments: [])
    let count = try #require(
      model.entitiesByName["Basket"]?.attributesByName["count"] as? NSDerivedAttributeDescription)
    count.derivationExpression = NSExpression(forKeyPath: "apples.@count")
    let schema: Schema = try model.schema()
    #expect(schema.entities[2].properties[0].attribute?.derivation == .own(property: 1, .lowercase))
    #expect(schema.entities[2].properties[2].attribute?.derivation == .now)
    #expect(
      schema.entities[1].properties[4].attribute?.derivation == .aggregate(relationship: 3, .count, property: nil))
  }

  @Test("a model that can't be frozen says everything that is wrong, and stays mutable")
  func faults() throws {
    let entity = NSEntityDescription()
    entity.name = "A"
    let attribute = NSAttributeDescription()
    attribute.name = "x"
    let number = NSAttributeDescription()
    number.name = "n"
    number.attributeType = .integer16AttributeType
    number.defaultValue = "seven"
    let relationship = NSRelationshipDescription()
    relationship.name = "r"
    entity.properties = [attribute, number, relationship]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let error: ModelError? = #expect(throws: ModelError.self) { try model.schema() }
    #expect(
      error?.diagnostics.map { $0.description } == [
        "error: A.x: it has no type: give it one, or make it transient",
        "error: A.n: the default value seven (String) is not a value of the attribute's type",
        "error: A.r: it has no destination entity",
      ])
    attribute.attributeType = .stringAttributeType
    number.defaultValue = 7
    entity.properties = [attribute, number]
    #expect(try model.schema().entities[0].properties.count == 2)
  }

  @Test("a frozen model gives the same schema again, and its copy can be changed")
  func copyOfFrozen() throws {
    let model: NSManagedObjectModel = try ModelText.read(Self.shop).model
    let schema: Schema = try model.schema()
    #expect(try model.schema().entities.map { $0.name } == schema.entities.map { $0.name })
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    #expect(copy == model && copy.versionChecksum == model.versionChecksum)
    let apple = try #require(copy.entitiesByName["Apple"])
    #expect(apple.relationshipsByName["basket"]?.destinationEntity === copy.entitiesByName["Basket"])
    #expect(apple.indexes[0].elements[0].property === copy.entitiesByName["Item"]?.attributesByName["name"])
    apple.attributesByName["grams"]?.attributeType = .integer64AttributeType
    #expect(copy != model)
    #expect(try copy.schema().entities[0].properties[5].attribute?.type == .integer64)
  }

  @Test("changing a model in use stops the program, and the message names what was changed")
  func mutationStops() async throws {
    let result: ExitTest.Result? = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let model: NSManagedObjectModel = try ModelText.read(FreezeTests.shop).model
      _ = try model.schema()
      model.entitiesByName["Apple"]?.attributesByName["grams"]?.isOptional = true
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("'isOptional' of the property Apple.grams can't be set"))
  }

  @Test("entities, indexes and the model itself are frozen with it")
  func everythingIsFrozen() async throws {
    await #expect(processExitsWith: .failure) {
      let model: NSManagedObjectModel = try ModelText.read(FreezeTests.shop).model
      _ = try model.schema()
      model.entities = []
    }
    await #expect(processExitsWith: .failure) {
      let model: NSManagedObjectModel = try ModelText.read(FreezeTests.shop).model
      _ = try model.schema()
      model.entitiesByName["Apple"]?.isAbstract = true
    }
    await #expect(processExitsWith: .failure) {
      let model: NSManagedObjectModel = try ModelText.read(FreezeTests.shop).model
      _ = try model.schema()
      model.entitiesByName["Apple"]?.indexes[0].elements[0].isAscending = false
    }
  }
}
