public import Foundation
internal import Schema

extension NSExpression {
  /// What kind of expression it is.
  public var expressionType: ExpressionType {
    switch kind {
    case .constant: .constantValue
    case .evaluatedObject: .evaluatedObject
    case .variable: .variable
    case .keyPath: .keyPath
    case .function: .function
    case .set(.union, _, _): .unionSet
    case .set(.intersect, _, _): .intersectSet
    case .set(.minus, _, _): .minusSet
    case .subquery: .subquery
    case .aggregate: .aggregate
    case .anyKey: .anyKey
    case .block: .block
    case .conditional: .conditional
    case .custom(let type): type
    }
  }

  // Each part below exists for some kinds of expression; asking another kind is a mistake that Foundation raises an
  // exception for.

  /// The value of a constant.
  public var constantValue: Any? {
    guard case .constant(let value) = kind else { wrongKind("constant value") }
    return value
  }

  /// The key path.
  public var keyPath: String {
    guard case .keyPath(_, let path) = kind else { wrongKind("key path") }
    return path
  }

  /// The name of the function.
  public var function: String {
    guard case .function(let name, _, _) = kind else { wrongKind("function") }
    return name
  }

  /// The name of the variable, without the dollar sign.
  public var variable: String {
    switch kind {
    case .variable(let name), .subquery(_, let name, _): return name
    default: wrongKind("variable")
    }
  }

  /// What a function or key path is applied to: the evaluated object, unless something else was given.
  public var operand: NSExpression {
    switch kind {
    case .function(_, let operand, _): return operand ?? .expressionForEvaluatedObject()
    case .keyPath(let base, _): return base ?? .expressionForEvaluatedObject()
    default: wrongKind("operand")
    }
  }

  /// Arguments of a function or block.
  public var arguments: [NSExpression]? {
    switch kind {
    case .function(_, _, let arguments), .block(_, let arguments): return arguments
    default: wrongKind("arguments")
    }
  }

  /// The expressions of an aggregate, or what a subquery searches.
  public var collection: Any {
    switch kind {
    case .aggregate(let parts): return parts
    case .subquery(let collection, _, _): return collection
    default: wrongKind("collection")
    }
  }

  /// The predicate of a subquery or conditional.
  public var predicate: NSPredicate {
    switch kind {
    case .subquery(_, _, let predicate), .conditional(let predicate, _, _): return predicate
    default: wrongKind("predicate")
    }
  }

  /// The left operand of a set operation.
  public var left: NSExpression {
    guard case .set(_, let left, _) = kind else { wrongKind("left operand") }
    return left
  }

  /// The right operand of a set operation.
  public var right: NSExpression {
    guard case .set(_, _, let right) = kind else { wrongKind("right operand") }
    return right
  }

  /// What a conditional gives when its predicate holds.
  public var `true`: NSExpression {
    guard case .conditional(_, let expression, _) = kind else { wrongKind("true expression") }
    return expression
  }

  /// What a conditional gives when its predicate does not hold.
  public var `false`: NSExpression {
    guard case .conditional(_, _, let expression) = kind else { wrongKind("false expression") }
    return expression
  }

  /// The closure of a block expression.
  public var expressionBlock: Block {
    guard case .block(let block, _) = kind else { wrongKind("block") }
    return block
  }

  private func wrongKind(_ part: String) -> Never {
    ProgrammerError.stop("An expression of type \(expressionType) has no \(part): \(self).")
  }
}
