public import Foundation
public import Schema

/// Why a store of rows refuses what it is told. What the disk refuses is a `StoreError`, what a predicate has wrong a
/// `QueryError`.
public struct RowStoreError: Error, Sendable {
  /// A case that code can match; new ones may be added.
  public struct Code: Hashable, Sendable {
    private enum Name: Hashable, Sendable {
      case badTable, unknownTable, unknownColumn, wrongType, missingValue, missingRow, notUnique, stillReferenced
      case conflict, nested, ended
    }
    private let name: Name
    private init(_ name: Name) { self.name = name }

    /// The tables that a store is opened with make no sense.
    public static let badTable = Code(.badTable)
    public static let unknownTable = Code(.unknownTable)
    public static let unknownColumn = Code(.unknownColumn)
    /// A value of another type than its column's, or out of its range.
    public static let wrongType = Code(.wrongType)
    /// A required column would be empty.
    public static let missingValue = Code(.missingValue)
    /// There is no row with that key.
    public static let missingRow = Code(.missingRow)
    /// Another row has the values of a unique key.
    public static let notUnique = Code(.notUnique)
    /// A row cannot be deleted while others refer to it.
    public static let stillReferenced = Code(.stillReferenced)
    /// Others changed the same rows again and again while the transaction was tried.
    public static let conflict = Code(.conflict)
    /// A transaction was begun within another one of the same store.
    public static let nested = Code(.nested)
    /// A transaction was used after its block had ended.
    public static let ended = Code(.ended)
  }

  public let code: Code
  /// What is wrong and what to do: whole sentences.
  public let message: String
  public let table: String?
  public let column: String?
  /// The rows concerned.
  public let keys: [ObjectKey]

  init(_ code: Code, _ message: String, table: String? = nil, column: String? = nil, keys: [ObjectKey] = []) {
    self.code = code
    self.message = message
    self.table = table
    self.column = column
    self.keys = keys
  }
}

extension RowStoreError: CustomStringConvertible, LocalizedError {
  public var description: String { message }
  public var errorDescription: String? { message }
}
