internal import Foundation

/// A predicate with constants in place of variables.
func substituting(_ variables: [String: Any], in predicate: NSPredicate) -> NSPredicate {
  if let compound = predicate as? NSCompoundPredicate {
    return CompoundPredicate(
      type: compound.compoundPredicateType,
      subpredicates: compound.subpredicates.map { substituting(variables, in: $0) })
  }
  guard let comparison = predicate as? NSComparisonPredicate, comparison.customSelector == nil else { return predicate }
  return NSComparisonPredicate(
    leftExpression: substituting(variables, in: comparison.leftExpression),
    rightExpression: substituting(variables, in: comparison.rightExpression),
    modifier: comparison.comparisonPredicateModifier, type: comparison.predicateOperatorType,
    options: comparison.options)
}

func substituting(_ variables: [String: Any], in expression: NSExpression) -> NSExpression {
  func change(_ part: NSExpression) -> NSExpression { substituting(variables, in: part) }
  switch expression.kind {
  case .variable(let name):
    guard let value = variables[name] else { return expression }
    return value as? NSExpression ?? NSExpression(forConstantValue: value)
  case .keyPath(let base?, let path): return NSExpression(kind: .keyPath(base: change(base), path: path))
  case .function(let name, let operand, let arguments):
    return NSExpression(kind: .function(name: name, operand: operand.map(change), arguments: arguments.map(change)))
  case .set(let operation, let left, let right):
    return NSExpression(kind: .set(operation, change(left), change(right)))
  case .subquery(let collection, let variable, let predicate):
    var inner = variables
    inner[variable] = nil
    return NSExpression(
      kind: .subquery(change(collection), variable: variable, predicate: substituting(inner, in: predicate)))
  case .aggregate(let parts): return NSExpression(kind: .aggregate(parts.map(change)))
  case .conditional(let predicate, let yes, let no):
    return NSExpression(kind: .conditional(substituting(variables, in: predicate), change(yes), change(no)))
  case .constant, .evaluatedObject, .keyPath, .anyKey, .block, .custom: return expression
  }
}
