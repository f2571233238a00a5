public import Foundation

extension NSPredicate {
  /// Whether an object matches. As `evaluate(with:substitutionVariables:)`, but mistakes in the predicate are thrown.
  ///
  /// - Throws: `QueryError` for a variable without a value, an unknown function or operator, a bad pattern.
  public func matches(_ object: Any?, variables: [String: Any] = [:]) throws(QueryError) -> Bool {
    try DynamicEvaluator(object: object, variables: variables).holds(self)
  }

  /// The predicate as a format that parses to an equal one.
  ///
  /// The same as `predicateFormat`, which Foundation on Linux answers wrongly for compound predicates made with its own
  /// initialisers.
  public var formatText: String { PredicatePrinter.text(of: self) }
}
