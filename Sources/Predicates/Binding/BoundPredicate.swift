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

  private let test: RowTest

  init(entity: Int, _ compiled: CompiledTest, _ dependencies: PredicateDependencies) {
    self.entity = entity
    test = compiled.test
    terms = compiled.terms
    constantResult = compiled.constant
    self.dependencies = dependencies
  }

  /// Whether a row matches.
  ///
  /// - Parameters:
  ///   - row: a row of the entity the predicate was bound to, or of one below it.
  ///   - source: where objects that key paths lead to are found.
  public func matches(_ row: Row, in source: any ObjectSource) throws(StoreError) -> Bool {
    // The scope does not hold the source; the caller does, for the length of the call.
    try withExtendedLifetime(source) { () throws(StoreError) in try test.matches(row, RowScope(source: source)) }
  }

  /// Whether each of many rows matches: somewhat cheaper than one call for each.
  ///
  /// - Parameters:
  ///   - source: where objects that key paths lead to are found.
  ///   - next: gives the rows, `nil` at the end.
  ///   - body: called with each match until it returns false.
  public func forEachMatch(
    in source: any ObjectSource, next: () throws(StoreError) -> Row?, _ body: (Row) throws(StoreError) -> Bool
  ) throws(StoreError) {
    try withExtendedLifetime(source) { () throws(StoreError) in
      let scope = RowScope(source: source)
      while let row = try next() {
        guard try test.matches(row, scope) else { continue }
        guard try body(row) else { return }
      }
    }
  }
}
