internal import Foundation
public import Schema

/// A column of a table: a value of one type, a reference to a row of a table, or links to many.
public struct Column: Sendable, Hashable {
  /// What becomes of a row when the row it refers to is deleted.
  public enum DeletionRule: Sendable, Hashable {
    /// The reference is emptied; where it is required, the deletion is refused.
    case clear
    /// The row is deleted as well.
    case delete
    /// The deletion is refused.
    case refuse
  }

  /// What a column holds.
  public enum Kind: Sendable, Hashable {
    case value(AttributeType)
    case reference(table: String, inverse: String?, DeletionRule)
    case links(table: String, inverse: String?)
  }

  public let name: String
  public let kind: Kind
  /// Whether a row without a value is refused.
  public let isRequired: Bool
  /// What an inserted row gets when nothing is said.
  public let defaultValue: Value

  private init(_ name: String, _ kind: Kind, required: Bool = false, default value: Value = .null) {
    self.name = name
    self.kind = kind
    isRequired = required
    defaultValue = value
  }

  /// Text of any length up to the row's limit (4 GiB), kept as it is, compared by its UTF-8.
  public static func string(_ name: String, required: Bool = false, default value: String? = nil) -> Column {
    Column(name, .value(.string), required: required, default: value.map { .string($0) } ?? .null)
  }

  /// A signed whole number of 64 bits.
  public static func integer(_ name: String, required: Bool = false, default value: Int64? = nil) -> Column {
    Column(name, .value(.integer64), required: required, default: value.map { .int($0) } ?? .null)
  }

  public static func double(_ name: String, required: Bool = false, default value: Double? = nil) -> Column {
    Column(name, .value(.double), required: required, default: value.map { .double($0) } ?? .null)
  }

  public static func boolean(_ name: String, required: Bool = false, default value: Bool? = nil) -> Column {
    Column(name, .value(.boolean), required: required, default: value.map { .bool($0) } ?? .null)
  }

  /// A time, with the precision of Foundation's `Date`.
  public static func date(_ name: String, required: Bool = false) -> Column {
    Column(name, .value(.date), required: required)
  }

  /// Bytes.
  public static func data(_ name: String, required: Bool = false) -> Column {
    Column(name, .value(.binary), required: required)
  }

  /// Any type of value: those above, and smaller integers, floats, decimals, UUIDs and URLs.
  public static func value(
    _ name: String, _ type: AttributeType, required: Bool = false, default value: Value = .null
  ) -> Column {
    Column(name, .value(type), required: required, default: value)
  }

  /// A reference to one row of a table, which is looked after: it never leads to a row that is gone.
  ///
  /// - Parameter inverse: a name by which the other table's predicates and `members(of:_:)` find the rows that refer to
  ///   one; it must not be the name of a column there.
  public static func reference(
    _ name: String, to table: String, inverse: String? = nil, required: Bool = false,
    onDelete rule: DeletionRule = .clear
  ) -> Column {
    Column(name, .reference(table: table, inverse: inverse, rule), required: required)
  }

  /// Links to any number of rows of a table, without an order. They end when either row is deleted.
  ///
  /// - Parameter inverse: a name for the same links seen from the other table.
  public static func links(_ name: String, to table: String, inverse: String? = nil) -> Column {
    Column(name, .links(table: table, inverse: inverse))
  }
}
