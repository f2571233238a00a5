public import Schema

/// An expression bound to a schema. A Sendable value.
public struct BoundExpression: Sendable {
  /// What it reads.
  public let dependencies: PredicateDependencies

  private let expression: RowExpression

  init(_ expression: RowExpression, _ dependencies: PredicateDependencies) {
    self.expression = expression
    self.dependencies = dependencies
  }

  /// Its value for a row of the entity it was bound to, or of one below it.
  public func value(_ row: Row, in source: any ObjectSource) throws(StoreError) -> BoundValue {
    try withExtendedLifetime(source) { () throws(StoreError) in
      BoundValue(try expression.value(row, RowScope(source: source)))
    }
  }
}

/// What a bound expression gives.
public enum BoundValue: Sendable, Hashable {
  case one(Value)
  case many([Value])

  /// The value, or the first of several.
  public var first: Value {
    switch self {
    case .one(let value): value
    case .many(let values): values.first ?? .null
    }
  }

  init(_ operand: Operand) {
    switch operand {
    case .value(let value): self = .one(value)
    case .many(let members): self = .many(members.map { BoundValue($0).first })
    case .other: self = .one(.null)
    }
  }
}
