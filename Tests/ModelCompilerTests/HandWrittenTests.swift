import ModelCompiler
import Testing

/// Classes written by hand, checked against the model.
@Suite struct HandWrittenTests {
  private let entity = """
    <entity name="Post" representedClassName="Post">
      <attribute name="title" optional="YES" attributeType="String"/>
      <attribute name="reads" attributeType="Integer 64" defaultValueString="0" usesScalarValueType="YES"/>
      <attribute name="mood" attributeType="Integer 16" defaultValueString="0" usesScalarValueType="YES"/>
      <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Tag" inverseName="post" inverseEntity="Tag"/>
    </entity>
    <entity name="Tag" representedClassName="Tag">
      <relationship name="post" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Post" inverseName="tags" inverseEntity="Post"/>
    </entity>
    """

  private func errors(_ members: String, more: String = "") throws -> [String] {
    let source = """
      import CoreData
      class Post: NSManagedObject {
      \(members)
      }
      class Tag: NSManagedObject {}
      \(more)
      """
    return try TemporaryTarget.compile(entities: entity, source: source).errorTexts
  }

  @Test("D2: accessors stand under the compiler's symbols and pass the property's index")
  func accessors() throws {
    let output = try TemporaryTarget.compile(
      entities: entity,
      source: """
        public class Post: NSManagedObject {
          @NSManaged public var reads: Int64
          @NSManaged public var tags: Set<Tag>?
          @NSManaged public var primitiveTitle: String?
          @NSManaged public func addToTags(_ value: Tag)
          @NSManaged public func removeFromTags(_ values: Set<Tag>)
        }
        public class Tag: NSManagedObject {}
        """)
    #expect(output.errorTexts == [])
    let text = output.model
    #expect(text.contains("@_silgen_name(\"$s3App4PostC5readss5Int64Vvg\")"))
    #expect(text.contains("{ _int64(1) }") || text.contains("{ _int64(2) }") || text.contains("{ _int64(0) }"))
    #expect(text.contains("-> Set<Tag>? { _typedSet("))
    #expect(text.contains("{ _primitive(\"title\") as? String }"))
    #expect(text.contains("_removeAll(NSSet(set: argument0), "))
  }

  @Test("A property that the model lacks is an error at its line, with a suggestion")
  func missingProperty() throws {
    let texts = try errors("  @NSManaged var titel: String?")
    #expect(texts.count == 1)
    #expect(texts.first?.hasPrefix("Classes.swift:3: 'Post.titel' is @NSManaged, but the entity 'Post'") == true)
    let close = try errors("  @NSManaged var Title: String?")
    #expect(close.first?.hasSuffix("did you mean 'title'?") == true)
  }

  @Test(
    "A property of another type than the model's is an error that names both",
    arguments: [
      ("reads: String", "has it as non-optional Integer 64", "declare it as 'Int64'"),
      ("reads: Int32", "has it as non-optional Integer 64", "declare it as 'Int64'"),
      ("title: Int64", "has it as optional String", "declare it as 'String?'"),
      ("tags: NSOrderedSet?", "has it as a to-many relationship to Tag", "declare it as 'NSSet?'"),
      ("tags: Tag?", "has it as a to-many relationship to Tag", "declare it as 'NSSet?'"),
      ("tags: Set<Post>?", "has it as a to-many relationship to Tag", "declare it as 'NSSet?'"),
    ])
  func wrongType(declaration: String, model: String, advice: String) throws {
    let texts = try errors("  @NSManaged var \(declaration)")
    #expect(texts.count == 1)
    #expect(texts.first?.contains(model) == true)
    #expect(texts.first?.contains(advice) == true)
  }

  @Test("An enumeration cannot be @NSManaged, and the error says what to do")
  func enumerations() throws {
    let texts = try errors("  @NSManaged var mood: Mood", more: "enum Mood: Int16 { case calm }")
    #expect(texts.first?.contains("is of the enumeration 'Mood', which @NSManaged cannot hold") == true)
  }

  @Test(
    "Every type that an attribute can have is accepted, through aliases and with a module's name",
    arguments: [
      "title: String", "title: NSString?", "title: Swift.String!", "reads: Int", "reads: NSNumber", "reads: Int64?",
      "reads: Count", "tags: NSSet", "tags: Set<NSManagedObject>", "tags: Set<AnyHashable>", "tags: NSMutableSet?",
    ])
  func acceptedTypes(declaration: String) throws {
    #expect(try errors("  @NSManaged var \(declaration)", more: "typealias Count = Int64") == [])
  }

  @Test(
    "Methods that change no relationship, or another kind of one, are errors",
    arguments: [
      ("addToWords(_ value: Tag)", "has no to-many relationship that it could change"),
      ("insertIntoTags(_ value: Tag, at idx: Int)", "does not fit the unordered to-many relationship 'Post.tags'"),
      ("addToTags(_ value: Tag) -> Bool", "returns a value"),
    ])
  func wrongMethods(declaration: String, message: String) throws {
    #expect(try errors("  @NSManaged func \(declaration)").first?.contains(message) == true)
  }

  @Test("Classes that no other file can name, or that have parameters, are errors where they stand")
  func unreachableClasses() throws {
    let output = try TemporaryTarget.compile(
      entities: "<entity name=\"E\"><attribute name=\"x\" optional=\"YES\" attributeType=\"String\"/></entity>",
      source: """
        func f() {
          class Local: NSManagedObject { @NSManaged var x: String? }
          #if os(iOS)
          class Other: NSManagedObject { @NSManaged var x: UIColor? }
          #endif
        }
        class Box<T>: NSManagedObject { @NSManaged var x: String? }
        enum Space<T> { class Inner: NSManagedObject { @NSManaged var x: String? } }
        """)
    #expect(output.errorTexts.count == 3)
    for start in [
      "Classes.swift:2: @NSManaged in a class inside a function", "Classes.swift:7: 'Box' is generic",
      "Classes.swift:8: 'Space' is generic",
    ] {
      #expect(output.errorTexts.contains { $0.hasPrefix(start) }, "\(output.errorTexts)")
    }
  }

  @Test("A private class cannot be served from another file")
  func privateClasses() throws {
    let texts = try errors("", more: "private class Hidden: NSManagedObject { @NSManaged var x: Int64 }")
    #expect(texts.first?.contains("the class 'Hidden' is private") == true)
  }

  @Test("What another platform compiles may have types that are unknown here")
  func conditions() throws {
    let output = try TemporaryTarget.compile(
      entities: entity,
      source: """
        class Post: NSManagedObject {
        #if canImport(UIKit)
          @NSManaged var title: UIColor?
        #else
          @NSManaged var title: String?
        #endif
        }
        class Tag: NSManagedObject {}
        """)
    #expect(output.errorTexts == [])
    #expect(output.model.contains("#if (canImport(UIKit))\n  #error("))
    #expect(output.model.contains("#if !(canImport(UIKit))\n  @_silgen_name("))
  }

  @Test("A class for which no model has an entity reads its properties by name")
  func unmodelled() throws {
    var target = try TemporaryTarget()
    defer { target.remove() }
    try target.add(
      source: "Code.swift",
      """
      class Made: NSManagedObject {
        @NSManaged var count: Int32
        @NSManaged var others: NSSet?
        @NSManaged func addToOthers(_ value: Made)
      }
      """)
    let output = target.compile()
    #expect(output.errorTexts == [])
    #expect(output.registry.contains("{ (value(forKey: \"count\") as? Int32) ?? 0 }"))
    #expect(output.registry.contains("{ _change(\"others\", adding: argument0) }"))
  }

  @Test("Entities below a class that belongs to none count their properties by one common list")
  func sharedLayout() throws {
    let output = try TemporaryTarget.compile(
      entities: """
        <entity name="A" representedClassName="A"><attribute name="aaa" optional="YES" attributeType="String"/><attribute name="id" optional="YES" attributeType="String"/></entity>
        <entity name="B" representedClassName="B"><attribute name="id" optional="YES" attributeType="String"/></entity>
        """,
      source: """
        class Base: NSManagedObject { @NSManaged var id: String? }
        class A: Base { @NSManaged var aaa: String? }
        class B: Base {}
        """)
    #expect(output.errorTexts == [])
    // B's only property is first in its schema; the class above reads it where A has it, and the graph maps that.
    let lists = output.registry.split(separator: "\n").filter { $0.contains("propertyNames:") }
    #expect(lists == Array(repeating: "      propertyNames: [\"aaa\", \"id\"]),", count: 2))
    #expect(output.registry.contains("-> String? { _string(1) }"))
  }
}
