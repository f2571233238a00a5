public import Foundation

/// What a fetch of dictionaries asks for: computed columns, groups, which groups, and their order. Input of the binder.
public struct TableRequest {
  /// One entry of the dictionaries.
  public struct Column {
    /// The key in the dictionaries; `having` and the sort may refer to it.
    public var name: String
    /// What is under the key: a key path, a function of columns, an aggregate such as `sum:(amount)`.
    public var expression: NSExpression

    /// A named column.
    public init(name: String, expression: NSExpression) {
      self.name = name
      self.expression = expression
    }
  }

  /// The columns, in the order of the results' values.
  public var columns: [Column]
  /// What rows of one group have in common; empty for no groups.
  public var groupBy: [NSExpression] = []
  /// Which groups to return: a predicate over grouped properties, aggregates and the names of columns.
  public var having: NSPredicate?
  /// Whether equal results are returned once.
  public var isDistinct = false
  /// The order, by properties of the entity or names of columns.
  public var sort: [NSSortDescriptor] = []
  /// Whether results are sorted, rather than the rows that they are made of: where rows come from several stores.
  public var sortsResults = false

  /// A request for columns of every row.
  public init(columns: [Column]) { self.columns = columns }
}
