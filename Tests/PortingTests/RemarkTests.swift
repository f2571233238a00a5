import Porting
import Testing

@Suite("What can't be ported")
struct RemarkTests {
  static let remarks: [(String, String)] = [
    ("import UIKit", "1:1 import UIKit"),
    ("import class SwiftUI.View", "1:1 import SwiftUI"),
    ("let t = o.observe(\\.title) { _, _ in }", "1:11 observe"),
    ("o.addObserver(self, forKeyPath: \"a\", options: [], context: nil)", "1:3 addObserver(_:forKeyPath:)"),
    ("o.removeObserver(self, forKeyPath: \"a\")", "1:3 removeObserver"),
    ("override func observeValue(forKeyPath path: String?) {}", "1:15 observeValue"),
    ("let c = NSPersistentCloudKitContainer(name: \"A\")", "1:9 NSPersistentCloudKitContainer"),
    ("let c = NSClassFromString(\"Post\")", "1:9 NSClassFromString"),
    ("o.perform(Selector(\"go\"))", "1:3 perform(_:)"),
    ("if o.responds(to: s) {}", "1:6 responds(to:)"),
    ("class A { var token: NSKeyValueObservation? }", "1:22 NSKeyValueObservation"),
    ("let u = Bundle.main.url(forResource: name, withExtension: \"momd\")", "1:44 withExtension"),
    ("let s = #selector(go(_:))", "1:9 #selector"),
    ("let r = other as! NSFetchRequest<NSFetchRequestResult>", "1:15 as! NSFetchRequest"),
    ("let r = other as? NSFetchedResultsController<Post>", "1:15 as? NSFetchedResultsController"),
    (
      "func f() {\n  let r = Post.fetchRequest()\n  c.fetch(r)\n  use(r as! NSFetchRequest<NSFetchRequestResult>)\n}",
      "4:9 as! NSFetchRequest"
    ),
    (
      "class A {\n  let r = Post.fetchRequest()\n  func f() { use(r as! NSFetchRequest<NSFetchRequestResult>) }\n}",
      "3:20 as! NSFetchRequest"
    ),
    ("let k = #keyPath(Post.isDeleted)", "1:9 #keyPath"),
    ("let k = #keyPath(Post /* ours */ .title)", "1:9 #keyPath"),
    ("struct V { @FetchRequest(sortDescriptors: []) var posts: R }", "1:12 @FetchRequest"),
    ("class func keyPathsForValuesAffectingName() -> Set<String> { [] }", "1:12 keyPathsForValuesAffectingName"),
    (
      "override func validateValue(_ v: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey k: String) throws {}",
      "1:15 validateValue"
    ),
    ("enum K: Int16 { case a }\nclass A: NSManagedObject { @NSManaged var kind: K }", "2:43 @NSManaged var kind"),
    ("let c = center.publisher(for: name)", "1:16 publisher(for:)"),
    ("class A: NSManagedObject {}\nextension A { convenience init(context: C) {} }", "2:27 init(context:)"),
  ]

  @Test("is left as it is, and told with its place and its cure", arguments: remarks)
  func remark(text: String, expected: String) throws {
    let file = port(text)
    #expect(file.text == text)
    let note = try #require(file.remarks.first)
    #expect("\(note.line):\(note.column) \(note.what)".hasPrefix(expected))
    #expect(!note.cure.isEmpty)
    #expect(file.remarks.count == 1)
    #expect(note.description.hasPrefix("A.swift:\(note.line):\(note.column): not ported: "))
  }

  static let fine: [String] = [
    "context.perform { save() }", "center.addObserver(forName: n, object: nil, queue: nil) { _ in }",
    "NSPredicate(format: \"title == %@\", title as CVarArg)", "import Foundation\nimport CoreData",
    "let c = NSClassFromString(\"App.Post\")", "let c = NSClassFromString(name)", "x as! NSFetchRequestResult",
    "func perform(_ s: Selector) {}", "func observe(_ x: Int) {}\nobserve(1)", "let a = b as! Set<Post>",
    "func validateTitle(_ v: String) throws {}",
    "func validateTitle(_ v: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}",
    "class A: NSManagedObject { @NSManaged var kind: Int16 }",
    "enum K { case a }\nclass A: NSManagedObject { var kind: K { .a } }",
  ]

  @Test("ordinary code gives no remark", arguments: fine)
  func ordinary(text: String) { #expect(port(text).notes == []) }
}
