public import Foundation

/// Why a predicate, expression or sort descriptor cannot be used, in words for whoever wrote it.
///
/// Not called a predicate error: Foundation has that name for the errors of its `#Predicate`.
public struct QueryError: Error, Sendable, Hashable {
  /// A case that code can match; new ones may be added.
  public struct Code: Hashable, Sendable {
    private enum Name: Hashable, Sendable {
      case syntax, arguments, tooComplex, unknownKey, unsupported, typeMismatch, unboundVariable
    }
    private let name: Name
    private init(_ name: Name) { self.name = name }

    /// The format text does not follow the grammar; `column` says where.
    public static let syntax = Code(.syntax)
    /// Too few arguments, or one of the wrong kind for its place in the format.
    public static let arguments = Code(.arguments)
    /// The text is longer or more deeply nested than the limits allow.
    public static let tooComplex = Code(.tooComplex)
    /// A key path names no property; `entity` and `key` say which.
    public static let unknownKey = Code(.unknownKey)
    /// A form that works on objects in memory, yet not in a store, or not at all.
    public static let unsupported = Code(.unsupported)
    /// A constant that cannot be compared with the attribute it is compared with.
    public static let typeMismatch = Code(.typeMismatch)
    /// A `$variable` for which no value was given.
    public static let unboundVariable = Code(.unboundVariable)
  }

  /// What kind of mistake it is.
  public let code: Code
  /// What is wrong and what was expected: whole sentences.
  public let message: String
  /// For faults in a format: the place, counted in characters from 1.
  public let column: Int?
  /// The entity a key was looked up in.
  public let entity: String?
  /// The key, key path or variable concerned.
  public let key: String?

  /// An error with its place.
  public init(_ code: Code, _ message: String, column: Int? = nil, entity: String? = nil, key: String? = nil) {
    self.code = code
    self.message = message
    self.column = column
    self.entity = entity
    self.key = key
  }
}

extension QueryError: CustomStringConvertible, LocalizedError {
  /// What is wrong, where, and what was expected.
  public var description: String { message }
  /// The same, for alerts.
  public var errorDescription: String? { message }
}
