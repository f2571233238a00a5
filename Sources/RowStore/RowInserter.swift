public import Schema

/// Inserts many rows of one table in a transaction, see `RowTransaction.inserter`. It belongs to its transaction.
public struct RowInserter {
  let transaction: RowTransaction
  let table: Int
  let columnCount: Int
  /// By column of the table: which value is its own, -1 for none.
  let positions: [Int]

  /// Adds a row.
  ///
  /// - Parameter values: in the order of the columns that the inserter was made for.
  /// - Returns: its key.
  /// - Throws: as `RowTransaction.insert` does.
  @discardableResult
  public func insert(_ values: [Value]) throws -> ObjectKey {
    guard values.count == columnCount else {
      throw RowStoreError(.wrongType, "\(values.count) values were given for \(columnCount) columns.")
    }
    return try transaction.insert(values, self)
  }
}
