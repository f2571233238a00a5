internal import Foundation

/// Replaces parts of expressions and predicates, the outermost that have a replacement first.
struct ExpressionRewriting {
  /// The replacement of a part; `nil` to look into it.
  let replacement: (NSExpression) throws(QueryError) -> NSExpression?

  func rewritten(_ expression: NSExpression) throws(QueryError) -> NSExpression {
    if let replaced = try replacement(expression) { return replaced }
    switch expression.kind {
    case .keyPath(let base?, let path): return NSExpression(kind: .keyPath(base: try rewritten(base), path: path))
    case .function(let name, let operand, let arguments):
      var parts: [NSExpression] = []
      for argument in arguments { parts.append(try rewritten(argument)) }
      var target: NSExpression?
      if let operand { target = try rewritten(operand) }
      return NSExpression(kind: .function(name: name, operand: target, arguments: parts))
    case .set(let operation, let left, let right):
      return NSExpression(kind: .set(operation, try rewritten(left), try rewritten(right)))
    case .aggregate(let members):
      var parts: [NSExpression] = []
      for member in members { parts.append(try rewritten(member)) }
      return NSExpression(kind: .aggregate(parts))
    case .conditional(let predicate, let yes, let no):
      return NSExpression(kind: .conditional(try rewritten(predicate), try rewritten(yes), try rewritten(no)))
    case .constant, .evaluatedObject, .variable, .keyPath, .subquery, .anyKey, .block, .custom: return expression
    }
  }

  func rewritten(_ predicate: NSPredicate) throws(QueryError) -> NSPredicate {
    if let compound = predicate as? NSCompoundPredicate {
      var parts: [NSPredicate] = []
      for part in compound.subpredicates { parts.append(try rewritten(part)) }
      return CompoundPredicate(type: compound.compoundPredicateType, subpredicates: parts)
    }
    guard let comparison = predicate as? NSComparisonPredicate, comparison.customSelector == nil else {
      return predicate
    }
    return NSComparisonPredicate(
      leftExpression: try rewritten(comparison.leftExpression),
      rightExpression: try rewritten(comparison.rightExpression), modifier: comparison.comparisonPredicateModifier,
      type: comparison.predicateOperatorType, options: comparison.options)
  }
}
