/// What rows are ordered by: a column, or one that references lead to (`author.name`). Empty values come first,
/// ascending; text is ordered by its code points.
public struct RowOrder: Sendable, Hashable, ExpressibleByStringLiteral {
  public let keyPath: String
  public let isAscending: Bool

  /// Ascending.
  public init(stringLiteral keyPath: String) { self.init(keyPath, isAscending: true) }

  init(_ keyPath: String, isAscending: Bool) {
    self.keyPath = keyPath
    self.isAscending = isAscending
  }

  public static func ascending(_ keyPath: String) -> RowOrder { RowOrder(keyPath, isAscending: true) }
  public static func descending(_ keyPath: String) -> RowOrder { RowOrder(keyPath, isAscending: false) }
}
