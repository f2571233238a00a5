/// Posts in SQLite: WAL, synchronous=FULL, one read transaction held over reads.
final class SQLitePosts: PostEngine {
  let name = "sqlite"
  let path: String
  private let database: SQLiteDatabase
  private var isReading = false

  init(folder: String) {
    path = folder
    database = SQLiteDatabase(path: folder + "/posts.sqlite")
    database.run(
      """
      CREATE TABLE IF NOT EXISTS post(id INTEGER PRIMARY KEY, title TEXT, body TEXT, views INT, score REAL, date REAL,
        tag INT);
      CREATE INDEX IF NOT EXISTS post_views ON post(views);
      CREATE INDEX IF NOT EXISTS post_tag ON post(tag);
      """)
  }

  private func write(_ body: () -> Void) {
    if isReading { database.run("COMMIT") }
    isReading = false
    database.statement("BEGIN IMMEDIATE").run()
    body()
    database.statement("COMMIT").run()
  }

  private func reading() {
    if !isReading { database.run("BEGIN") }
    isReading = true
  }

  func insert(_ posts: ArraySlice<Post>) {
    write {
      let insert = database.statement("INSERT INTO post VALUES(?,?,?,?,?,?,?)")
      for post in posts {
        insert.bind(1, post.id)
        insert.bind(4, post.views)
        insert.bind(5, post.score)
        insert.bind(6, post.date)
        insert.bind(7, post.tag)
        insert.run(2, post.title, 3, post.body)
      }
    }
  }

  private func touch(_ row: SQLiteDatabase.Statement) -> Int {
    Int(row.int(0)) + row.textBytes(1) + row.textBytes(2) + Int(row.int(3)) + Int(row.double(4)) + Int(row.double(5))
      + Int(row.int(6))
  }

  func read(_ numbers: [Int]) -> Int {
    reading()
    var sum = 0
    for number in numbers {
      let row = database.statement("SELECT * FROM post WHERE id = ?")
      row.bind(1, Int64(number))
      while row.next() { sum &+= touch(row) }
    }
    return sum
  }

  func range(_ low: Int, _ high: Int) -> Int {
    reading()
    let row = database.statement("SELECT * FROM post WHERE views >= ? AND views < ? ORDER BY views")
    row.bind(1, Int64(low))
    row.bind(2, Int64(high))
    var sum = 0
    while row.next() { sum &+= touch(row) }
    return sum
  }

  func countContaining(_ word: String) -> Int {
    reading()
    let row = database.statement("SELECT count(*) FROM post WHERE instr(body, ?) > 0")
    row.bind(1, word)
    var count = -1
    while row.next() { count = Int(row.int(0)) }
    return count
  }

  func countByTag() -> [Int] {
    reading()
    let row = database.statement("SELECT tag, count(*) FROM post GROUP BY tag")
    var counts = [Int](repeating: 0, count: Post.tags)
    while row.next() { counts[Int(row.int(0))] = Int(row.int(1)) }
    return counts
  }

  func update(_ changes: ArraySlice<(number: Int, views: Int, score: Double)>) {
    write {
      let update = database.statement("UPDATE post SET views = ?, score = ? WHERE id = ?")
      for change in changes {
        update.bind(1, Int64(change.views))
        update.bind(2, change.score)
        update.bind(3, Int64(change.number))
        update.run()
      }
    }
  }

  func delete(_ numbers: ArraySlice<Int>) {
    write {
      let delete = database.statement("DELETE FROM post WHERE id = ?")
      for number in numbers {
        delete.bind(1, Int64(number))
        delete.run()
      }
    }
  }

  func settle() {
    if isReading { database.run("COMMIT") }
    isReading = false
    database.run("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  func close() { settle() }
}
