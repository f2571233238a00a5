public import Schema

/// A condition on the objects that a relationship leads to: part of a bound predicate that can be asked on its own, to
/// find those objects first and then who leads to them.
public struct BoundCondition: Sendable, Hashable {
  /// Conditions that every object that meets it meets, for choosing an index.
  public let terms: [BoundTerm]

  private let test: RowTest

  init(_ compiled: CompiledTest) {
    terms = compiled.terms
    test = compiled.test
  }

  /// Whether an object of the relationship's destination meets it.
  ///
  /// - Parameters:
  ///   - row: the object's.
  ///   - source: where objects that key paths lead to are found.
  public func matches(_ row: Row, in source: any ObjectSource) throws(StoreError) -> Bool {
    // The scope does not hold the source; the caller does, for the length of the call.
    try withExtendedLifetime(source) { () throws(StoreError) in try test.matches(row, RowScope(source: source)) }
  }

  /// Whether two are the same part of the same bound predicate.
  public static func == (a: BoundCondition, b: BoundCondition) -> Bool { a.test === b.test }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(test)) }
}
