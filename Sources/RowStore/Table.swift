/// A table: rows with the same columns.
public struct Table: Sendable, Hashable {
  public let name: String
  public let columns: [Column]
  /// Groups of columns whose values no two rows may share. Rows with an empty value in a group are left alone.
  public let uniqueKeys: [[String]]
  /// Columns by which rows are found and ordered without reading them all.
  public let indexes: [[String]]

  /// - Parameters:
  ///   - unique: column names, a list for each key.
  ///   - indexes: column names, a list for each index.
  public init(_ name: String, _ columns: [Column], unique: [[String]] = [], indexes: [[String]] = []) {
    self.name = name
    self.columns = columns
    uniqueKeys = unique
    self.indexes = indexes
  }
}
