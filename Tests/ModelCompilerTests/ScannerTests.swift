import ModelCompiler
import Testing

@Suite struct ScannerTests {
  private func scan(_ text: String) -> [ScannedType] { SwiftScanner.scan(text, path: "A.swift").types }

  @Test("Braces in strings, comments, interpolations and regular expressions do not close a class")
  func bracesInText() throws {
    let types = scan(
      #"""
      // } class Commented: NSManagedObject { @NSManaged var no: Int }
      /* } /* nested } */ @NSManaged var no: Int */
      class A: NSManagedObject {
        let a = "} \(f("}") + "\("}")") {"
        let b = """
          } " { \(x)
          """
        let c = #"\"# , d = ##"}"#}"##
        let e = /[}"]/
        let f = #/}"/#
        let g = 4 / 2 , h = x /  y
        @NSManaged var yes: Int
      }
      class B {}
      """#)
    #expect(types.map(\.path) == [["A"], ["B"]])
    #expect(types[0].properties.map(\.name) == ["yes"])
  }

  /// Source with a slash in it, and its tokens.
  static let slashes: [(source: String, tokens: [String])] = [
    ("a!/b // \"it", ["a", "!", "/", "b"]),
    ("x.case/y/z", ["x", ".", "case", "/", "y", "/", "z"]),
    ("f()\n  /\"\\//.a", ["f", "(", ")", "/\"\\//", ".", "a"]),
    ("reduce(1, /) + reduce(2, /)", ["reduce", "(", "1", ",", "/", ")", "+", "reduce", "(", "2", ",", "/", ")"]),
    ("f(/, /)", ["f", "(", "/", ",", "/", ")"]),
    ("[/[\")]/: a]", ["[", "/[\")]/", ":", "a", "]"]),
    ("/* \" *//x\"/", ["/x\"/"]),
    ("a = /b\\\n/c", ["a", "=", "/", "b", "\\", "/", "c"]),
    ("return /(\")/", ["return", "/(\")/"]),
    ("a ?? #/\n \" /#/b", ["a", "?", "?", "#/\n \" /#", "/", "b"]),
    ("1/2/\"s\"", ["1", "/", "2", "/", "\"s\""]),
  ]

  @Test("A slash divides, or begins a regular expression, as it does for the compiler", arguments: slashes)
  func slash(source: String, tokens: [String]) {
    #expect(SwiftLexer.tokens(of: Array(source.utf8)).map(\.text) == tokens)
  }

  @Test("Bodies are skipped, types inside types are found by their whole path")
  func nesting() {
    let types = scan(
      """
      public enum Space {
        static func make() { class Local { @NSManaged var no: Int } }
        final class Inner: NSManagedObject {
          @NSManaged private(set) var a: Int, b: String?
          @NSManaged public var c, d: [String: Date]
          var computed: Int { get { 1 } set { print("{") } }
          subscript(i: Int) -> Int { i }
          init() { if true { } }
        }
      }
      extension Space.Inner: Sendable where Self: AnyObject { @NSManaged func addToTags(_ x: Tag) }
      """)
    #expect(types.map(\.path) == [["Space"], ["Space", "Inner"], ["Space", "Inner"]])
    #expect(types[1].properties.map(\.name) == ["a", "b", "c", "d"])
    #expect(types[1].properties.map(\.access) == [.internal, .internal, .public, .public])
    #expect(types[1].properties.map { $0.type.description } == ["Int", "String?", "[String: Date]", "[String: Date]"])
    #expect(types[1].propertyNames.contains("computed"))
    #expect(types[2].methods.map(\.fullName) == ["addToTags(_:)"])
  }

  @Test("Access levels come from the member, its extension, or its type")
  func access() {
    let types = scan(
      """
      public extension A { @NSManaged var a: Int; @NSManaged private var b: Int }
      private class C { @NSManaged var c: Int }
      open class D { @NSManaged var d: Int; @objc @NSManaged open fileprivate var e: Int }
      """)
    #expect(types[0].properties.map(\.access) == [.public, .private])
    #expect(types[1].properties.map(\.access) == [.fileprivate])
    #expect(types[2].properties.map(\.access) == [.internal, .fileprivate])
  }

  @Test("Conditional compilation is remembered with its negations")
  func conditions() {
    let types = scan(
      """
      class A {
      #if os(iOS)
        @NSManaged var a: UIColor
      #elseif DEBUG // why
        @NSManaged var b: Int
      #else
        @NSManaged var c: Int
      #if X
        @NSManaged var d: Int
      #endif
      #endif
        @NSManaged var e: Int
      }
      """)
    #expect(
      types[0].properties.map(\.condition) == [
        "(os(iOS))", "!(os(iOS)) && (DEBUG)", "!(os(iOS)) && !(DEBUG)", "!(os(iOS)) && !(DEBUG) && (X)", nil,
      ])
  }

  @Test("Methods keep labels and types, and lines are those of the file")
  func methods() {
    let types = scan(
      """

      extension A {
        @NSManaged public func insertIntoSteps(_ values: [Step], at indexes: NSIndexSet)
        @NSManaged func count() -> Int
      }
      """)
    #expect(types[0].methods.map(\.fullName) == ["insertIntoSteps(_:at:)", "count()"])
    #expect(types[0].methods.map(\.returnsValue) == [false, true])
    #expect(types[0].methods[0].parameters.map { $0.type.description } == ["[Step]", "NSIndexSet"])
    #expect(types[0].methods.map(\.location.line) == [3, 4])
  }

  @Test("Text that is no Swift, or ends in the middle, is survived")
  func garbage() {
    for text in [
      "", "class", "class A {", "\"", "\"\"\"", "/*", "`", "#if", "@", "@NSManaged var", "var x: [", "func f(",
      "class A { @NSManaged var a: Set<", "}}}}", "extension .", "#\"", "\\(", "class A { @NSManaged func f(_ a:",
    ] {
      _ = scan(text)
    }
  }
}
