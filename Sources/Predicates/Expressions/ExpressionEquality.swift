internal import Foundation
internal import Schema

func isSameExpression(_ a: NSExpression, _ b: NSExpression) -> Bool {
  switch (a.kind, b.kind) {
  case (.constant(let a), .constant(let b)): return isSameConstant(Operand(a), Operand(b))
  case (.constant(let value), .aggregate(let parts)), (.aggregate(let parts), .constant(let value)):
    // A constant collection is written as an aggregate.
    guard let constants = constants(parts) else { return false }
    return isSameConstant(Operand(value), .many(constants))
  case (.evaluatedObject, .evaluatedObject), (.anyKey, .anyKey): return true
  case (.variable(let a), .variable(let b)): return a == b
  case (.keyPath(let baseA, let a), .keyPath(let baseB, let b)):
    return keyComponents(a) == keyComponents(b) && isSame(baseA, baseB)
  case (.function(let nameA, let operandA, let a), .function(let nameB, let operandB, let b)):
    return nameA == nameB && isSame(operandA, operandB) && isSame(a, b)
  case (.set(let operationA, let leftA, let rightA), .set(let operationB, let leftB, let rightB)):
    return operationA == operationB && leftA.isEqual(leftB) && rightA.isEqual(rightB)
  case (.subquery(let a, let variableA, let predicateA), .subquery(let b, let variableB, let predicateB)):
    return variableA == variableB && a.isEqual(b) && isSamePredicate(predicateA, predicateB)
  case (.aggregate(let a), .aggregate(let b)):
    if isSame(a, b) { return true }
    guard let left = constants(a), let right = constants(b) else { return false }
    return isSameConstant(.many(left), .many(right))
  case (.conditional(let predicateA, let yesA, let noA), .conditional(let predicateB, let yesB, let noB)):
    return isSamePredicate(predicateA, predicateB) && yesA.isEqual(yesB) && noA.isEqual(noB)
  default: return false
  }
}

private func isSame(_ a: NSExpression?, _ b: NSExpression?) -> Bool {
  guard let a, let b else { return a == nil && b == nil }
  return a.isEqual(b)
}

private func isSame(_ a: [NSExpression], _ b: [NSExpression]) -> Bool {
  a.count == b.count && zip(a, b).allSatisfy { $0.isEqual($1) }
}

private func constants(_ parts: [NSExpression]) -> [Operand]? {
  var result: [Operand] = []
  for part in parts {
    switch part.kind {
    case .constant(let value): result.append(Operand(value))
    case .aggregate(let inner):
      guard let members = constants(inner) else { return nil }
      result.append(.many(members))
    default: return nil
    }
  }
  return result
}

/// Equal constants; collections in any order, since sets have none.
private func isSameConstant(_ a: Operand, _ b: Operand) -> Bool {
  guard case .many(let left) = a, case .many(let right) = b else {
    if case .other(let first as IndexSymbol) = a, case .other(let second as IndexSymbol) = b { return first == second }
    return isSame(a, b)
  }
  guard left.count == right.count else { return false }
  if zip(left, right).allSatisfy({ isSameConstant($0, $1) }) { return true }
  var rest = right
  for member in left {
    guard let index = rest.firstIndex(where: { isSameConstant(member, $0) }) else { return false }
    rest.remove(at: index)
  }
  return true
}

func isSamePredicate(_ a: NSPredicate, _ b: NSPredicate) -> Bool {
  if a === b { return true }
  switch (a, b) {
  case (let a as NSCompoundPredicate, let b as NSCompoundPredicate):
    return a.compoundPredicateType == b.compoundPredicateType && a.subpredicates.count == b.subpredicates.count
      && zip(a.subpredicates, b.subpredicates).allSatisfy { isSamePredicate($0, $1) }
  case (let a as NSComparisonPredicate, let b as NSComparisonPredicate):
    return a.predicateOperatorType == b.predicateOperatorType && a.options == b.options
      && a.comparisonPredicateModifier == b.comparisonPredicateModifier && a.customSelector == b.customSelector
      && a.leftExpression.isEqual(b.leftExpression) && a.rightExpression.isEqual(b.rightExpression)
  default:
    guard let left = constantResult(of: a), let right = constantResult(of: b) else { return false }
    return left == right
  }
}
