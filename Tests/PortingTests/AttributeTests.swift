import Porting
import Testing

@Suite("@objc in its forms")
struct AttributeTests {
  static let removed: [Example] = [
    Example(
      "on a line of its own", "@objc(Post)\npublic class Post: NSManagedObject {}\n",
      "public class Post: NSManagedObject {}\n"),
    Example("indented, with arguments over lines", "  @objc(\n    a:b:)\n  func a() {}\n", "  func a() {}\n"),
    Example(
      "before other attributes", "@objc(addTagsObject:) @NSManaged func addToTags(_ t: Tag)",
      "@NSManaged func addToTags(_ t: Tag)"),
    Example("between", "@NSManaged @objc public var a: String?", "@NSManaged public var a: String?"),
    Example(
      "at a line's end", "class A: B {\n  public @objc\n  func a() {}\n}", "class A: B {\n  public\n  func a() {}\n}"),
    Example("after a modifier", "public @objc func a() {}", "public func a() {}"),
    Example("without space", "public@objc(a)func a() {}", "public func a() {}"),
    Example("members", "@objcMembers final class A: NSObject {}", "final class A: NSObject {}"),
    Example("with a comment behind", "@objc // for Core Data\nvar a = 1", "// for Core Data\nvar a = 1"),
    Example("dynamic stays", "@objc dynamic var a = 1", "dynamic var a = 1"),
    Example("@nonobjc stays", "@nonobjc class func f() {}", "@nonobjc class func f() {}"),
    Example("an enumeration", "@objc public enum Kind: Int16 { case a }", "public enum Kind: Int16 { case a }"),
    Example("an extension", "@objc extension A { func b() {} }", "extension A { func b() {} }"),
    Example("Windows' lines", "@objc(A)\r\nclass A: B {\r\n}\r\n", "class A: B {\r\n}\r\n"),
    Example("a byte order mark", "\u{FEFF}@objc(A)\nclass A: B {}\n", "\u{FEFF}class A: B {}\n"),
    Example("a protocol stays one of classes", "@objc protocol P { func a() }", "protocol P: AnyObject { func a() }"),
    Example("a protocol that inherits", "@objc protocol P: Q { func a() }", "protocol P: AnyObject, Q { func a() }"),
    Example(
      "a protocol of classes already", "@objc protocol P: NSObjectProtocol {}", "protocol P: NSObjectProtocol {}"),
    Example(
      "in code inside a string", #"let a = "\({ () -> Int in class A { @objc var b = 1 }; return 1 }()) @objc""#,
      #"let a = "\({ () -> Int in class A { var b = 1 }; return 1 }()) @objc""#),
  ]

  @Test("goes, with the space it leaves", arguments: removed)
  func removal(example: Example) {
    let file = port(example.before)
    #expect(file.text == example.after)
    #expect(file.remarks == [])
    #expect(port(file.text).notes == [])
  }

  static let guarded: [Example] = [
    Example(
      "a name on its line", "@objc(Post)\npublic class Post: A {}\n",
      "#if canImport(ObjectiveC)\n@objc(Post)\n#endif\npublic class Post: A {}\n"),
    Example(
      "before an attribute, indented", "  @objc(addTagsObject:) @NSManaged func addToTags(_ t: Tag)\n",
      "  #if canImport(ObjectiveC)\n  @objc(addTagsObject:)\n  #endif\n  @NSManaged func addToTags(_ t: Tag)\n"),
    Example(
      "after a modifier, inside a line", "class A: B { public @objc func a() {} }\n",
      "class A: B { \n#if canImport(ObjectiveC)\n@objc\n#endif\npublic func a() {} }\n"),
    Example(
      "what goes without saying goes", "@objc @NSManaged var a: String?\n@objc class A: B {}\n",
      "@NSManaged var a: String?\nclass A: B {}\n"),
    Example(
      "Windows' lines", "@objc(A)\r\nclass A: B {}\r\n",
      "#if canImport(ObjectiveC)\r\n@objc(A)\r\n#endif\r\nclass A: B {}\r\n"),
  ]

  @Test("stays for Apple's platforms when that is asked for", arguments: guarded)
  func guarding(example: Example) {
    let file = port(example.before, guarding: true)
    #expect(file.text == example.after)
    #expect(port(file.text, guarding: true).notes == [])
    #expect(port(file.text).notes == [])
  }

  @Test("stays for Apple's platforms where the code would not compile there without")
  func neededByCompiler() {
    let selected = port("class A: B {\n  @objc func go() {}\n  #if os(iOS)\n  let s = #selector(go)\n  #endif\n}\n")
    #expect(selected.text.contains("  #if canImport(ObjectiveC)\n  @objc\n  #endif\n  func go() {}"))
    let stored = port("@objc enum Kind: Int16 { case a }\nclass A: NSManagedObject { @NSManaged var kind: Kind }\n")
    #expect(stored.text.hasPrefix("#if canImport(ObjectiveC)\n@objc\n#endif\nenum Kind"))
    let validating = port(
      "class A: NSManagedObject {\n  @objc func validateA(_ v: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}\n}\n"
    )
    #expect(validating.text.contains("  #if canImport(ObjectiveC)\n  @objc\n  #endif\n  func validateA("))
    #expect(validating.remarks == [])
    let overridden = port("extension A {\n  @objc func go() {}\n}\nclass B: A { override func go() {} }\n")
    #expect(overridden.text.contains("@objc\n  #endif\n  func go()"))
  }

  @Test("says which removals weaken programs on Apple's platforms")
  func weakening() {
    func isWeakening(_ text: String) -> Bool? { port(text).changes.first?.weakensApple }
    #expect(isWeakening("@objc(Post) class Post: NSManagedObject {}") == true)
    #expect(isWeakening("@objc dynamic var a = 1") == true)
    #expect(isWeakening("@objc @NSManaged var a: String?") == false)
    #expect(isWeakening("@objc override func a() {}") == false)
  }

  @Test("optional requirements can't be ported; their protocol is left whole")
  func optionalRequirements() {
    let text = "@objc protocol P {\n  @objc optional func a()\n  @objc func b()\n}\n"
    let file = port(text)
    #expect(file.text == text)
    #expect(file.remarks.map(\.line) == [1])
  }

  @Test("an attribute that belongs to nothing known is reported, not dropped")
  func unknownOwner() {
    let file = port("@objc macroish thing\n")
    #expect(file.changes == [])
    #expect(file.remarks.count == 1)
  }
}
