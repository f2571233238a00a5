/// Hand-written classes as unfriendly as the language lets them be.
enum NastySources {
  /// Properties of one class, as name and type.
  private static let properties: [(name: String, type: String)] = [
    ("title", "String?"), ("body", "String"), ("created", "Date"), ("edited", "Date?"), ("reads", "Int64"),
    ("stars", "Int32"), ("rank", "Int16"), ("score", "Double"), ("weight", "Float"), ("isDraft", "Bool"),
    ("cover", "Data?"), ("key", "UUID?"), ("link", "URL?"), ("price", "NSDecimalNumber?"), ("cost", "Decimal"),
    ("legacyCount", "NSNumber?"), ("payload", "NSObject?"), ("author", "Author?"), ("tags", "NSSet?"),
    ("steps", "NSOrderedSet?"), ("typed", "Set<Tag>"), ("typedOptional", "Set<Tag>?"),
    ("hashables", "Set<AnyHashable>"),
    ("maybe", "Int?"), ("maybe16", "Int16?"), ("maybeBool", "Bool?"), ("count", "Int"), ("unsigned", "UInt32"),
    ("seconds", "TimeInterval"), ("anything", "Any?"), ("object", "AnyObject?"), ("plainAny", "Any"),
    ("words", "[String]"), ("numbers", "[Int64]?"), ("table", "[String: Any]?"), ("pairs", "[String: String]"),
    ("nested", "[[String: [Date]]]?"), ("dates", "[Date: Date]"), ("attributed", "NSAttributedString?"),
    ("array", "NSArray"), ("dictionary", "NSDictionary?"), ("string", "NSString"), ("data", "NSData"),
    ("date", "NSDate?"), ("url", "NSURL?"), ("uuid", "NSUUID?"), ("mutable", "NSMutableSet?"),
    ("mutableOrdered", "NSMutableOrderedSet"), ("identifier", "NSManagedObjectID?"),
    ("anyObjectOfAll", "NSManagedObject?"),
    ("parent", "Post?"), ("children", "Set<Post>"), ("forced", "String!"), ("forcedPost", "Post!"),
    ("inner", "Outer.Inner?"), ("deepest", "Outer.Middle.Deepest?"), ("box", "Box?"), ("aliased", "Names"),
    ("qualified", "Foundation.Date?"), ("own", "App.Tag?"), ("stdlib", "Swift.String"), ("generic", "Optional<Date>"),
    ("list", "Array<Int>"), ("map", "Dictionary<String, Int>"), ("indexes", "IndexSet"), ("place", "CGRect"),
    // Names of one letter, with digits, underscores, keywords and repeated words.
    ("x", "Int64"), ("y", "String?"), ("a1", "String"), ("_", ""), ("_hidden", "Int32"), ("__twice", "Bool"),
    ("trailing_", "Bool"), ("snake_case_name", "String?"), ("SCREAMING_NAME", "Double"), ("Post", "Double"),
    ("App", "Double"), ("String", "Double"), ("postPostPost", "Double"), ("postsOfPost", "Double"),
    ("authorAuthor", "Author?"), ("tagTagTag", "Set<Tag>?"), ("value1Value2Value1", "Int16"), ("URLOfURL", "URL?"),
    ("aBcDeFgHiJkLmNoPqRsTuVwXyZ", "Double"), ("iPhoneURLString", "String?"), ("x2y2", "Int32"),
    ("default", "String?"), ("class", "String?"), ("in", "Int64"), ("switch", "Bool"), ("init", "Double"),
    ("post_Post", "Float"), ("post1_post1_", "Float"), ("_1", "Float"), ("a_1_b", "Float"), ("AA", "Float"),
    ("daterDate", "Date"), ("swift", "Int8"), ("foundationEssentials", "Date"), ("setOfSet", "Set<String>"),
    (
      "oneTwoThreeFourFiveSixSevenEightNineTenElevenTwelveThirteenFourteenFifteenSixteenSeventeenEighteenNineteen"
        + "TwentyTwentyOneTwentyTwoTwentyThreeTwentyFourTwentyFiveTwentySixTwentySevenTwentySevenTwentySix", "Date?"
    ),
    // Beyond ASCII.
    ("größe", "Double"), ("名前", "String?"), ("naïveÉtude", "Set<Übung>?"), ("übung", "Übung?"), ("emoji🎉", "Int64"),
    ("日付Date", "Date"), ("ж", "Bool"), ("éa", "Bool"), ("aé1", "Bool"), ("𝒳", "String"),
  ].filter { $0.name != "_" }

  private static let keywords: Set<String> = ["default", "class", "in", "switch", "init", "self", "Type"]

  private static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// Declarations of all properties.
  private static func declarations(_ prefix: String = "", access: String) -> String {
    properties.map { "  @NSManaged \(access)var \(escaped(prefix + $0.name)): \($0.type)" }.joined(separator: "\n")
  }

  /// Reads and writes of all properties.
  private static func uses(_ prefix: String = "") -> String {
    properties.map { property in
      let name = escaped(prefix + property.name)
      return "  do { let value = o.\(name); o.\(name) = value }"
    }.joined(separator: "\n")
  }

  static let main = """
    import Foundation
    import ObjectGraph

    public typealias Names = [String]
    public class Author: NSManagedObject { @NSManaged public var name: String? }
    public class Tag: NSManagedObject {}
    public class Übung: NSManagedObject {
      @NSManaged public var länge: Double
      @NSManaged public var verwandte: Set<Übung>
    }
    public class Box: NSObject {}
    public enum Outer {
      public class Inner: NSManagedObject {
        @NSManaged public var inner: Inner?
        @NSManaged public var post: Post?
      }
      public struct Middle {
        public final class Deepest: NSManagedObject { @NSManaged public var outer: Outer.Inner? }
      }
    }
    /* A comment with a brace { and /* another */ in it. */
    public class Post: NSManagedObject {
      let text = "a string } with \\("{" + #"raw \\"}"# ) braces"
      let pattern = #/[{"]/#
    \(declarations(access: "public "))
      func ignored() { if text.isEmpty { print("}") } }
      @NSManaged private var secret: String?
      @NSManaged fileprivate var primitiveTitle: String?
      @NSManaged private func addSecretly(_ value: Post)
      func useSecrets() {
        secret = primitiveTitle
        primitiveTitle = secret
        addSecretly(self)
      }
    }

    extension Post {
    \(declarations("ext", access: "public "))
    #if os(Linux)
      @NSManaged public func addToTags(_ value: Tag)
      @NSManaged public func removeFromTags(_ value: Tag)
    #endif
      @NSManaged public func addToTags(_ values: NSSet)
      @NSManaged public func removeFromTags(_ values: NSSet)
      @NSManaged public func insertIntoSteps(_ value: Post, at idx: Int)
      @NSManaged public func removeFromSteps(at idx: Int)
      @NSManaged public func insertIntoSteps(_ values: [Tag], at indexes: NSIndexSet)
      @NSManaged public func removeFromSteps(at indexes: NSIndexSet)
      @NSManaged public func replaceSteps(at idx: Int, with value: Tag)
      @NSManaged public func replaceSteps(at indexes: NSIndexSet, with values: [Post])
      @NSManaged public func addToSteps(_ values: NSOrderedSet)
      @NSManaged public func addToChildren(_ values: Set<Post>)
      @NSManaged func removeFromChildren(_ values: Set<Post>)
      @NSManaged func removeAll()
    }

    extension Outer.Inner { @NSManaged public var more: Outer.Middle.Deepest?, again: String }

    func use(_ o: Post, tag: Tag, deep: Outer.Middle.Deepest) {
    \(uses())
    \(uses("ext"))
      o.addToTags(tag)
      o.removeFromTags(tag)
      o.addToTags(NSSet())
      o.removeFromTags(NSSet())
      o.insertIntoSteps(o, at: 1)
      o.removeFromSteps(at: 1)
      o.insertIntoSteps([tag], at: NSIndexSet())
      o.removeFromSteps(at: NSIndexSet())
      o.replaceSteps(at: 1, with: tag)
      o.replaceSteps(at: NSIndexSet(), with: [o])
      o.addToSteps(NSOrderedSet())
      o.addToChildren([o])
      o.removeFromChildren([o])
      o.removeAll()
      deep.outer?.more = deep
      deep.outer?.again += "x"
      print(deep.outer?.more as Any)
    }
    """

  /// A second file, so that private members of two files are told apart.
  static let other = """
    import Foundation
    import ObjectGraph

    class Sub: Post {
      @NSManaged private var secret2: Date?
      override var title: String? { didSet { secret2 = nil } }
      @NSManaged var ownSub: Sub?
      func useSecrets2() -> Date? { secret2 }
    }
    extension Sub { @NSManaged fileprivate var secret: Set<Sub> }
    func useSub(_ o: Sub) {
      o.secret = o.secret
      o.ownSub = o.ownSub
    }
    """

  /// Compiled as several modules.
  static let small = """
    import Foundation
    import ObjectGraph

    public class Post: NSManagedObject {
      @NSManaged public var Post: Post?
      @NSManaged public var a: Set<Post>?
      @NSManaged public var PostPost2: [String: Post]
      @NSManaged public var übung: Date
      @NSManaged fileprivate var primitivePost: Date?
      @NSManaged public func addToPost(_ value: Post)
      @NSManaged public func a(a: Int, Post: Post, übung: Date?)
    }
    func use(_ o: Post) {
      o.addToPost(o)
      o.a(a: 1, Post: o, übung: nil)
    }
    """
}
