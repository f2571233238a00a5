import Annals
import Foundation

/// Fetching through the object graph: a context that has nothing yet, warm caches; against SQLite's C API with the
/// same indexes, whose rows are only looked at.
final class FetchBench {
  static let names = [
    "fetch-by-id", "fetch-unique", "fetch-wide", "fetch-range", "fetch-contains", "fetch-folded", "fetch-group",
    "fetch-top", "fetch-tagged",
  ]

  private let options: Options
  private let blog: BlogData
  private let ours: AnnalsBlog
  private let peer: SQLiteBlog

  init(folder: URL, options: Options) throws {
    self.options = options
    blog = BlogData(count: options.postCount)
    ours = try AnnalsBlog(folder: folder)
    peer = SQLiteBlog(path: folder.appendingPathComponent("blog.sqlite").path)
    try ours.fill(blog)
    peer.fill(blog)
  }

  func run() throws {
    try runLookups()
    try runLists()
    try runSearches()
    try runSummaries()
  }

  private func numbers(_ count: Int) -> [Int] {
    var random = SplitMix(state: 7)
    return (0..<count).map { _ in 1 + Int(random.next() % UInt64(blog.count)) }
  }

  private func runLookups() throws {
    let many = numbers(100_000)
    try compare("fetch-by-id", operations: many.count) { context in
      many.reduce(0) { $0 &+ Int((context.object(with: ours.ids[$1 - 1]) as? BlogPost)?.views ?? 0) }
    } peer: {
      many.reduce(0) { sum, number in
        sum &+ peer.sum("SELECT views FROM post WHERE id = ?", { $0.bind(1, Int64(number)) }, { Int($0.int(0)) })
      }
    }
    let few = numbers(20_000)
    try compare("fetch-unique", operations: few.count) { context in
      try few.reduce(0) { sum, number in
        try context.fetch(AnnalsBlog.request("number == %ld", number)).reduce(sum) { $0 &+ Int($1.views) }
      }
    } peer: {
      few.reduce(0) { sum, number in
        sum &+ peer.sum("SELECT * FROM post WHERE number = ?", { $0.bind(1, Int64(number)) }, { Int($0.int(4)) })
      }
    }
  }

  private func runLists() throws {
    let limit = min(100_000, blog.count)
    try compare("fetch-wide", operations: limit) { context in
      let request = AnnalsBlog.request()
      request.fetchLimit = limit
      return try context.fetch(request).reduce(0) { $0 &+ touch($1) }
    } peer: {
      peer.sum("SELECT * FROM post LIMIT ?", { $0.bind(1, Int64(limit)) }) { row in
        let texts = row.textBytes(2) + row.textBytes(3) + row.textBytes(7) + row.textBytes(8)
        let numbers = Int(row.int(1)) + Int(row.int(4)) + Int(row.int(9)) + Int(row.int(10))
        return texts + numbers + Int(row.double(5)) + Int(row.double(6))
      }
    }
    let low = Post.viewsMax / 3
    let high = low + Post.viewsMax / 100
    try compare("fetch-range", operations: blog.count / 100) { context in
      let request = AnnalsBlog.request("views >= %ld AND views < %ld", low, high)
      request.sortDescriptors = [NSSortDescriptor(keyPath: \BlogPost.views, ascending: true)]
      return try context.fetch(request).reduce(0) { $0 &* 3 &+ Int($1.views) &+ $1.title.utf8.count }
    } peer: {
      let row = peer.database.statement("SELECT * FROM post WHERE views >= ? AND views < ? ORDER BY views, id")
      row.bind(1, Int64(low))
      row.bind(2, Int64(high))
      var sum = 0
      while row.next() { sum = sum &* 3 &+ Int(row.int(4)) &+ row.textBytes(2) }
      return sum
    }
  }

  private func touch(_ post: BlogPost) -> Int {
    let texts = post.title.utf8.count + post.body.utf8.count + post.author.utf8.count + post.language.utf8.count
    let numbers = Int(post.number) + Int(post.views) + (post.isDraft ? 1 : 0) + Int(post.mainTag)
    return texts + numbers + Int(post.score) + Int(post.date.timeIntervalSinceReferenceDate)
  }

  private func runSearches() throws {
    try compare("fetch-contains", operations: blog.count) { context in
      try context.count(for: AnnalsBlog.request("body CONTAINS %@", Post.needle as NSString))
    } peer: {
      peer.sum("SELECT count(*) FROM post WHERE instr(body, ?) > 0", { $0.bind(1, Post.needle) }, { Int($0.int(0)) })
    }
    try compare("fetch-folded", operations: blog.count) { context in
      try context.count(for: AnnalsBlog.request("body CONTAINS[cd] %@", "XYZneedle" as NSString))
    } peer: {
      peer.sum("SELECT count(*) FROM post WHERE body LIKE ?", { $0.bind(1, "%XYZneedle%") }, { Int($0.int(0)) })
    }
    let names = stride(from: 0, to: blog.tagNames.count, by: 20).map { blog.tagNames[$0] }
    try compare("fetch-tagged", operations: names.count) { context in
      try names.reduce(0) { sum, name in
        try context.fetch(AnnalsBlog.request("ANY tags.name == %@", name as NSString)).reduce(sum) {
          $0 &+ Int($1.number)
        }
      }
    } peer: {
      names.reduce(0) { sum, name in
        sum
          &+ peer.sum(
            """
            SELECT p.* FROM tag t JOIN post_tag l ON l.tag = t.id JOIN post p ON p.id = l.post WHERE t.name = ?
            """, { $0.bind(1, name) }, { Int($0.int(1)) })
      }
    }
  }

  private func runSummaries() throws {
    try compare("fetch-group", operations: blog.count) { context in
      let request = NSFetchRequest<NSDictionary>(entityName: "BlogPost")
      request.resultType = .dictionaryResultType
      request.propertiesToGroupBy = ["mainTag"]
      request.propertiesToFetch = ["mainTag", expression("count", "count:"), expression("sum", "sum:")]
      return try context.fetch(request).reduce(0) { sum, row in
        func number(_ key: String) -> Int { (row[key] as? NSNumber)?.intValue ?? 0 }
        return sum &+ number("count") &* (number("mainTag") + 1) &+ number("sum")
      }
    } peer: {
      peer.sum("SELECT main_tag, count(*), sum(views) FROM post GROUP BY main_tag") {
        Int($0.int(1)) &* (Int($0.int(0)) + 1) &+ Int($0.int(2))
      }
    }
    try compare("fetch-top", operations: blog.count) { context in
      let request = AnnalsBlog.request()
      request.sortDescriptors = [NSSortDescriptor(keyPath: \BlogPost.score, ascending: false)]
      request.fetchLimit = 50
      return try context.fetch(request).reduce(0) { $0 &* 3 &+ Int($1.number) }
    } peer: {
      let row = peer.database.statement("SELECT * FROM post ORDER BY score DESC, id LIMIT 50")
      var sum = 0
      while row.next() { sum = sum &* 3 &+ Int(row.int(1)) }
      return sum
    }
  }

  private func expression(_ name: String, _ function: String) -> NSExpressionDescription {
    let column = NSExpressionDescription()
    column.name = name
    column.expression = NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: "views")])
    column.expressionResultType = .integer64AttributeType
    return column
  }

  /// Both sides must find the same, or the figures mean nothing.
  private func compare(
    _ work: String, operations: Int, ours body: (NSManagedObjectContext) throws -> Int, peer: () -> Int
  ) throws {
    guard options.wants(work) else { return }
    let (peerSeconds, expected) = measure(rounds: options.rounds, peer)
    var best = Double.infinity
    var found = 0
    for _ in 0..<options.rounds {
      ours.forget()
      let (seconds, result) = try measure { try ours.reading(body) }
      best = min(best, seconds)
      found = result
    }
    guard found == expected else { fatalError("\(work): annals found \(found), sqlite \(expected)") }
    var outcome = Outcome(work: work, oursSeconds: best, peerSeconds: peerSeconds)
    outcome.counts = [
      ("ours_ns", Int64(best * 1e9 / Double(max(1, operations)))),
      ("peer_ns", Int64(peerSeconds * 1e9 / Double(max(1, operations)))),
    ]
    outcome.printLine(json: options.json)
  }
}
