import FileSystem
import Foundation
import RowStore
import Testing

@Suite("A store of rows")
struct RowStoreTests {
  @Test("Rows are inserted, read by key, found, counted and ordered")
  func basics() throws {
    let store = try Shelf.open()
    let isbn = UUID()
    let bought = Date(timeIntervalSinceReferenceDate: 12.25)
    let key = try store.write { transaction in
      let author = try transaction.insert("Author", ["name": "Le Guin", "born": 1929])
      try transaction.insert("Book", ["title": "The Lathe of Heaven", "year": 1971, "author": .object(author)])
      return try transaction.insert(
        "Book",
        [
          "title": "The Dispossessed", "year": 1974, "price": 9.5, "isLent": true, "bought": Value(bought),
          "cover": .data(Data([1, 2])), "isbn": .uuid(isbn), "pages": 341, "author": .object(author),
        ])
    }
    let snapshot = try store.snapshot()
    let row = try #require(try snapshot.row(key))
    #expect(row.table == "Book")
    #expect(row.version == snapshot.transactionNumber)
    #expect(row.string("title") == "The Dispossessed")
    #expect(row.integer("year") == 1974)
    #expect(row.integer("pages") == 341)
    #expect(row.double("price") == 9.5)
    #expect(row.bool("isLent") == true)
    #expect(row.date("bought") == bought)
    #expect(row.data("cover") == Data([1, 2]))
    #expect(row.uuid("isbn") == isbn)
    #expect(row.key("translator") == nil)
    let author = try #require(row.key("author"))
    #expect(try snapshot.row(author)?["name"] == "Le Guin")
    #expect(try snapshot.members(of: author, "books").count == 2)
    let titles = try snapshot.rows(
      "Book", where: "author.name BEGINSWITH[c] %@ AND year > %d", ["le", 1900], orderBy: [.descending("year")])
    #expect(titles.map { $0.string("title") } == ["The Dispossessed", "The Lathe of Heaven"])
    #expect(try snapshot.rows("Book", where: "author == %@", [author], orderBy: ["year"], limit: 1).first?.key != key)
    #expect(try snapshot.count("Book", where: "translator == nil") == 2)
    #expect(try snapshot.first("Author", with: ["name": "Le Guin"])?.key == author)
    #expect(try snapshot.first("Author", with: ["name": "Nobody"]) == nil)
  }

  @Test("A column that is not named gets its default, and is kept by an update")
  func defaults() throws {
    let store = try Shelf.open()
    let key = try store.write { try $0.insert("Book", ["title": "A"]) }
    #expect(try store.snapshot().row(key)?.integer("year") == 2000)
    try store.write { try $0.update(key, ["price": 3]) }
    let row = try #require(try store.snapshot().row(key))
    #expect(row.integer("year") == 2000)
    #expect(row.double("price") == 3)
    #expect(row.values == ["title": "A", "year": 2000, "price": 3.0])
  }

  @Test("Within a transaction its own changes are read; when its block throws, nothing has happened")
  func atomic() throws {
    struct Refusal: Error {}
    let store = try Shelf.open()
    let key = try store.write { transaction in
      let key = try transaction.insert("Book", ["title": "A"])
      #expect(try transaction.row(key)?.string("title") == "A")
      try transaction.update(key, ["title": "B"])
      #expect(try transaction.row(key)?.string("title") == "B")
      return key
    }
    let before = try store.snapshot().transactionNumber
    #expect(throws: Refusal.self) {
      try store.write { transaction in
        try transaction.update(key, ["title": "C"])
        try transaction.delete(key)
        #expect(try transaction.row(key) == nil)
        throw Refusal()
      }
    }
    #expect(try store.snapshot().transactionNumber == before)
    #expect(try store.snapshot().row(key)?.string("title") == "B")
  }

  @Test("What was inserted and deleted again never was")
  func void() throws {
    let store = try Shelf.open()
    let before = try store.snapshot().transactionNumber
    try store.write { transaction in
      let author = try transaction.insert("Author", ["name": "X"])
      let book = try transaction.insert("Book", ["title": "A", "author": .object(author)])
      let tag = try transaction.insert("Tag", [:])
      try transaction.link(book, "tags", to: [tag])
      try transaction.delete(author)
      #expect(try transaction.row(book) == nil)
      try transaction.delete(tag)
    }
    #expect(try store.snapshot().transactionNumber == before)
  }

  @Test("A snapshot stays as it was")
  func snapshots() throws {
    let store = try Shelf.open()
    let key = try store.write { try $0.insert("Tag", ["name": "old"]) }
    let old = try store.snapshot()
    try store.write { try $0.update(key, ["name": "new"]) }
    let changed = try store.snapshot()
    try store.write { try $0.delete(key) }
    #expect(try old.row(key)?.string("name") == "old")
    #expect(try changed.rows("Tag", where: "name == %@", ["new"]).count == 1)
    #expect(try store.snapshot().row(key) == nil)
    try store.close()
    #expect(try old.count("Tag") == 1)
  }

  @Test("Deleting a row empties, deletes or is refused, as the columns say, and a refusal leaves no trace")
  func deletion() throws {
    let store = try Shelf.open()
    let (author, translator, book, loan) = try store.write { transaction in
      let author = try transaction.insert("Author", ["name": "A"])
      let translator = try transaction.insert("Author", ["name": "T"])
      let book = try transaction.insert(
        "Book", ["title": "B", "author": .object(author), "translator": .object(translator)])
      return (author, translator, book, try transaction.insert("Loan", ["book": .object(book)]))
    }
    try store.write { try $0.delete(translator) }
    #expect(try store.snapshot().row(book)?.key("translator") == nil)
    let refusal = #expect(throws: RowStoreError.self) {
      try store.write { transaction in try transaction.delete(author) }
    }
    #expect(refusal?.code == .stillReferenced)
    #expect(refusal?.keys == [loan])
    #expect(refusal?.column == "book")
    try store.write { transaction in
      #expect(throws: RowStoreError.self) { try transaction.delete(author) }
      #expect(try transaction.row(book) != nil)
      try transaction.delete(loan)
      try transaction.delete(author)
    }
    #expect(try store.snapshot().count("Book") == 0)
    #expect(try store.snapshot().count("Author") == 0)
  }

  @Test("Links are made from either end, once, and end with either row")
  func links() throws {
    let store = try Shelf.open()
    let (book, red, blue) = try store.write { transaction in
      let book = try transaction.insert("Book", ["title": "B"])
      let red = try transaction.insert("Tag", ["name": "red"])
      let blue = try transaction.insert("Tag", ["name": "blue"])
      try transaction.link(book, "tags", to: [red, red])
      try transaction.link(blue, "books", to: [book])
      return (book, red, blue)
    }
    #expect(try Set(store.snapshot().members(of: book, "tags")) == [red, blue])
    #expect(try store.snapshot().members(of: red, "books") == [book])
    #expect(try store.snapshot().rows("Book", where: "ANY tags.name == %@", ["blue"]).map(\.key) == [book])
    try store.write { try $0.unlink(red, "books", from: [book]) }
    #expect(try store.snapshot().members(of: book, "tags") == [blue])
    try store.write { try $0.delete(blue) }
    #expect(try store.snapshot().members(of: book, "tags") == [])
  }

  @Test("Mistakes are named, with table and column")
  func mistakes() throws {
    let store = try Shelf.open()
    let tag = try store.write { try $0.insert("Tag", [:]) }
    func code(_ body: (RowTransaction) throws -> Void) -> RowStoreError? {
      #expect(throws: RowStoreError.self) { try store.write(body) }
    }
    #expect(code { try $0.insert("Bok", [:]) }?.code == .unknownTable)
    let column = code { try $0.insert("Book", ["titel": "x"]) }
    #expect(column?.code == .unknownColumn)
    #expect(column?.message.contains("titel") == true)
    #expect(code { try $0.insert("Book", [:]) }?.code == .missingValue)
    #expect(code { try $0.insert("Book", ["title": 3]) }?.code == .wrongType)
    #expect(code { try $0.insert("Book", ["title": "x", "pages": 40_000]) }?.code == .wrongType)
    #expect(code { try $0.insert("Book", ["title": "x", "author": .object(tag)]) }?.code == .wrongType)
    #expect(code { try $0.insert("Book", ["title": "x", "tags": .object(tag)]) }?.code == .wrongType)
    #expect(code { try $0.link(tag, "name", to: []) }?.code == .wrongType)
    #expect(
      code { transaction in
        let gone = try transaction.insert("Author", ["name": "x"])
        try transaction.delete(gone)
        try transaction.insert("Book", ["title": "x", "author": .object(gone)])
      }?.code == .missingRow)
    #expect(code { _ in try store.write { _ in } }?.code == .nested)
    var kept: RowTransaction?
    try store.write { kept = $0 }
    #expect(throws: RowStoreError.self) { try kept?.insert("Tag", [:]) }
    #expect(throws: QueryError.self) { try store.snapshot().rows("Tag", where: "nme == 1") }
    #expect(throws: QueryError.self) { try store.snapshot().rows("Tag", orderBy: ["nme"]) }
  }

  @Test("A unique key is kept, within a transaction too, and the rows concerned are named")
  func unique() throws {
    let store = try Shelf.open()
    let first = try store.write { try $0.insert("Author", ["name": "A"]) }
    let error = #expect(throws: RowStoreError.self) { try store.write { try $0.insert("Author", ["name": "A"]) } }
    #expect(error?.code == .notUnique)
    #expect(error?.keys.contains(first) == true)
    #expect(throws: RowStoreError.self) {
      try store.write { transaction in
        try transaction.insert("Author", ["name": "B"])
        try transaction.insert("Author", ["name": "B"])
      }
    }
    #expect(try store.snapshot().count("Author") == 1)
  }

  @Test(
    "Tables that make no sense are refused",
    arguments: [
      [Table("A", []), Table("A", [])], [Table("", [])], [Table("A", [.string("x"), .integer("x")])],
      [Table("A", [.string("a.b")])], [Table("A", [.reference("b", to: "B")])],
      [Table("A", [.string("x"), .reference("a", to: "A", inverse: "x")])],
      [Table("A", [.string("x")], unique: [["y"]])], [Table("A", [.links("l", to: "A")], indexes: [["l"]])],
      [Table("A", [.value("x", .integer16, default: 70_000)])], [Table("A", [.value("x", .transformable)])],
      [Table("A", [.string("x")], unique: [[]])],
    ])
  func badTables(tables: [Table]) {
    let error = #expect(throws: RowStoreError.self) { try Shelf.open(MemoryFileSystem(), tables) }
    #expect(error?.code == .badTable || error?.code == .wrongType)
  }

  @Test("Many rows are inserted by columns that are looked up once, and read by such columns")
  func columns() throws {
    let store = try Shelf.open()
    try store.write { transaction in
      let inserter = try transaction.inserter("Book", ["year", "title"])
      for number in 0..<500 { try inserter.insert([.int(Int64(number)), .string("Book \(number)")]) }
      #expect(throws: RowStoreError.self) { try inserter.insert([1]) }
      #expect(throws: RowStoreError.self) { try inserter.insert(["x", "y"]) }
      #expect(throws: RowStoreError.self) { try transaction.inserter("Book", ["tags"]) }
      #expect(throws: RowStoreError.self) { try transaction.inserter("Author", ["books"]) }
    }
    let year = try store.column("year", of: "Book")
    let title = try store.column("title", of: "Book")
    let price = try store.column("price", of: "Book")
    #expect(throws: RowStoreError.self) { try store.column("tags", of: "Book") }
    var sum: Int64 = 0
    try store.snapshot().forEachRow("Book", where: "year >= %@", [250]) { row in
      let number = try #require(row.integer(year))
      sum += number
      #expect(row[title] == .string("Book \(number)"))
      #expect(row.withBytes(title) { $0.count } == "Book \(number)".utf8.count)
      #expect(row.double(price) == nil)
      return true
    }
    #expect(sum == (250..<500).reduce(0, +))
    var seen = 0
    try store.snapshot().forEachRow("Book") { _ in
      seen += 1
      return seen < 10
    }
    #expect(seen == 10)
  }

  @Test("History tells who changed what, and listeners hear of commits")
  func history() async throws {
    let store = try Shelf.open()
    let commits = store.commits()
    let key = try store.write(author: "import") { try $0.insert("Book", ["title": "A"]) }
    try store.write { transaction in
      try transaction.setMetadata("cursor", "17")
      try transaction.update(key, ["price": 2.5])
    }
    let last = try store.write { transaction in
      try transaction.delete(key)
      return transaction.snapshot.transactionNumber + 1
    }
    let transactions = try store.transactions(after: 0)
    #expect(transactions.map { $0.changes.map(\.operation) } == [[.insert], [.update], [.delete]])
    #expect(transactions[0].author == "import")
    #expect(transactions[0].changes[0].row?.string("title") == "A")
    #expect(transactions[1].changes[0].columns == ["price"])
    #expect(transactions[1].changes[0].table == "Book")
    #expect(try store.transactions(after: transactions[0].number, limit: 1).map(\.number) == [transactions[1].number])
    #expect(store.metadata["cursor"] == "17")
    for await number in commits {
      #expect(number == last)
      break
    }
    try store.close()
  }

  @Test("A store is opened again with its tables, and refused with others, each difference named")
  func reopening() throws {
    let disk = MemoryFileSystem()
    let store = try Shelf.open(disk)
    let key = try store.write { try $0.insert("Tag", ["name": "kept"]) }
    try store.close()
    let reader = try Shelf.open(disk, isReadOnly: true)
    #expect(try reader.snapshot().row(key)?.string("name") == "kept")
    let refusal = #expect(throws: StoreError.self) { try reader.write { try $0.insert("Tag", [:]) } }
    #expect(refusal?.code == .readOnly)
    let error = #expect(throws: StoreError.self) {
      try Shelf.open(disk, [Shelf.author, Shelf.book, Shelf.loan, Table("Tag", [.string("label")])])
    }
    #expect(error?.code == .incompatibleSchema)
  }
}
