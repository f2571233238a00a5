public import Foundation
public import Schema
internal import StoreContract

/// A transaction as the log tells it.
public struct CommittedTransaction: Sendable {
  /// What happened to one row.
  public struct Change: Sendable {
    public enum Operation: Sendable, Hashable { case insert, update, delete }

    public let key: ObjectKey
    /// The table's name.
    public let table: String
    public let operation: Operation
    /// For an update: the columns that changed.
    public let columns: [String]
    /// For an insert or update, the row as it was written; `nil` where only links changed, and for a deletion.
    public let row: StoredRow?
  }

  /// Numbers rise; there may be gaps.
  public let number: UInt64
  /// By the clock of whoever committed: for people, not for order.
  public let date: Date
  public let author: String?
  public let processID: Int32
  public let changes: [Change]

  init(_ transaction: StoreTransaction, _ catalogue: TableCatalogue) {
    number = transaction.number
    date = Date(timeIntervalSinceReferenceDate: transaction.timestamp)
    author = transaction.author
    processID = transaction.processID
    changes = transaction.changes.compactMap { Change($0, catalogue) }
  }
}

extension CommittedTransaction.Change {
  fileprivate init?(_ change: StoreTransaction.Change, _ catalogue: TableCatalogue) {
    // Entities of a store of tables are numbered as its tables are, by name.
    guard let index = catalogue.tableIndex(of: change.key) else { return nil }
    let entity = catalogue.schema.entities[index]
    key = change.key
    table = entity.name
    switch change.operation {
    case .insert: operation = .insert
    case .update: operation = .update
    case .delete: operation = .delete
    }
    columns = change.changedProperties.indexes.compactMap { property in
      property < catalogue.tables[index].columns.count ? entity.properties[property].name : nil
    }
    row =
      operation == .delete
      ? nil : change.row.map { StoredRow(row: $0, catalogue: catalogue, tableIndex: index) }
  }
}
