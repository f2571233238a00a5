import Foundation
import RowStore

let books = Table(
  "Book",
  [
    .string("title", required: true), .integer("year"), .boolean("isLent", default: false),
    .reference("author", to: "Author", inverse: "books", onDelete: .delete),
  ], unique: [["title"]], indexes: [["year"]])
let authors = Table("Author", [.string("name", required: true)], unique: [["name"]])

let store = try RowStore(directory: CommandLine.arguments.dropFirst().first ?? "Shelf.rows", tables: [books, authors])

try store.write(author: "shelf") { transaction in
  let author = try transaction.insert("Author", ["name": "Ursula K. Le Guin"])
  try transaction.insert("Book", ["title": "The Dispossessed", "year": 1974, "author": .object(author)])
  try transaction.insert("Book", ["title": "The Lathe of Heaven", "year": 1971, "author": .object(author)])
}

// A snapshot never changes; rows are found by the predicates that fetch requests know.
let before = try store.snapshot()
if let book = try before.first("Book", with: ["title": "The Dispossessed"]) {
  try store.write(author: "shelf") { try $0.update(book.key, ["isLent": true]) }
}
let after = try store.snapshot()
for row in try after.rows("Book", where: "author.name CONTAINS %@", ["Guin"], orderBy: ["year"]) {
  print(row.string("title") ?? "", row.bool("isLent") == true ? "lent" : "here")
}
print(
  try before.count("Book", where: "isLent == YES"), "lent before,", try after.count("Book", where: "isLent == YES"),
  "after")

for transaction in try store.transactions(after: 0) {
  print(transaction.changes.map { "\($0.operation) \($0.table)" }.joined(separator: ", "))
}
try store.close()
