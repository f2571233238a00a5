import FileSystem
import RowStore

/// The tables that the tests use: every kind of column, and every rule.
enum Shelf {
  static let author = Table(
    "Author", [.string("name", required: true), .integer("born")], unique: [["name"]])
  static let book = Table(
    "Book",
    [
      .string("title", required: true), .integer("year", default: 2000), .double("price"), .boolean("isLent"),
      .date("bought"), .data("cover"), .value("isbn", .uuid), .value("pages", .integer16),
      .reference("author", to: "Author", inverse: "books", onDelete: .delete),
      .reference("translator", to: "Author"), .links("tags", to: "Tag", inverse: "books"),
    ], unique: [["title", "year"]], indexes: [["year"]])
  static let loan = Table(
    "Loan", [.reference("book", to: "Book", required: true, onDelete: .refuse), .string("to")])
  static let tag = Table("Tag", [.string("name")])
  static let tables = [author, book, loan, tag]

  static func open(
    _ fileSystem: any FileSystem = MemoryFileSystem(), _ tables: [Table] = Shelf.tables, isReadOnly: Bool = false
  ) throws -> RowStore {
    try RowStore(
      directory: "/shelf", tables: tables, options: RowStore.Options(isReadOnly: isReadOnly, fileSystem: fileSystem))
  }
}
