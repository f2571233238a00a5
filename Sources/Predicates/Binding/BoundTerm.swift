public import Schema

/// A necessary condition that an index may be able to answer: every row that a predicate matches meets it.
///
/// Values have the kind of the attribute's slot (an `integer32` attribute is compared with `.int` and so on), so an
/// index over encoded values can be searched with them as they are.
public enum BoundTerm: Sendable, Hashable {
  /// The attribute or to-one relationship is one of these values; `.null` among them stands for absence. Empty when
  /// nothing can match.
  case oneOf(property: Int, values: [Value])
  /// The attribute lies between bounds: those that are not nil. Absent values never do.
  case range(property: Int, lower: Bound?, upper: Bound?)
  /// The string attribute starts with this text, code unit by code unit; not empty.
  case prefix(property: Int, text: String)
  /// The object itself is one of these.
  case keys([ObjectKey])
  /// The object that a to-one relationship leads to, or some member of a to-many one, meets a condition.
  ///
  /// - `destination` is the schema index of the entity that the relationship leads to; objects of entities below it
  ///   count too.
  case related(property: Int, destination: Int, BoundCondition)
  /// All terms of one of these lists are met; no list is empty.
  case anyOf([[BoundTerm]])

  /// One end of a range.
  public struct Bound: Sendable, Hashable {
    /// The bound.
    public let value: Value
    /// Whether the bound itself counts.
    public let isInclusive: Bool

    /// A bound of a range.
    public init(_ value: Value, isInclusive: Bool) {
      self.value = value
      self.isInclusive = isInclusive
    }
  }
}
