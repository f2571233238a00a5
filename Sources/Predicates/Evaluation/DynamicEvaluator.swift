internal import Foundation
internal import Schema

/// Evaluates expressions and predicates over objects in memory: dictionaries, values, and whatever is a
/// `KeyValueObject`. The meaning of operators and functions is the one that rows have.
struct DynamicEvaluator {
  /// What `SELF` and plain key paths refer to.
  let object: Operand
  var variables: [String: Operand]
  private let context: NSMutableDictionary?
  private let rawObject: Any?

  init(object: Any?, variables: [String: Any], context: NSMutableDictionary? = nil) {
    self.object = Operand(object)
    rawObject = object
    self.variables = variables.mapValues { Operand($0) }
    self.context = context
  }

  // MARK: Predicates

  func holds(_ predicate: NSPredicate) throws(QueryError) -> Bool {
    if let compound = predicate as? NSCompoundPredicate {
      switch compound.compoundPredicateType {
      case .and:
        for part in compound.subpredicates where try !holds(part) { return false }
        return true
      case .or:
        for part in compound.subpredicates where try holds(part) { return true }
        return false
      case .not:
        guard let part = compound.subpredicates.first else { return true }
        return try !holds(part)
      @unknown default: return false
      }
    }
    if let comparison = predicate as? NSComparisonPredicate {
      let left: Operand = try value(of: comparison.leftExpression)
      let right: Operand = try value(of: comparison.rightExpression)
      return try comparison.comparison().holds(left, right)
    }
    return predicate.evaluate(with: rawObject, substitutionVariables: variables.compactMapValues(\.anyValue))
  }

  // MARK: Expressions

  func value(of expression: NSExpression) throws(QueryError) -> Operand {
    switch expression.kind {
    case .constant(let value): return Operand(value)
    case .evaluatedObject: return object
    case .variable(let name):
      guard let value = variables[name] else {
        throw QueryError(.unboundVariable, "The variable $\(name) has no value.", key: name)
      }
      return value
    case .keyPath(let base, let path):
      let start: Operand = if let base { try value(of: base) } else { object }
      return try value(of: start, at: keyComponents(path)[...])
    case .function(let name, let operand, let arguments):
      return try function(name, (operand.map { [$0] } ?? []) + arguments)
    case .set(let operation, let left, let right):
      return operation.apply(try value(of: left), try value(of: right))
    case .subquery(let collection, let variable, let predicate):
      return try subquery(collection, variable, predicate)
    case .aggregate(let parts):
      var members: [Operand] = []
      for part in parts { members.append(try value(of: part)) }
      return .many(members)
    case .block(let block, let arguments):
      var values: [Any] = []
      for argument in arguments { values.append(try value(of: argument).anyValue ?? NSNull()) }
      return Operand(block(rawObject, values, context))
    case .conditional(let predicate, let yes, let no): return try value(of: holds(predicate) ? yes : no)
    case .anyKey: throw QueryError(.unsupported, "The any-key expression has no value.")
    case .custom: return Operand(expression.expressionValue(with: rawObject, context: context))
    }
  }

  private func function(_ name: String, _ arguments: [NSExpression]) throws(QueryError) -> Operand {
    guard let function = PredicateFunction(rawValue: name), function.argumentCount == arguments.count else {
      throw QueryError(
        .unsupported,
        "There is no function “\(name)” of \(arguments.count) arguments; there are \(PredicateFunction.names).",
        key: name)
    }
    var values: [Operand] = []
    for argument in arguments { values.append(try value(of: argument)) }
    return function.apply(values)
  }

  private func subquery(
    _ collection: NSExpression, _ variable: String, _ predicate: NSPredicate
  ) throws(QueryError) -> Operand {
    let members: Operand = try value(of: collection)
    var inner = self
    var found: [Operand] = []
    for member in members.isNull ? [] : members.members {
      inner.variables[variable] = member
      if try inner.holds(predicate) { found.append(member) }
    }
    return .many(found)
  }

  // MARK: Key paths

  private func value(of operand: Operand, at keys: ArraySlice<String>) throws(QueryError) -> Operand {
    guard let key = keys.first else { return operand }
    let rest = keys.dropFirst()
    if key.first == "@" {
      guard let collectionOperator = CollectionOperator(rawValue: key) else {
        throw QueryError(
          .unsupported, "There is no collection operator \(key); there are \(CollectionOperator.names).", key: key)
      }
      if collectionOperator == .count { return collectionOperator.apply(operand.isNull ? [] : operand.members) }
      var values: [Operand] = []
      for member in operand.isNull ? [] : operand.members { values.append(try value(of: member, at: rest)) }
      return collectionOperator.apply(values)
    }
    if case .many(let members) = operand {
      if key == "count" || key == "length", rest.isEmpty { return .value(.int(Int64(members.count))) }
      var values: [Operand] = []
      for member in members {
        let found: Operand = try value(of: member, at: keys)
        if case .many(let inner) = found { values.append(contentsOf: inner) } else { values.append(found) }
      }
      return .many(values)
    }
    return try value(of: operand.value(forKey: key), at: rest)
  }
}

extension Operand {
  /// The value at one key: of an object or dictionary, or the few keys that values have themselves.
  func value(forKey key: String) -> Operand {
    if key.lowercased() == "self" { return self }
    switch self {
    case .value(.string(let text)) where key == "length": return .value(.int(Int64(text.utf16.count)))
    case .value, .many: return .null
    case .other(let object):
      if let object = object as? any KeyValueObject { return Operand(object.predicateValue(forKey: key)) }
      if let dictionary = object as? [String: Any] { return Operand(dictionary[key]) }
      if let dictionary = object as? [String: Any?] { return Operand(dictionary[key] ?? nil) }
      if let dictionary = object as? NSDictionary { return Operand(dictionary[key]) }
      return .null
    }
  }
}

extension NSComparisonPredicate {
  /// What it does to its sides.
  func comparison() throws(QueryError) -> Comparison {
    var pattern: String?
    if case .constant(let text as String) = rightExpression.kind { pattern = text }
    return try Comparison(
      predicateOperatorType, options: options, modifier: comparisonPredicateModifier, pattern: pattern)
  }
}

/// The classic evaluation, which cannot throw: what Foundation raises an exception for stops the program; a pattern
/// that is no regular expression, which may come from a user, matches nothing.
func evaluateOrStop(_ predicate: NSPredicate, object: Any?, variables: [String: Any]) -> Bool {
  do throws(QueryError) {
    return try DynamicEvaluator(object: object, variables: variables).holds(predicate)
  } catch {
    if error.code == .syntax { return false }
    ProgrammerError.stop("\(error.message) In the predicate \(PredicatePrinter.text(of: predicate)).")
  }
}
