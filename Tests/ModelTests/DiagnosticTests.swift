import Foundation
import Testing

@testable import Model

@Suite("What the reader says of faulty files")
struct DiagnosticTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let lines: String
    let expected: [String]
    var testDescription: String { expected.first ?? lines }
  }

  static let properties: [Case] = [
    Case(
      lines: ModelText.note(#"<attribute name="size" attributeType="Integer 128"/>"#),
      expected: [
        "M:4: error: Note.size: unknown attribute type 'Integer 128'; it can be one of Integer 16, Integer 32, "
          + "Integer 64, Decimal, Double, Float, String, Boolean, Date, Binary, UUID, URI, Transformable, Object ID, "
          + "Composite"
      ]),
    Case(
      lines: ModelText.note(#"<attribute name="size" attributeType="Integer 16" defaultValueString="40000"/>"#),
      expected: ["M:4: error: Note.size: the default value '40000' is not a value of type Integer 16"]),
    Case(
      lines: ModelText.note(#"<attribute name="a" optional="MAYBE" attributeType="String"/>"#),
      expected: ["M:4: error: Note.a: optional is 'MAYBE'; write YES or NO"]),
    Case(
      lines: ModelText.note(
        """
        <attribute name="a" attributeType="String"/>
        <attribute name="a" attributeType="Date"/>
        """),
      expected: ["M:5: error: Note.a: there are two properties of this name"]),
    Case(
      lines: ModelText.note(#"<attribute name="description" attributeType="String"/>"#),
      expected: [
        "M:4: error: Note.description: the name is taken: every managed object has a 'description'. "
          + "Give the property another name"
      ]),
    Case(
      lines: ModelText.note(#"<attribute name="due-date" attributeType="Date"/>"#),
      expected: ["M:4: error: Note.due-date: the name is not an identifier: use letters, digits and underscores"]),
    Case(
      lines: ModelText.note(#"<attribute name="a"/>"#),
      expected: ["M:4: error: Note.a: it has no type: give it one, or make it transient"]),
    Case(
      lines: ModelText.note(#"<attribute name="a" attributeType="String" regularExpressionString="(["/>"#),
      expected: ["M:4: error: Note.a: the regular expression '([' can't be read"]),
    Case(
      lines: ModelText.note(#"<attribute name="a" attributeType="Transformable" customClassName="[String"/>"#),
      expected: ["M:4: error: Note.a: the class name '[String' is not the name of a type"]),
    Case(
      lines: ModelText.note(#"<attribute name="a" attributeType="String" colour="red"/>"#),
      expected: ["M:4: warning: a: unknown attribute 'colour' of <attribute>; it is ignored"]),
    Case(
      lines: ModelText.note(#"<photo/>"#),
      expected: ["M:4: warning: Note: unknown element <photo> in <entity>; it is ignored"]),
    Case(
      lines: ModelText.note(#"<attribute name="n" attributeType="Double" minValueString="3" maxValueString="2"/>"#),
      expected: ["M:4: warning: Note.n: no value is valid: the minimum is greater than the maximum"]),
  ]

  static let relationships: [Case] = [
    Case(
      lines: ModelText.note(
        #"<relationship name="tag" maxCount="1" deletionRule="Nullify" destinationEntity="Tag"/>"#),
      expected: ["M:4: error: Note.tag: the destination entity 'Tag' doesn't exist"]),
    Case(
      lines: ModelText.note(#"<relationship name="next" maxCount="1" destinationEntity="Note"/>"#),
      expected: [
        "M:4: warning: Note.next: it has no inverse: deletes and changes of the other side are not noticed. "
          + "Give it one"
      ]),
    Case(
      lines: ModelText.note(
        #"<relationship name="next" maxCount="1" destinationEntity="Note" inverseName="previous"/>"#),
      expected: ["M:4: error: Note.next: the inverse 'Note.previous' doesn't exist or is no relationship"]),
    Case(
      lines: ModelText.note(
        """
        <relationship name="a" maxCount="1" destinationEntity="Note" inverseName="b"/>
        <relationship name="b" maxCount="1" destinationEntity="Note" inverseName="c"/>
        <relationship name="c" maxCount="1" destinationEntity="Note" inverseName="b"/>
        """),
      expected: ["M:4: error: Note.a: its inverse 'Note.b' has 'Note.c' as its own inverse"]),
    Case(
      lines: ModelText.note(#"<relationship name="a" deletionRule="Explode" destinationEntity="Note"/>"#),
      expected: [
        "M:4: error: Note.a: unknown delete rule 'Explode'; it can be one of No Action, Nullify, Cascade, Deny",
        "M:4: warning: Note.a: it has no inverse: deletes and changes of the other side are not noticed. Give it one",
      ]),
  ]

  static let entities: [Case] = [
    Case(
      lines: "<entity name=\"A\"/>\n<entity name=\"A\"/>",
      expected: ["M:4: error: A: there are two entities of this name"]),
    Case(
      lines: "<entity name=\"A\" parentEntity=\"B\"/>",
      expected: ["M:3: error: A: the parent entity 'B' doesn't exist"]),
    Case(
      lines: "<entity name=\"A\" parentEntity=\"B\"/>\n<entity name=\"B\" parentEntity=\"A\"/>",
      expected: [
        "M:3: error: A: the entity is its own ancestor: A → B → A",
        "M:4: error: B: the entity is its own ancestor: B → A → B",
      ]),
    Case(
      lines: """
        <entity name="A"><attribute name="x" attributeType="String"/></entity>
        <entity name="B" parentEntity="A">
        <attribute name="x" attributeType="Date"/>
        </entity>
        """,
      expected: ["M:5: error: B.x: it clashes with the property of another type that is inherited from 'A'"]),
    Case(
      lines: """
        <entity name="A">
        <uniquenessConstraints><uniquenessConstraint><constraint value="x"/></uniquenessConstraint></uniquenessConstraints>
        </entity>
        """,
      expected: ["M:3: error: A: a uniqueness constraint names 'x', which the entity doesn't have"]),
    Case(
      lines: """
        <entity name="A">
        <fetchIndex name="byX"><fetchIndexElement property="x" type="Binary" order="ascending"/></fetchIndex>
        </entity>
        """,
      expected: ["M:4: error: A: in the index 'byX': it names 'x', which the entity doesn't have"]),
    Case(
      lines: "<configuration name=\"C\"><memberEntity name=\"A\"/></configuration>",
      expected: ["M:3: error: the configuration 'C' has an entity 'A' that doesn't exist"]),
    Case(
      lines: "<fetchRequest name=\"F\" entity=\"A\"/>",
      expected: ["M:3: error: the fetch request 'F' is for an entity 'A' that doesn't exist"]),
    Case(
      lines: ModelText.note(#"<attribute name="a" attributeType="Composite" composite="C"/>"#)
        + "\n<composite name=\"C\"><attribute name=\"c\" attributeType=\"Composite\" composite=\"C\"/></composite>",
      expected: ["M:6: error: C.c: the composite contains itself, through C → C"]),
  ]

  static let derivations: [Case] = [
    Case(
      lines: ModelText.note(
        #"<attribute name="a" attributeType="String" derived="YES" derivationExpression="reverse:(b)"/>"#),
      expected: [
        "M:4: error: Note.a: the derivation 'reverse:(b)' is not supported; it can be an attribute, toOne.attribute, "
          + "lowercase:(…), uppercase:(…) or canonical:(…) of one, toMany.@count, toMany.@sum.attribute (also @min, "
          + "@max), or now()"
      ]),
    Case(
      lines: ModelText.note(
        #"<attribute name="a" attributeType="Integer 64" derived="YES" derivationExpression="tags.@count"/>"#),
      expected: [
        "M:4: error: Note.a: the derivation 'tags.@count' names 'tags', which is no to-many relationship of 'Note'"
      ]),
  ]

  @Test("B104: each fault has its file, line, entity and property", arguments: properties + relationships)
  func faultOfAProperty(_ item: Case) { #expect(ModelText.diagnostics(item.lines) == item.expected) }

  @Test("B104: faults of entities, indexes and derivations have their places too", arguments: entities + derivations)
  func faultOfAnEntity(_ item: Case) { #expect(ModelText.diagnostics(item.lines) == item.expected) }

  @Test("all faults of a file are reported at once, in the order of its lines")
  func allAtOnce() {
    let found: [String] = ModelText.diagnostics(
      """
      <entity name="A">
      <attribute name="x" attributeType="Strange"/>
      <relationship name="r" destinationEntity="Nowhere"/>
      </entity>
      <entity name="A" parentEntity="Nobody"/>
      """)
    #expect(found.count == 4)
    #expect(found.map { $0.split(separator: ":")[1] } == ["4", "5", "7", "7"])
  }

  @Test("B104: a fault of an attribute hides none of its name, and makes none of what mentions it")
  func faultsBesideOthers() {
    let text = """
      <entity name="A"><attribute name="x" optional="YES" attributeType="Strin"/>
      <attribute name="x" optional="YES" attributeType="String"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="y"/></uniquenessConstraint></uniquenessConstraints>
      <attribute name="y" optional="YES" attributeType="Text"/>
      <attribute name="class" optional="YES" attributeType="Nothing"/></entity>
      """
    #expect(
      ModelText.diagnostics(text).map { String($0.prefix(41)) } == [
        "M:3: error: A.x: unknown attribute type '", "M:4: error: A.x: there are two properties",
        "M:6: error: A.y: unknown attribute type '", "M:7: error: A.class: unknown attribute ty",
        "M:7: error: A.class: the name is taken: e",
      ])
  }

  @Test("a predicate with a fault is reported with the line of its request and the column")
  func predicates() {
    let found: [String] = ModelText.diagnostics(
      "<entity name=\"A\"/>\n<fetchRequest name=\"F\" entity=\"A\" predicateString=\"a == \"/>")
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("M:4: error: the fetch request 'F' has a predicate with a fault: "))
    #expect(found[0].contains("column"))
  }

  @Test("a fault's line is where its element begins, comments and long elements notwithstanding")
  func lines() {
    let found: [String] = ModelText.diagnostics(
      """
      <!-- <entity
        name="None"> -->
      <entity
        name="A">
      <attribute
        name="x"
        attributeType="Strange"/>
      <attribute name="y" attributeType="Strange"/></entity>
      """)
    #expect(found.map { $0.split(separator: ":")[1] } == ["7", "10"])
  }

  @Test("B104: names in other scripts and Swift's words are good names")
  func namesThatAreFine() throws {
    let reading: ModelReading = try ModelText.read(
      """
      <entity name="Straße"><attribute name="größe" attributeType="Double"/>
      <attribute name="class_" attributeType="String"/><attribute name="protocol" attributeType="String"/>
      <attribute name="名前" attributeType="String"/></entity>
      """)
    #expect(reading.diagnostics.isEmpty)
    #expect(try reading.model.schema().entities[0].properties.count == 4)
  }

  @Test("B163: collections and generic types are good names of value classes")
  func classNames() throws {
    for name in ["[String]", "[String: Any]", "Array<String>", "App.Tags", ".Tags", "Set<[Int: Date?]>", "any P"] {
      let escaped: String = XMLText.escape(name)
      let attribute: NSAttributeDescription = try ModelText.attribute(
        "<attribute name=\"a\" attributeType=\"Transformable\" customClassName=\"\(escaped)\"/>")
      #expect(attribute.attributeValueClassName == name)
    }
    for name in ["[String", "Array<", "1x", "a b", "[String]]", "Set<>"] {
      let escaped: String = XMLText.escape(name)
      #expect(throws: ModelError.self, "\(name)") {
        try ModelText.attribute(
          "<attribute name=\"a\" attributeType=\"Transformable\" customClassName=\"\(escaped)\"/>")
      }
    }
  }

  @Test("A1.10: what an index has that a store would not keep is warned of by name")
  func indexParts() throws {
    let text = """
      <entity name="A" representedClassName="A">
      <attribute name="x" optional="YES" attributeType="Double"/>
      <fetchIndex name="part" partialIndexPredicate="x &gt; 3"><fetchIndexElement property="x" type="Binary"/></fetchIndex>
      <fetchIndex name="space"><fetchIndexElement property="x" type="RTree"/></fetchIndex>
      <fetchIndex name="twice"><fetchIndexElement expression="x + x" expressionType="Double" type="Binary"/></fetchIndex>
      </entity>
      """
    let read = try ModelText.read(text)
    let warnings: [String] = ModelChecker(model: read.model).check().filter { $0.severity == .warning }.map(\.message)
    #expect(warnings.count == 3, "\(warnings)")
    #expect(warnings.contains { $0.hasPrefix("in the index 'part': its partial predicate is not used") })
    #expect(warnings.contains { $0.hasPrefix("in the index 'space': 'x' is kept in the order of its values") })
    #expect(warnings.contains { $0.hasPrefix("in the index 'twice': it is ignored: ") })
    #expect(try read.model.schema().entities[0].fetchIndexes.map(\.name) == ["part"])
  }
}
