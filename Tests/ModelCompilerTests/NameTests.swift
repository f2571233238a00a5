import Foundation
import ModelCompiler
import Testing

/// Names that mean something else in Swift, in models.
@Suite struct NameTests {
  private static func entity(_ name: String) -> String {
    var text = "<entity name=\"\(name)\" representedClassName=\"\(name)\" codeGenerationType=\"class\">"
    for (type, scalar) in [
      ("String", "NO"), ("Date", "NO"), ("Date", "YES"), ("UUID", "NO"), ("URI", "NO"), ("Binary", "NO"),
      ("Integer 64", "YES"), ("Integer 32", "NO"), ("Boolean", "YES"), ("Decimal", "NO"), ("Transformable", "NO"),
    ] {
      let attribute = type.lowercased().filter { $0 != " " } + scalar.lowercased()
      text +=
        "<attribute name=\"\(attribute)\" optional=\"YES\" attributeType=\"\(type)\" usesScalarValueType=\"\(scalar)\"/>"
    }
    return text + """
      <relationship name="many" optional="YES" toMany="YES" destinationEntity="\(name)" inverseName="one" inverseEntity="\(name)"/>
      <relationship name="one" optional="YES" maxCount="1" destinationEntity="\(name)" inverseName="many" inverseEntity="\(name)"/>
      <fetchedProperty name="found"><fetchRequest name="r" entity="\(name)"/></fetchedProperty>
      </entity>
      """
  }

  private static let words = """
    Type Protocol Any default func operator extension in is as nil true false throws async await any some Self subscript
    import let var where while return super switch try rethrows inout internal public private static struct typealias
    enum guard defer repeat do catch break case continue else fallthrough for if actor open package get set left none
    prefix lazy weak required optional override mutating dynamic id value newValue argument0 names position String Date
    """

  @Test(
    "B104: entities and properties named as types of Swift and Foundation, and as keywords, compile",
    .enabled(if: Corpus.builtModules != nil))
  func namesOfTypes() throws {
    let names = [
      "Data", "Set", "Date", "Type", "Protocol", "String", "URL", "Error", "Task", "Notification", "Entity", "Result",
      "Array", "Optional", "Int", "Bool", "NSObject", "Identifiable", "NSSet", "NSNumber", "Model", "UUID", "Double",
    ]
    var attributes = ""
    for word in Self.words.split(whereSeparator: \.isWhitespace) {
      attributes += "<attribute name=\"\(word)\" optional=\"YES\" attributeType=\"Date\" usesScalarValueType=\"YES\"/>"
    }
    let words =
      "<entity name=\"Words\" representedClassName=\"Words\" codeGenerationType=\"class\">\(attributes)</entity>"
    let source =
      "import Annals\nclass Hand: NSManagedObject { @NSManaged var on: Foundation.Date?; var String: Swift.Int { 1 } }"
    var target = try TemporaryTarget()
    defer { target.remove() }
    try target.add(model: "A \"quoted\" name", entities: names.map(Self.entity).joined() + words)
    try target.add(source: "Hand.swift", source)
    let output = target.compile()
    #expect(output.errorTexts == [])
    let modules = try #require(Corpus.builtModules)
    let compiler = try Compiler()
    defer { compiler.remove() }
    try compiler.makeUmbrella(modules: modules)
    try compiler.write("import Foundation\n" + source, to: "Hand.swift")
    for (name, text) in output.files { try compiler.write(text, to: name) }
    let lacking = try compiler.undefinedSymbols(
      module: "App", files: ["Hand.swift"] + output.files.keys.sorted(), modules: modules)
    #expect(lacking.sorted() == [])
  }

  @Test("Names that Swift can't have are errors at their lines, all at once")
  func impossibleNames() throws {
    let output = try TemporaryTarget.compile(
      entities: """
        <entity name="Any" representedClassName="Any" codeGenerationType="class"/>
        <entity name="Self" representedClassName="Self" codeGenerationType="class"/>
        <entity name="E" representedClassName="E" codeGenerationType="class">
          <attribute name="_" optional="YES" attributeType="String"/>
        </entity>
        """)
    #expect(
      output.errorTexts == [
        "contents:3: the class name 'Any' of entity 'Any' is not a Swift name",
        "contents:4: the class name 'Self' of entity 'Self' is not a Swift name",
        "contents:6: 'E._' is not a name that Swift can have: rename the property",
      ])
  }

  @Test("Two models of one name in a module are an error that names both: neither replaces the other")
  func modelsOfOneName() throws {
    var target = try TemporaryTarget()
    defer { target.remove() }
    for (name, entity) in [("Model", "A"), ("Other/Model", "B")] {
      try target.add(
        model: name,
        entities:
          "<entity name=\"\(entity)\"><attribute name=\"x\" optional=\"YES\" attributeType=\"String\"/></entity>")
    }
    let output = target.compile()
    #expect(output.files.isEmpty)
    #expect(output.errorTexts.count == 1)
    let text = output.errorTexts.first ?? ""
    #expect(
      text.hasPrefix("Model.xcdatamodel:1: the module has another model named 'Model', \(target.directory.path)/"))
  }

  @Test("C73: a fetched property of a generated class is an array of what its request finds")
  func fetchedProperties() throws {
    let output = try TemporaryTarget.compile(
      entities: """
        <entity name="A" representedClassName="A" codeGenerationType="class">
          <fetchedProperty name="objects"><fetchRequest name="r" entity="B" predicateString="x == $FETCH_SOURCE.y"/></fetchedProperty>
          <fetchedProperty name="plain"><fetchRequest name="r" entity="C"/></fetchedProperty>
          <fetchedProperty name="ids"><fetchRequest name="r" entity="B" resultType="1"/></fetchedProperty>
          <fetchedProperty name="rows"><fetchRequest name="r" entity="B" resultType="2"/></fetchedProperty>
        </entity>
        <entity name="B" representedClassName="B" codeGenerationType="class"><attribute name="x" optional="YES" attributeType="String"/></entity>
        <entity name="C"><attribute name="x" optional="YES" attributeType="String"/></entity>
        """)
    #expect(output.errorTexts == [])
    for text in [
      "var objects: [B]? {", "var plain: [NSManagedObject]? {", "var ids: [NSManagedObjectID]? {", "var rows: [Any]? {",
      "get { value(forKey: \"objects\") as? [B] }",
    ] {
      #expect(output.model.contains(text))
    }
  }
}
