import RowStore

/// Posts in a store of rows.
final class AnnalsPosts: PostEngine {
  let name = "annals"
  let path: String
  private let store: RowStore
  private let title: RowColumn
  private let body: RowColumn
  private let views: RowColumn
  private let score: RowColumn
  private let date: RowColumn
  private let tag: RowColumn
  private let number: RowColumn
  /// By number: what a program keeps of rows that it wants to find again at no cost, as SQLite's caller keeps rowids.
  private var keys: [ObjectKey?] = [nil]

  private static let table = Table(
    "Post",
    [
      .integer("number"), .string("title"), .string("body"), .integer("views"), .double("score"), .date("date"),
      .integer("tag"),
    ], indexes: [["views"], ["tag"]])

  /// Opens the store and reads a row, as one who opens it does.
  static func open(_ folder: String) throws -> RowStore {
    let store = try RowStore(directory: folder, tables: [table])
    _ = try store.snapshot().rows("Post", limit: 1)
    return store
  }

  init(folder: String) throws {
    path = folder
    let store = try RowStore(directory: folder, tables: [Self.table])
    self.store = store
    func column(_ name: String) throws -> RowColumn { try store.column(name, of: "Post") }
    title = try column("title")
    body = try column("body")
    views = try column("views")
    score = try column("score")
    date = try column("date")
    tag = try column("tag")
    let number = try column("number")
    self.number = number
    try store.snapshot().forEachRow("Post") { row in
      let number = Int(row.integer(number) ?? 0)
      while keys.count <= number { keys.append(nil) }
      keys[number] = row.key
      return true
    }
  }

  private func attempt<T>(_ body: () throws -> T) -> T {
    do { return try body() } catch { fatalError("annals: \(error)") }
  }

  func insert(_ posts: ArraySlice<Post>) {
    attempt {
      try store.write { transaction in
        let inserter = try transaction.inserter("Post", ["number", "title", "body", "views", "score", "date", "tag"])
        for post in posts {
          let key = try inserter.insert([
            .int(post.id), .string(post.title), .string(post.body), .int(post.views), .double(post.score),
            .date(post.date), .int(post.tag),
          ])
          while keys.count <= Int(post.id) { keys.append(nil) }
          keys[Int(post.id)] = key
        }
      }
    }
  }

  private func touch(_ row: StoredRow) -> Int {
    var sum = Int(row.integer(number) ?? 0) + (row.withBytes(title) { $0.count } ?? 0)
    sum += (row.withBytes(body) { $0.count } ?? 0) + Int(row.integer(views) ?? 0) + Int(row.double(score) ?? 0)
    return sum + Int(row.date(date)?.timeIntervalSinceReferenceDate ?? 0) + Int(row.integer(tag) ?? 0)
  }

  func read(_ numbers: [Int]) -> Int {
    attempt {
      let snapshot = try store.snapshot()
      var sum = 0
      for number in numbers {
        guard let key = keys[number], let row = try snapshot.row(key) else { continue }
        sum &+= touch(row)
      }
      return sum
    }
  }

  func range(_ low: Int, _ high: Int) -> Int {
    attempt {
      let rows = try store.snapshot().rows(
        "Post", where: "views >= %ld AND views < %ld", [low, high], orderBy: ["views"])
      return rows.reduce(0) { $0 &+ touch($1) }
    }
  }

  func countContaining(_ word: String) -> Int {
    attempt { try store.snapshot().count("Post", where: "body CONTAINS %@", [word]) }
  }

  func countByTag() -> [Int] {
    attempt {
      var counts = [Int](repeating: 0, count: Post.tags)
      try store.snapshot().forEachRow("Post") { row in
        counts[Int(row.integer(tag) ?? 0)] += 1
        return true
      }
      return counts
    }
  }

  func update(_ changes: ArraySlice<(number: Int, views: Int, score: Double)>) {
    attempt {
      try store.write { transaction in
        for change in changes {
          guard let key = keys[change.number] else { continue }
          try transaction.update(key, ["views": .int(Int64(change.views)), "score": .double(change.score)])
        }
      }
    }
  }

  func delete(_ numbers: ArraySlice<Int>) {
    attempt {
      try store.write { transaction in
        for number in numbers {
          guard let key = keys[number] else { continue }
          try transaction.delete(key)
        }
      }
    }
  }

  func settle() {}
  func close() { attempt { try store.close() } }
}
