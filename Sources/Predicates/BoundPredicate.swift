public import Schema

/// A predicate bound to a schema: key paths are property indexes, constants are stored values. A Sendable value that a
/// store can plan with and evaluate without knowing the classes it came from.
public struct BoundPredicate: Sendable {
  /// Whether a row matches.
  ///
  /// - Parameters:
  ///   - row: a row of the entity the predicate was bound to, or of one below it.
  ///   - source: where objects that key paths lead to are found.
  public func matches(_ row: Row, in source: any ObjectSource) throws(StoreError) -> Bool {
    preconditionFailure("not built yet")
  }
}
