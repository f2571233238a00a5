internal import Foundation
internal import Schema

extension BindingContext {
  mutating func compile(_ expression: NSExpression) throws(QueryError) -> (RowExpression, BoundType) {
    try enter()
    defer { leave() }
    if isConstant(expression) {
      return (ConstantExpression(try stored(constantValue(expression))), .unknown)
    }
    if let path = try path(of: expression) {
      note(path)
      if path.steps.isEmpty { return (ObjectExpression(depth: path.depth), path.type) }
      return (PathExpression(depth: path.depth, path.steps), path.type)
    }
    switch expression.kind {
    case .keyPath(let base?, let keyPath):
      let (value, baseType) = try compile(base)
      var type = baseType
      let (steps, entities) = try steps(of: keyPath, from: &type)
      note(steps, entities, startsAtRow: false)
      return (FollowingExpression(value, steps), type)
    case .function(let name, let operand, let arguments):
      return try compileFunction(name, (operand.map { [$0] } ?? []) + arguments)
    case .set(let operation, let left, let right):
      let (first, type) = try compile(left)
      return (SetExpression(operation, first, try compile(right).0), type)
    case .subquery(let collection, let variable, let predicate):
      let (members, type) = try compile(collection)
      guard case .object(let entity) = type else {
        throw QueryError(
          .typeMismatch, "“\(expression)”: SUBQUERY searches objects; “\(collection)” leads to none.",
          entity: entityName, key: "\(collection)")
      }
      return (SubqueryExpression(members, try compileSubquery(predicate, variable, entity).test), type)
    case .aggregate(let parts):
      var values: [RowExpression] = []
      for part in parts { values.append(try compile(part).0) }
      return (AggregateExpression(values), .unknown)
    case .conditional(let predicate, let yes, let no):
      let test: CompiledTest = try compile(predicate)
      let (first, type) = try compile(yes)
      return (ConditionalExpression(test.test, first, try compile(no).0), type)
    default:
      throw QueryError(
        .unsupported, "A store cannot evaluate the expression “\(expression)” (\(expression.expressionType)).",
        entity: entityName)
    }
  }

  private mutating func compileFunction(
    _ name: String, _ arguments: [NSExpression]
  ) throws(QueryError) -> (RowExpression, BoundType) {
    guard let function = PredicateFunction(rawValue: name), function.argumentCount == arguments.count else {
      throw QueryError(
        .unsupported,
        "There is no function “\(name)” of \(arguments.count) arguments; there are \(PredicateFunction.names).",
        entity: entityName, key: name)
    }
    var values: [RowExpression] = []
    var types: [BoundType] = []
    for argument in arguments {
      let (value, type) = try compile(argument)
      values.append(value)
      types.append(type)
    }
    let keepsType = function == .index || function == .noIndex
    return (FunctionExpression(function, values), keepsType ? types[0] : .unknown)
  }
}
