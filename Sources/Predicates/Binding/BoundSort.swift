public import Schema

/// One sort descriptor, bound to a schema.
public struct BoundSort: Sendable {
  /// How strings are ordered. Other values have one order each: numbers by value, dates by time, false before true.
  public enum Comparison: Sendable, Hashable {
    /// By Unicode scalar: "Z" before "a".
    case plain
    case caseInsensitive
    /// The three localised comparators use one fixed collation, whatever the environment.
    case localized
    case localizedCaseInsensitive
    case localizedStandard
  }

  public let isAscending: Bool
  public let comparison: Comparison
  /// Property indexes: to-one relationships, then an attribute or to-one relationship. Empty for `SELF` and
  /// `objectID`: by key.
  public let path: [Int]
  /// What it reads.
  public let dependencies: PredicateDependencies

  /// Negative when `a` comes first, positive when `b` does, 0 when this descriptor does not tell them apart. Absent
  /// values come first when ascending.
  public func compare(_ a: Row, _ b: Row, in source: any ObjectSource) throws(StoreError) -> Int {
    throw StoreError(.unsupported, "Sort descriptors cannot be evaluated yet.")
  }
}
