internal import Foundation
internal import Schema

/// The tables of a store, by place and by name, with the schema that they are kept as.
///
/// Each reference and each list of links has a property at its other end, with a name that the program gave or one of
/// the form `Table.column`, which no predicate can name: by it, the rows that refer to one are found.
final class TableCatalogue: Sendable {
  let tables: [Table]
  let schema: Schema
  /// By table: the references of any table that lead to its rows.
  let incoming: [[Reference]]
  /// Places of tables by the store's number for them.
  private let places: [Int: Int]

  struct Reference: Sendable {
    let table: Int
    let property: Int
    let inverse: Int
    let rule: Column.DeletionRule
    let isRequired: Bool
  }

  init(_ drafts: TableDrafts, numbers: [Int]) {
    tables = drafts.tables
    schema = drafts.schema
    incoming = drafts.incoming
    places = Dictionary(uniqueKeysWithValues: numbers.enumerated().map { ($1, $0) })
  }

  func table(_ name: String) throws(RowStoreError) -> Int {
    if let index = schema.entityIndexByName[name] { return index }
    throw RowStoreError(
      .unknownTable, "There is no table \(name). There are: \(tables.map(\.name).joined(separator: ", ")).", table: name
    )
  }

  /// The table of a row.
  func tableIndex(of key: ObjectKey) -> Int? { key.isTemporary ? nil : places[key.entityNumber] }

  /// The property of a column, or of a name for the other end of one.
  func property(_ name: String, _ table: Int) throws(RowStoreError) -> Int {
    if let index = schema.entities[table].propertyIndexByName[name] { return index }
    throw RowStoreError(
      .unknownColumn,
      "The table \(tables[table].name) has no column \(name). It has: "
        + "\(tables[table].columns.map(\.name).joined(separator: ", ")).", table: tables[table].name, column: name)
  }
}
