import Porting
import Testing

@Suite("What is written in the form that both platforms have")
struct RewriteTests {
  static let examples: [Example] = [
    Example("a key path", "let a = #keyPath(Post.title)", #"let a = "title""#),
    Example("a longer one", "let a = #keyPath(Post.author.name)", #"let a = "author.name""#),
    Example("types inside types and modules", "let a = #keyPath(App.Blog.Post.title)", #"let a = "title""#),
    Example("inside its class", "let a = #keyPath(author.name)", #"let a = "author.name""#),
    Example("over lines", "let a = #keyPath(\n  Post.title\n)", #"let a = "title""#),
    Example("optional steps and keywords", "let a = #keyPath(Post.author?.`default`)", #"let a = "author.default""#),
    Example(
      "renamed for Objective-C", "class A: NSObject {\n  @objc(done) var isDone = true\n}\nlet a = #keyPath(A.isDone)",
      "class A: NSObject {\n  var isDone = true\n}\nlet a = \"done\""),
    Example("in a string's code", #"let a = "\(#keyPath(Post.title)) == %@""#, #"let a = "\("title") == %@""#),
    Example(
      "in a raw string's code", ##"let a = #"\(#keyPath(A.b)) \#(#keyPath(A.b))"#"##,
      ##"let a = #"\(#keyPath(A.b)) \#("b")"#"##),
    Example("in code of code", #"let a = "\("\(#keyPath(A.b))")""#, #"let a = "\("\("b")")""#),
    Example(
      "a selector of a comparison",
      "NSSortDescriptor(key: k, ascending: true, selector: #selector(NSString.localizedStandardCompare(_:)))",
      #"NSSortDescriptor(key: k, ascending: true, selector: Selector(("localizedStandardCompare:")))"#),
    Example(
      "a short one", "let s = #selector(NSString.caseInsensitiveCompare)",
      #"let s = Selector(("caseInsensitiveCompare:"))"#),
    Example(
      "an erased request of a class",
      "NSBatchDeleteRequest(fetchRequest: Post.fetchRequest() as! NSFetchRequest<NSFetchRequestResult>)",
      "NSBatchDeleteRequest(fetchRequest: Post.fetchRequest() as NSFetchRequest<NSFetchRequestResult>)"),
    Example(
      "an erased request by name",
      #"let r = NSFetchRequest<Post>(entityName: "Post") as! NSFetchRequest<any NSFetchRequestResult>"#,
      #"let r = NSFetchRequest<any NSFetchRequestResult>(entityName: "Post")"#),
    Example(
      "a typed request by name",
      #"let r = NSFetchRequest<NSFetchRequestResult>(entityName: Name.post) as! NSFetchRequest<Post>"#,
      #"let r = NSFetchRequest<Post>(entityName: Name.post)"#),
    Example(
      "a typed request of a class", "let r = Post.fetchRequest() as! NSFetchRequest<Post>",
      "let r = NSFetchRequest<Post>(entityName: Post.entity().name!)"),
    Example(
      "a typed request of a class that declares it",
      "extension Post { class func fetchRequest() -> NSFetchRequest<Post> { a } }\nlet r = Post.fetchRequest() as! NSFetchRequest<Post>",
      "extension Post { class func fetchRequest() -> NSFetchRequest<Post> { a } }\nlet r = Post.fetchRequest() as NSFetchRequest<Post>"
    ),
    Example(
      "a local request that is only cast",
      """
      func clear() {
        let request: NSFetchRequest<Post> = Post.fetchRequest()
        request.predicate = p
        try run(NSBatchDeleteRequest(fetchRequest: request as! NSFetchRequest<NSFetchRequestResult>))
        perform { try c.fetch(request as! NSFetchRequest<any NSFetchRequestResult>) }
      }
      """,
      """
      func clear() {
        let request: NSFetchRequest<NSFetchRequestResult> = Post.fetchRequest()
        request.predicate = p
        try run(NSBatchDeleteRequest(fetchRequest: request))
        perform { try c.fetch(request) }
      }
      """),
    Example(
      "one whose type is not written",
      "func f() {\n  let r = App.Post.fetchRequest()\n  use(r: r as! NSFetchRequest<NSFetchRequestResult>)\n}",
      "func f() {\n  let r: NSFetchRequest<NSFetchRequestResult> = App.Post.fetchRequest()\n  use(r: r)\n}"),
    Example(
      "one made by name",
      "func f() {\n  let r = NSFetchRequest<Post>(entityName: n)\n  use(r as! NSFetchRequest<NSFetchRequestResult>)\n}",
      "func f() {\n  let r = NSFetchRequest<NSFetchRequestResult>(entityName: n)\n  use(r)\n}"),
    Example(
      "an initialiser",
      "class A: B {\n  public override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {}\n}",
      "class A: B {\n  public required override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {}\n}"
    ),
    Example(
      "an initialiser of a context",
      "class A: NSManagedObject {}\nclass B: A {\n  convenience init(context: NSManagedObjectContext) {}\n}",
      "class A: NSManagedObject {}\nclass B: A {\n  required convenience init(context: NSManagedObjectContext) {}\n}"),
    Example(
      "other initialisers stay",
      "class A: B {\n  override init(frame: CGRect) {}\n  init(entity: E, insertInto c: C?, more: Int) {}\n}",
      "class A: B {\n  override init(frame: CGRect) {}\n  init(entity: E, insertInto c: C?, more: Int) {}\n}"),
    Example(
      "an ambiguous name", "import CoreData\nimport Foundation\nlet e: NSExpression = f()\n",
      "import CoreData\nlet e: NSExpression = f()\n"),
    Example(
      "a name that is not ambiguous", "import CoreData\nimport Foundation\nlet e = NSExpression(forKeyPath: \"a\")\n",
      "import CoreData\nimport Foundation\nlet e = NSExpression(forKeyPath: \"a\")\n"),
  ]

  @Test("is rewritten, once", arguments: examples)
  func rewriting(example: Example) {
    let file = port(example.before)
    #expect(file.text == example.after)
    #expect(file.remarks == [])
    #expect(port(file.text).notes == [])
  }

  @Test("Every change names its place and what was done")
  func places() {
    let notes = port("import CoreData\n\n  @objc(A) class A: NSManagedObject {\n    let k = #keyPath(A.b)\n  }\n").notes
    #expect(notes.map(\.description) == ["A.swift:3:3: removed @objc(A)", "A.swift:4:13: #keyPath(A.b) is now \"b\""])
  }

  @Test("Files of a run know each other")
  func acrossFiles() {
    let files = Porter.port([
      (path: "A.swift", bytes: Array("class A: NSManagedObject {}".utf8)),
      (path: "B.swift", bytes: Array("class B: A { convenience init(context: NSManagedObjectContext) {} }".utf8)),
    ])
    #expect(
      files.map(\.text) == [
        "class A: NSManagedObject {}", "class B: A { required convenience init(context: NSManagedObjectContext) {} }",
      ])
  }
}
