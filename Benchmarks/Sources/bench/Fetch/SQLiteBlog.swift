/// The same posts, tags and attachments in SQLite, with the same indexes.
final class SQLiteBlog {
  let database: SQLiteDatabase

  init(path: String) {
    database = SQLiteDatabase(path: path)
    database.run(
      """
      CREATE TABLE tag(id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE post(id INTEGER PRIMARY KEY, number INT UNIQUE, title TEXT, body TEXT, views INT, score REAL,
        date REAL, author TEXT, language TEXT, draft INT, main_tag INT);
      CREATE TABLE attachment(id INTEGER PRIMARY KEY, name TEXT, size INT, post INT REFERENCES post(id));
      CREATE TABLE post_tag(post INT, tag INT, PRIMARY KEY(post, tag)) WITHOUT ROWID;
      CREATE INDEX post_views ON post(views);
      CREATE INDEX post_main_tag ON post(main_tag, views);
      CREATE INDEX attachment_post ON attachment(post);
      CREATE INDEX tag_post ON post_tag(tag, post);
      """)
  }

  func fill(_ blog: BlogData) {
    database.run("BEGIN")
    for name in blog.tagNames {
      let insert = database.statement("INSERT INTO tag(name) VALUES(?)")
      insert.bind(1, name)
      insert.run()
    }
    database.run("COMMIT")
    for numbers in blog.batches {
      database.run("BEGIN")
      for number in numbers { insert(number, blog) }
      database.run("COMMIT")
    }
    database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    database.run("ANALYZE")
  }

  private func insert(_ number: Int, _ blog: BlogData) {
    let data = blog.post(number)
    let post = database.statement("INSERT INTO post VALUES(?1,?1,?,?,?,?,?,?,?,?,?)")
    post.bind(1, data.id)
    post.bind(2, data.title)
    post.bind(3, data.body)
    post.bind(4, data.views)
    post.bind(5, data.score)
    post.bind(6, data.date)
    post.bind(7, blog.author(number))
    post.bind(8, blog.language(number))
    post.bind(9, number % 10 == 0 ? 1 : 0)
    post.bind(10, data.tag)
    post.run()
    for tag in blog.tags(number) {
      let link = database.statement("INSERT INTO post_tag VALUES(?,?)")
      link.bind(1, data.id)
      link.bind(2, Int64(tag + 1))
      link.run()
    }
    for (name, size) in blog.attachments(number) {
      let attachment = database.statement("INSERT INTO attachment(name, size, post) VALUES(?,?,?)")
      attachment.bind(1, name)
      attachment.bind(2, size)
      attachment.bind(3, data.id)
      attachment.run()
    }
  }

  /// Sums what a row gives over all rows of a statement.
  func sum(
    _ sql: String, _ bind: (SQLiteDatabase.Statement) -> Void = { _ in }, _ touch: (SQLiteDatabase.Statement) -> Int
  ) -> Int {
    let statement = database.statement(sql)
    bind(statement)
    var sum = 0
    while statement.next() { sum &+= touch(statement) }
    return sum
  }
}
