package import Foundation

/// What a model file allows an attribute to hold.
package struct AttributeLimits: Sendable, Hashable {
  /// Inclusive bounds of a number.
  package var minNumber: Decimal?
  package var maxNumber: Decimal?
  /// Inclusive bounds of a string's length, in UTF-16 units.
  package var minLength: Int?
  package var maxLength: Int?
  /// Inclusive bounds of a date, in seconds since 2001-01-01 UTC.
  package var minDate: Double?
  package var maxDate: Double?
  /// ICU pattern that the whole string has to match.
  package var pattern: String?

  package init() {}

  package var isEmpty: Bool { self == AttributeLimits() }
}
