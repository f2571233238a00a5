internal import Foundation
internal import Schema

/// The columns of a dictionary fetch, bound to a schema. A Sendable value.
public struct BoundTable: @unchecked Sendable {
  // unchecked: expressions that are evaluated once a group are immutable classes.

  /// A column of the results.
  public struct Column: Sendable {
    /// The key in the dictionaries.
    public let name: String
    /// The property that its values are values of, by the schema indexes of entity and property: of a key path, and of
    /// the least and greatest along one. `nil` for other expressions.
    public let origin: Origin?
  }

  /// A property that values come from.
  public struct Origin: Sendable {
    public let entity: Int
    public let property: Int
  }

  /// What the values of a result are, in their order.
  public let columns: [Column]
  /// Whether rows are put into groups, one result for each, rather than each row being a result.
  public let isGrouped: Bool
  /// Whether equal results are returned once.
  public let isDistinct: Bool
  /// The order of rows that gives the order of results, when that is all there is to it: a store may then sort rows
  /// and cut them to the window before it computes columns. `nil` when results have to be sorted.
  public let rowSort: [BoundSort]?
  /// Whether the results say nothing but how many rows there are.
  public let countsRowsOnly: Bool

  /// One for each column, then one for each of the sort's keys.
  let outputs: [Output]
  let sortKeys: [SortKey]
  /// What rows are grouped by.
  let keys: [RowExpression]
  let aggregates: [Aggregate]
  /// Expressions that are read from one row of a group: those of columns that are neither grouped nor aggregates.
  let samples: [RowExpression]
  let having: NSPredicate?

  /// Where an output's value comes from.
  enum Output {
    case row(RowExpression)
    case key(Int)
    case aggregate(Int)
    case sample(Int)
    /// Computed from the others, which are its variables: once for each group.
    case computed(NSExpression)
  }

  struct SortKey {
    let output: Int
    let isAscending: Bool
    let comparison: BoundSort.Comparison
  }

  /// A function over the rows of a group.
  struct Aggregate {
    let function: PredicateFunction
    let argument: RowExpression
    /// How the argument is read without making a value of it; `nil` for the general way.
    let column: TypedColumn?
  }
}

/// A slot whose numbers are added up as they lie.
struct TypedColumn {
  enum Kind {
    /// The row itself: there is one of it.
    case row
    case integer
    case double
    case date
    case float
    /// Only whether there is a value.
    case presence
  }
  let kind: Kind
  /// `nil` for the row itself.
  let access: SlotAccess?
}

/// One result of a dictionary fetch.
public struct TableRow: Sendable {
  /// One for each column.
  public let values: [BoundValue]
  /// Which of the sources its rows came from, as they were numbered when they were added.
  public let source: Int
}
