public import Foundation
public import Schema

/// Turns predicates, expressions and sort descriptors into values that a store can plan with and evaluate: key paths
/// become property indexes, constants stored values. Key paths are checked against the schema here, so that nothing
/// is looked up by name afterwards.
public struct PredicateBinder {
  public let schema: Schema
  /// Schema index of the entity that is asked for.
  public let entity: Int
  /// Objects in constants are compared by their key in this store.
  public let store: UUID
  let convertConstant: ((Any) -> Value?)?

  /// - Parameters:
  ///   - entity: schema index of the entity that is asked for.
  ///   - store: identifier of the store whose rows will be read.
  ///   - constants: values for constants of types that this module does not know; asked only about those.
  public init(schema: Schema, entity: Int, store: UUID, constants: ((Any) -> Value?)? = nil) {
    self.schema = schema
    self.entity = entity
    self.store = store
    convertConstant = constants
  }

  /// - Parameter variables: values of the `$variables` it contains.
  /// - Throws: `PredicateError` naming entity and key for a key path the schema does not have, for a transient
  ///   attribute, a block, a form that stores cannot evaluate, or a constant of the wrong type.
  public func bind(_ predicate: NSPredicate, variables: [String: Any] = [:]) throws(PredicateError) -> BoundPredicate {
    throw PredicateError(.unsupported, "Predicates cannot be bound yet.")
  }

  /// Binds an expression, such as a column of a dictionary result or the new value of a batch update.
  public func bind(
    _ expression: NSExpression, variables: [String: Any] = [:]
  ) throws(PredicateError) -> BoundExpression {
    throw PredicateError(.unsupported, "Expressions cannot be bound yet.")
  }

  /// - Throws: `PredicateError` for an unknown or transient key, a to-many step, or a comparator that is a closure or
  ///   a selector other than the five that string and number attributes have.
  public func bind(_ sort: NSSortDescriptor) throws(PredicateError) -> BoundSort {
    throw PredicateError(.unsupported, "Sort descriptors cannot be bound yet.")
  }
}
