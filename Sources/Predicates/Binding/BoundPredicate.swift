public import Schema

/// A predicate bound to a schema: key paths are property indexes, constants are stored values. A Sendable value that a
/// store can plan with and evaluate without knowing the classes it came from.
public struct BoundPredicate: Sendable {
  /// Schema index of the entity it was bound to.
  public let entity: Int
  /// Conditions that every match meets, for choosing an index: the terms of a top-level `AND`. Evaluate the whole
  /// predicate on the candidates all the same.
  public let terms: [BoundTerm]
  /// What it reads.
  public let dependencies: PredicateDependencies
  /// Set when no row can change the answer: `TRUEPREDICATE`, an empty `IN`.
  public let constantResult: Bool?

  /// Whether a row matches.
  ///
  /// - Parameters:
  ///   - row: a row of the entity the predicate was bound to, or of one below it.
  ///   - source: where objects that key paths lead to are found.
  public func matches(_ row: Row, in source: any ObjectSource) throws(StoreError) -> Bool {
    throw StoreError(.unsupported, "Predicates cannot be evaluated yet.")
  }
}
