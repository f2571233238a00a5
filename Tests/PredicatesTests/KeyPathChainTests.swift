import Foundation
import Predicates
import Testing

/// What the build plugin generates for a module with these classes.
class AnnalsGeneratedModels: KeyPathNameTable {
  static func keyPathNames() -> [AnyKeyPath: String] {
    var names: [AnyKeyPath: String] = [:]
    names[\ChainPost.title] = "title"
    names[\ChainPost.author] = "author"
    names[\ChainPost.owner] = "owner"
    names[\ChainAuthor.name] = "name"
    names[\ChainAuthor?.?.name] = "name"
    names[\ChainAuthor.age] = "age"
    names[\ChainAuthor?.?.age] = "age"
    names[\ChainAuthor.boss] = "boss"
    names[\ChainAuthor?.?.boss] = "boss"
    names[\ChainAuthor.posts] = "posts"
    names[\ChainAuthor?.?.posts] = "posts"
    names[\ChainEditor.name] = "name"
    names[\ChainEditor?.?.name] = "name"
    return names
  }
}

class ChainPost: NSObject {
  dynamic var title: String?
  dynamic var author: ChainAuthor?
  dynamic var owner = ChainAuthor()
}

class ChainAuthor: NSObject {
  dynamic var name: String?
  dynamic var age: Int64 = 0
  dynamic var boss: ChainEditor?
  dynamic var posts: NSSet?
  var shown: String? { name }
}

class ChainEditor: ChainAuthor {}

@Suite("Names of key paths")
struct KeyPathChainTests {
  struct Case: Sendable {
    let path: @Sendable () -> AnyKeyPath
    let name: String?
  }

  static let cases: [Case] = [
    Case(path: { \ChainPost.title }, name: "title"),
    Case(path: { \ChainPost.author }, name: "author"),
    Case(path: { \ChainPost.author?.name }, name: "author.name"),
    Case(path: { \ChainPost.author!.name }, name: "author.name"),
    Case(path: { \ChainPost.author?.age }, name: "author.age"),
    Case(path: { \ChainPost.author!.age }, name: "author.age"),
    Case(path: { \ChainPost.author?.posts }, name: "author.posts"),
    Case(path: { \ChainPost.author?.boss?.name }, name: "author.boss.name"),
    Case(path: { \ChainPost.author?.boss!.name }, name: "author.boss.name"),
    Case(path: { \ChainPost.author!.boss!.name }, name: "author.boss.name"),
    Case(path: { \ChainPost.author!.boss?.name }, name: "author.boss.name"),
    Case(path: { \ChainPost.owner.name }, name: "owner.name"),
    Case(path: { \ChainPost.owner.age }, name: "owner.age"),
    Case(path: { \ChainPost.owner.boss?.name }, name: "owner.boss.name"),
    Case(path: { (\ChainPost.author).appending(path: \.!.age) }, name: "author.age"),
    // Nothing that a store could follow.
    Case(path: { \ChainPost.author?.shown }, name: nil),
    Case(path: { \ChainPost.author?.name?.count }, name: nil),
    Case(path: { \ChainPost.hash }, name: nil),
  ]

  @Test("D7: a key path of several properties has their names, with question and exclamation marks", arguments: cases)
  func chains(_ example: Case) {
    #expect(KeyPathNames.name(of: example.path()) == example.name)
  }

  @Test("A sort descriptor of a longer key path has its key, and sorts objects by it")
  func sorting() {
    let posts: [ChainPost] = ["b", nil, "a"].map { name in
      let post = ChainPost()
      if let name {
        let author = ChainAuthor()
        author.name = name
        post.author = author
      }
      return post
    }
    let sort = NSSortDescriptor(keyPath: \ChainPost.author?.name, ascending: true)
    #expect(sort.key == "author.name")
    #expect(posts.sorted { sort.compare($0, to: $1) == .orderedAscending }.map(\.author?.name) == [nil, "a", "b"])
    #expect(NSExpression(forKeyPath: \ChainPost.author?.name).keyPath == "author.name")
  }
}
