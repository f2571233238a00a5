public import Foundation

/// One stored value: what a slot of a row holds, and what predicates compare.
///
/// Integers of every width, booleans excepted, are `.int`; a `Float` attribute's value is `.float` so that it prints
/// and compares as the author wrote it. Dates are seconds since 2001-01-01 UTC, kept as the `Double` they are.
public enum Value: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case float(Float)
  case double(Double)
  /// Boxed: `Decimal` is 20 bytes, and would widen every other value.
  indirect case decimal(Decimal)
  case string(String)
  case date(Double)
  case data(Data)
  case uuid(UUID)
  /// The URL's absolute string.
  case url(String)
  case object(ObjectKey)

  public var isNull: Bool {
    if case .null = self { return true }
    return false
  }
}
