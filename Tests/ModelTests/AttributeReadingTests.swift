import Foundation
import Schema
import Testing

@testable import Model

@Suite("Attributes in model files")
struct AttributeReadingTests {
  @Test("every type is read, with its class, and has its place in a schema")
  func everyType() throws {
    let expected: [(String, NSAttributeType, String?, AttributeType)] = [
      ("Integer 16", .integer16AttributeType, "NSNumber", .integer16),
      ("Integer 32", .integer32AttributeType, "NSNumber", .integer32),
      ("Integer 64", .integer64AttributeType, "NSNumber", .integer64),
      ("Decimal", .decimalAttributeType, "NSDecimalNumber", .decimal),
      ("Double", .doubleAttributeType, "NSNumber", .double), ("Float", .floatAttributeType, "NSNumber", .float),
      ("String", .stringAttributeType, "NSString", .string),
      ("Boolean", .booleanAttributeType, "NSNumber", .boolean), ("Date", .dateAttributeType, "NSDate", .date),
      ("Binary", .binaryDataAttributeType, "NSData", .binary), ("UUID", .UUIDAttributeType, "NSUUID", .uuid),
      ("URI", .URIAttributeType, "NSURL", .uri),
      ("Transformable", .transformableAttributeType, nil, .transformable),
    ]
    for (name, type, className, stored) in expected {
      let attribute: NSAttributeDescription = try ModelText.attribute(
        "<attribute name=\"a\" attributeType=\"\(name)\"/>")
      #expect(attribute.attributeType == type)
      #expect(attribute.type.rawValue == type.rawValue)
      #expect(attribute.attributeValueClassName == className)
      #expect(!attribute.isOptional)
      let model: NSManagedObjectModel = try ModelText.read(
        ModelText.note("<attribute name=\"a\" attributeType=\"\(name)\"/>")
      ).model
      #expect(try model.schema().entities[0].properties[0].attribute?.type == stored)
    }
  }

  @Test("defaults of every type become stored values")
  func everyDefault() throws {
    let expected: [(String, String, Value)] = [
      ("Integer 16", "-7", .int(-7)), ("Integer 32", "0.0", .int(0)),
      ("Integer 64", "9223372036854775807", .int(.max)), ("Decimal", "12.50", .decimal(Decimal(string: "12.5")!)),
      ("Double", "0.1", .double(0.1)), ("Float", "0.1", .float(0.1)), ("String", "a &amp; b", .string("a & b")),
      ("String", "", .string("")), ("Boolean", "YES", .bool(true)), ("Boolean", "0", .bool(false)),
      ("URI", "https://example.org/a", .url("https://example.org/a")), ("Binary", "AQI=", .data(Data([1, 2]))),
      (
        "UUID", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
        .uuid(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!)
      ), ("Integer 16", "", .null),
    ]
    for (type, text, value) in expected {
      let model: NSManagedObjectModel = try ModelText.read(
        ModelText.note("<attribute name=\"a\" attributeType=\"\(type)\" defaultValueString=\"\(text)\"/>")
      ).model
      #expect(try model.schema().entities[0].properties[0].attribute?.defaultValue == value, "\(type) \(text)")
    }
  }

  @Test("a date's default is its interval, whatever the text beside it says")
  func dateDefault() throws {
    let attribute: NSAttributeDescription = try ModelText.attribute(
      #"<attribute name="d" attributeType="Date" defaultDateTimeInterval="665122680" defaultValueString="29/1/22"/>"#)
    #expect(attribute.defaultValue as? Date == Date(timeIntervalSinceReferenceDate: 665_122_680))
  }

  @Test("a flag as the default of a number is read as 1 or 0, with a warning")
  func flagAsNumber() throws {
    let lines: String = ModelText.note(
      #"<attribute name="n" attributeType="Integer 16" defaultValueString="YES"/>"#)
    let reading: ModelReading = try ModelText.read(lines)
    #expect(reading.diagnostics.map { $0.severity } == [.warning])
    #expect(try reading.model.schema().entities[0].properties[0].attribute?.defaultValue == .int(1))
  }

  @Test("bounds and patterns are kept: numbers, lengths, dates")
  func limits() throws {
    let number: NSAttributeDescription = try ModelText.attribute(
      #"<attribute name="n" attributeType="Double" minValueString="0.5" maxValueString="10"/>"#)
    #expect(number.limits.minNumber == Decimal(string: "0.5"))
    #expect(number.limits.maxNumber == 10)
    let text: NSAttributeDescription = try ModelText.attribute(
      #"<attribute name="t" attributeType="String" minValueString="1" regularExpressionString="[a-z]+"/>"#)
    #expect(text.limits.minLength == 1)
    #expect(text.limits.pattern == "[a-z]+")
    let date: NSAttributeDescription = try ModelText.attribute(
      #"<attribute name="d" attributeType="Date" minDateTimeInterval="5" minValueString="12/4/2013"/>"#)
    #expect(date.limits.minDate == 5)
  }

  @Test("marks, names and user info are kept")
  func marks() throws {
    let attribute: NSAttributeDescription = try ModelText.attribute(
      """
      <attribute name="a" optional="YES" transient="NO" attributeType="Binary" usesScalarValueType="NO"
        allowsExternalBinaryDataStorage="YES" preserveAfterDeletion="YES" allowsCloudEncryption="YES"
        spotlightIndexingEnabled="YES" elementID="old" versionHashModifier="2" valueTransformerName="">
        <userInfo><entry key="k" value="v"/></userInfo>
      </attribute>
      """)
    #expect(attribute.isOptional && attribute.allowsExternalBinaryDataStorage && attribute.isIndexedBySpotlight)
    #expect(attribute.preservesValueInHistoryOnDeletion && attribute.allowsCloudEncryption)
    #expect(attribute.renamingIdentifier == "old")
    #expect(attribute.versionHashModifier == "2")
    #expect(attribute.valueTransformerName == nil)
    #expect(attribute.userInfo as? [String: String] == ["k": "v"])
  }

  @Test("an attribute without a type is fine when it is transient")
  func transientUndefined() throws {
    let model: NSManagedObjectModel = try ModelText.read(
      ModelText.note(#"<attribute name="a" transient="YES"/>"#)
    ).model
    let property: PropertySchema = try model.schema().entities[0].properties[0]
    #expect(property.isTransient && !property.isStoredInRow)
  }

  @Test("composite attributes get the elements of their composite, nested ones too")
  func composites() throws {
    let model: NSManagedObjectModel = try ModelText.read(
      ModelText.note(#"<attribute name="where" attributeType="Composite" composite="Place"/>"#)
        + """
        <composite name="Place"><attribute name="city" attributeType="String"/>
        <attribute name="at" attributeType="Composite" composite="Point"/></composite>
        <composite name="Point"><attribute name="x" attributeType="Double"/></composite>
        """
    ).model
    let place = try #require(model.entities[0].attributesByName["where"] as? NSCompositeAttributeDescription)
    #expect(place.elements.map { $0.name } == ["city", "at"])
    #expect((place.elements[1] as? NSCompositeAttributeDescription)?.elements.map { $0.name } == ["x"])
    let note: EntitySchema = try model.schema().entities[0]
    #expect(note.properties.map { $0.name } == ["where", "where.at", "where.at.x", "where.city"])
    #expect(note.properties.map { $0.isStoredInRow } == [false, false, true, true])
    #expect(model.entities[0].properties.map { $0.name } == ["where"])
  }
}
