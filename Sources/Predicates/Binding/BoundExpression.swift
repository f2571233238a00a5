public import Schema

/// An expression bound to a schema. A Sendable value.
public struct BoundExpression: Sendable {
  /// What it reads.
  public let dependencies: PredicateDependencies

  /// Its value for a row of the entity it was bound to, or of one below it. Of a collection, the values of its members.
  public func values(_ row: Row, in source: any ObjectSource) throws(StoreError) -> BoundValue {
    throw StoreError(.unsupported, "Expressions cannot be evaluated yet.")
  }
}

/// What a bound expression gives.
public enum BoundValue: Sendable, Hashable {
  case one(Value)
  case many([Value])
}
