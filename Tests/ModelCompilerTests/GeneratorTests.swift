import Foundation
import ModelCompiler
import Testing

@Suite struct GeneratorTests {
  @Test("B068: optionality is Xcode's: scalars never optional, all else always, unwrapped where the model requires it")
  func optionality() throws {
    var attributes = ""
    for type in [
      "Integer 16", "Integer 32", "Integer 64", "Double", "Float", "Boolean", "Decimal", "String", "Date",
      "Binary", "UUID", "URI", "Transformable",
    ] {
      for (suffix, text) in [("Opt", "optional=\"YES\""), ("Req", "")] {
        for (kind, scalar) in [("S", "YES"), ("O", "NO")] {
          let name = type.lowercased().filter { $0 != " " } + suffix + kind
          attributes +=
            "<attribute name=\"\(name)\" \(text) attributeType=\"\(type)\" usesScalarValueType=\"\(scalar)\"/>\n"
        }
      }
    }
    let output = try TemporaryTarget.compile(
      entities: "<entity name=\"E\" representedClassName=\"E\" codeGenerationType=\"class\">\(attributes)</entity>")
    #expect(output.errorTexts == [])
    var types: [String: String] = [:]
    for line in output.model.split(separator: "\n") where line.hasPrefix("  public var ") {
      let parts = line.dropFirst("  public var ".count).dropLast(2).split(separator: ":")
      types[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    for (type, scalar, object) in [
      ("integer16", "Int16", "NSNumber"), ("integer32", "Int32", "NSNumber"),
      ("integer64", "Int64", "NSNumber"), ("double", "Double", "NSNumber"), ("float", "Float", "NSNumber"),
      ("boolean", "Bool", "NSNumber"),
    ] {
      #expect(types[type + "OptS"] == scalar)
      #expect(types[type + "ReqS"] == scalar)
      #expect(types[type + "OptO"] == object + "?")
      #expect(types[type + "ReqO"] == object + "!")
    }
    for (type, swift) in [
      ("decimal", "NSDecimalNumber"), ("string", "String"), ("binary", "Data"), ("uuid", "UUID"),
      ("uri", "URL"), ("transformable", "NSObject"),
    ] {
      for kind in ["S", "O"] {
        #expect(types[type + "Opt" + kind] == swift + "?")
        #expect(types[type + "Req" + kind] == swift + "!")
      }
    }
    #expect(types["dateOptS"] == "Double")
    #expect(types["dateOptO"] == "Date?")
    #expect(types["dateReqO"] == "Date!")
  }

  @Test("B029: an ordered relationship gets every accessor, with calls for ordered members")
  func orderedAccessors() throws {
    let output = try TemporaryTarget.compile(
      entities: """
        <entity name="A" representedClassName="A" codeGenerationType="class">
          <relationship name="steps" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" destinationEntity="B" inverseName="a" inverseEntity="B"/>
          <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="B" inverseName="b" inverseEntity="B"/>
        </entity>
        <entity name="B" representedClassName="B" codeGenerationType="class">
          <relationship name="a" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="A" inverseName="steps" inverseEntity="A"/>
          <relationship name="b" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="A" inverseName="tags" inverseEntity="A"/>
        </entity>
        """)
    #expect(output.errorTexts == [])
    let methods = output.model.split(separator: "\n").filter { $0.contains("func ") && $0.contains("Steps(") }
    #expect(methods.count == 10)
    #expect(
      output.model.contains(
        "func insertIntoSteps(_ argument0: B, at argument1: Int) { _insert(argument0, at: argument1, 0) }"))
    #expect(output.model.contains("func addToSteps(_ argument0: NSOrderedSet) { _addAllOrdered(argument0, 0) }"))
    #expect(output.model.contains("func addToTags(_ argument0: NSSet) { _addAll(argument0, 1) }"))
    #expect(!output.model.contains("insertIntoTags"))
    #expect(output.model.contains("public var a: A? {"))
  }

  @Test("B104: keywords and names beyond ASCII are names, names with a module lose it, inheritance is that of entities")
  func names() throws {
    let output = try TemporaryTarget.compile(
      entities: """
        <entity name="Base" representedClassName=".Base" isAbstract="YES" codeGenerationType="class">
          <attribute name="default" optional="YES" attributeType="String"/>
        </entity>
        <entity name="Sub" representedClassName="App.Sub" parentEntity="Base" codeGenerationType="class">
          <attribute name="größe" attributeType="Double" usesScalarValueType="YES"/>
        </entity>
        <entity name="Plain"><attribute name="x" optional="YES" attributeType="String"/></entity>
        """)
    #expect(output.errorTexts == [])
    #expect(output.model.contains("public var `default`: String? {"))
    #expect(output.model.contains("public class Base: NSManagedObject {}"))
    #expect(output.model.contains("public class Sub: Base {}"))
    #expect(output.model.contains("get { _double(1) }"))
    #expect(output.model.contains("extension Base: Identifiable {}"))
    #expect(!output.model.contains("extension Sub: Identifiable {}"))
    #expect(output.registry.contains("names[\\Sub.`default`] = \"default\""))
    #expect(output.registry.contains("name: \"Plain\", className: \"ObjectGraph.NSManagedObject\""))
  }

  @Test(
    "B163: collections and known classes are types of transformable attributes; what is unknown is an error at its line"
  )
  func transformables() throws {
    let output = try TemporaryTarget.compile(
      entities: """
        <entity name="E" representedClassName="E" codeGenerationType="class">
          <attribute name="words" optional="YES" attributeType="Transformable" customClassName="[String]"/>
          <attribute name="table" optional="YES" attributeType="Transformable" customClassName="[String: Any]"/>
          <attribute name="array" optional="YES" attributeType="Transformable" customClassName="Array&lt;Int&gt;"/>
          <attribute name="box" optional="YES" attributeType="Transformable" customClassName=".Box"/>
          <attribute name="text" optional="YES" attributeType="Transformable" customClassName="NSAttributedString"/>
        </entity>
        """, source: "import Foundation\npublic final class Box: NSObject {}")
    #expect(output.errorTexts == [])
    for text in [
      "var words: [String]?", "var table: [String: Any]?", "var array: [Int]?", "var box: Box?",
      "var text: NSAttributedString?",
    ] {
      #expect(output.model.contains(text))
    }
    let failing = try TemporaryTarget.compile(
      entities: """
        <entity name="E" representedClassName="E" codeGenerationType="class">
          <attribute name="color" optional="YES" attributeType="Transformable" customClassName="UIColor"/>
        </entity>
        """)
    #expect(failing.errorTexts.count == 1)
    #expect(
      failing.errorTexts.first?.hasPrefix("contents:4: 'E.color': the type 'UIColor' is neither declared") == true)
    #expect(failing.files.isEmpty)
  }

  @Test("An extension adds what a hand-written class lacks; a class that is missing, or there twice, is an error")
  func categories() throws {
    let entity = """
      <entity name="Post" representedClassName="Post" codeGenerationType="%">
        <attribute name="title" optional="YES" attributeType="String"/>
        <attribute name="body" optional="YES" attributeType="String"/>
      </entity>
      """
    let category = entity.replacingOccurrences(of: "%", with: "category")
    let output = try TemporaryTarget.compile(
      entities: category,
      source: "class Post: NSManagedObject, Identifiable { @NSManaged var body: String? }")
    #expect(output.errorTexts == [])
    #expect(output.model.contains("  var title: String? {"))
    #expect(!output.model.contains("var body:"))
    #expect(output.model.contains("@_silgen_name(\"$s3App4PostC4bodySSSgvg\")"))
    #expect(!output.model.contains("Identifiable"))
    #expect(!output.model.contains("public "))

    let missing = try TemporaryTarget.compile(entities: category)
    #expect(missing.errorTexts.first?.hasPrefix("contents:3: no class 'Post' is declared in this target") == true)
    let twice = try TemporaryTarget.compile(
      entities: entity.replacingOccurrences(of: "%", with: "class"), source: "class Post: NSManagedObject {}")
    #expect(twice.errorTexts.first?.contains("is to be generated, and is also declared in") == true)
  }

  @Test("The same input gives the same text, whatever the order of files")
  func stableOutput() throws {
    var target = try TemporaryTarget()
    defer { target.remove() }
    for name in ["B", "A"] {
      try target.add(
        model: name,
        entities: """
          <entity name="\(name)" representedClassName="\(name)" codeGenerationType="class">
            <attribute name="x" optional="YES" attributeType="String"/>
          </entity>
          """)
    }
    let first = target.compile()
    #expect(first.errorTexts == [])
    #expect(first.files == target.compile().files)
    #expect(first.files.keys.sorted() == ModelCompiler.outputNames(models: ["A", "B"]).sorted())
  }

  @Test("A model's text survives as a literal, with quotes, backslashes and pound signs in it")
  func literals() throws {
    let output = try TemporaryTarget.compile(
      entities: ####"""
        <entity name="E" representedClassName="E" codeGenerationType="class">
          <attribute name="x" optional="YES" attributeType="String" defaultValueString='"""# \#(x) """##'/>
        </entity>
        """####)
    #expect(output.errorTexts == [])
    #expect(output.registry.contains("let compiled: StaticString = \"\"\"\nAnnals model 1\\u{a}"))
    #expect(output.registry.contains(###"\"\"\"# \\#(x) \"\"\"##"###))
  }

  @Test("A type of the module that is named as one of Foundation's does not take its place")
  func shadowedNames() throws {
    let output = try TemporaryTarget.compile(
      entities: """
        <entity name="Date" representedClassName="Date" codeGenerationType="class">
          <attribute name="on" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
          <relationship name="next" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Date"/>
        </entity>
        """)
    #expect(output.errorTexts == [])
    #expect(output.model.contains("var on: Foundation.Date? {"))
    #expect(output.model.contains("var next: Date? {"))
  }

  @Test("C193: a composite attribute is a dictionary; its elements have no properties of their own")
  func composites() throws {
    let output = try TemporaryTarget.compile(
      entities: """
        <entity name="E" representedClassName="E" codeGenerationType="class">
          <attribute name="address" optional="YES" attributeType="Composite" composite="C"/>
          <attribute name="zip" optional="YES" attributeType="String"/>
        </entity>
        <composite name="C"><attribute name="city" optional="YES" attributeType="String"/></composite>
        """)
    #expect(output.errorTexts == [])
    #expect(output.model.contains("var address: [String: Any]? {\n    get { _any(0) as? [String: Any] }"))
    #expect(output.model.contains("get { _string(2) }"))
    #expect(!output.model.contains("city"))
    let handWritten = try TemporaryTarget.compile(
      entities: """
        <entity name="E" representedClassName="E">
          <attribute name="address" optional="YES" attributeType="Composite" composite="C"/>
        </entity>
        <composite name="C"><attribute name="city" optional="YES" attributeType="String"/></composite>
        """, source: "class E: NSManagedObject { @NSManaged var address: [String: Any]? }")
    #expect(handWritten.errorTexts == [])
    #expect(handWritten.model.contains("{ _any(0) as? [String: Any] }"))
  }
}
