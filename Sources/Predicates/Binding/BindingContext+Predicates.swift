internal import Foundation
internal import Schema

extension BindingContext {
  mutating func compile(_ predicate: NSPredicate) throws(QueryError) -> CompiledTest {
    try enter()
    defer { leave() }
    if let compound = predicate as? NSCompoundPredicate { return try compile(compound) }
    if let comparison = predicate as? NSComparisonPredicate { return try compile(comparison) }
    if let result = constantResult(of: predicate) { return CompiledTest(result) }
    throw QueryError(
      .unsupported,
      "A store cannot evaluate a block predicate (\(type(of: predicate))) on \(entityName): use a format, or filter the fetched objects.",
      entity: entityName)
  }

  private mutating func compile(_ compound: NSCompoundPredicate) throws(QueryError) -> CompiledTest {
    var parts: [CompiledTest] = []
    for part in compound.subpredicates { parts.append(try compile(part)) }
    switch compound.compoundPredicateType {
    case .not:
      guard let part = parts.first else { return CompiledTest(true) }
      return part.constant.map { CompiledTest(!$0) } ?? CompiledTest(NotTest(part.test))
    case .and:
      if parts.contains(where: { $0.constant == false }) { return CompiledTest(false) }
      parts.removeAll { $0.constant == true }
      guard parts.count > 1 else { return parts.first ?? CompiledTest(true) }
      return CompiledTest(AndTest.all(parts.map(\.test)[...]), terms: parts.flatMap(\.terms))
    case .or:
      if parts.contains(where: { $0.constant == true }) { return CompiledTest(true) }
      parts.removeAll { $0.constant == false }
      guard parts.count > 1 else { return parts.first ?? CompiledTest(false) }
      return CompiledTest(OrTest.any(parts.map(\.test)[...]), terms: Self.terms(ofAny: parts))
    @unknown default: throw QueryError(.unsupported, "There is a compound predicate of an unknown type.")
    }
  }

  /// `a == 1 OR a == 2` is as good as `a IN {1, 2}`.
  private static func alternatives(_ parts: [CompiledTest]) -> [BoundTerm] {
    var property: Int?
    var all: [Value] = []
    for part in parts {
      guard part.terms.count == 1, case .oneOf(let index, let values) = part.terms[0], property ?? index == index else {
        return []
      }
      property = index
      all.append(contentsOf: values)
    }
    return property.map { [.oneOf(property: $0, values: all)] } ?? []
  }

  /// What meeting one of several conditions says, when each of them says something.
  private static func terms(ofAny parts: [CompiledTest]) -> [BoundTerm] {
    let same = alternatives(parts)
    guard same.isEmpty, parts.allSatisfy({ !$0.terms.isEmpty }) else { return same }
    return [.anyOf(parts.map(\.terms))]
  }

  private mutating func compile(_ predicate: NSComparisonPredicate) throws(QueryError) -> CompiledTest {
    if let selector = predicate.customSelector {
      throw QueryError(
        .unsupported,
        "\(entityName): “\(PredicatePrinter.text(of: predicate))” compares by the method \(selector), which no store has.",
        entity: entityName, key: selector.name)
    }
    let left: NSExpression = predicate.leftExpression
    let right: NSExpression = predicate.rightExpression
    switch (isConstant(left), isConstant(right)) {
    case (true, true):
      let comparison: Comparison = try predicate.comparison()
      return CompiledTest(comparison.holds(try stored(constantValue(left)), try stored(constantValue(right))))
    case (false, true):
      return try compile(
        left, predicate.predicateOperatorType, predicate.options, predicate.comparisonPredicateModifier,
        constant: try stored(constantValue(right)))
    case (true, false):
      if let type = predicate.predicateOperatorType.flipped, predicate.comparisonPredicateModifier == .direct {
        let constant: Operand = try stored(constantValue(left))
        if !constant.isCollection {
          return try compile(right, type, predicate.options, .direct, constant: constant)
        }
      }
      // `%@ IN tags`
      if predicate.predicateOperatorType == .in, predicate.comparisonPredicateModifier == .direct,
        let path = try path(of: right), path.isToMany
      {
        let constant: Operand = try stored(constantValue(left))
        if !constant.isCollection {
          return try compile(right, .equalTo, predicate.options, .any, constant: constant)
        }
      }
    case (false, false): break
    }
    let leftType: BoundType
    let rightType: BoundType
    let leftExpression: RowExpression
    let rightExpression: RowExpression
    (leftExpression, leftType) = try compile(left)
    (rightExpression, rightType) = try compile(right)
    try checkComparable(leftType, rightType, predicate)
    return CompiledTest(ExpressionTest(try predicate.comparison(), leftExpression, rightExpression))
  }

  private func checkComparable(
    _ left: BoundType, _ right: BoundType, _ predicate: NSComparisonPredicate
  ) throws(QueryError) {
    guard predicate.predicateOperatorType.isStringOnly else { return }
    for type in [left, right] where type.isObject {
      throw QueryError(
        .typeMismatch, "\(PredicatePrinter.text(of: predicate)): objects have no text to compare.", entity: entityName)
    }
  }

  /// A comparison with a constant.
  private mutating func compile(
    _ expression: NSExpression, _ type: NSComparisonPredicate.Operator, _ options: NSComparisonPredicate.Options,
    _ modifier: NSComparisonPredicate.Modifier, constant: Operand
  ) throws(QueryError) -> CompiledTest {
    if let counted = try compileCount(expression, type, constant, modifier) { return counted }
    guard let path = try path(of: expression), path.depth == 0 else {
      let (value, valueType) = try compile(expression)
      let constant: Operand = try coerced(constant, to: valueType, expression, type)
      let comparison = try Comparison(type, options: options, modifier: modifier, pattern: constant.string)
      return CompiledTest(ExpressionTest(comparison, value, ConstantExpression(constant)))
    }
    note(path)
    if type == .contains, modifier == .direct, path.isToMany, !constant.isCollection {
      // Membership.
      return try compile(expression, .equalTo, options, .any, constant: constant)
    }
    let constant: Operand = try coerced(constant, to: path.type, expression, type)
    let leaf = LeafComparison(type: type, options: options, constant: constant, expression: expression)
    return try compile(path, from: 0, leaf, modifier)
  }

  /// `tags.@count > 0` and `SUBQUERY(tags, $t, …).@count > 0`.
  private mutating func compileCount(
    _ expression: NSExpression, _ type: NSComparisonPredicate.Operator, _ constant: Operand,
    _ modifier: NSComparisonPredicate.Modifier
  ) throws(QueryError) -> CompiledTest? {
    guard modifier == .direct, let relation = Relation(type), case .value(.int(let count)) = constant else {
      return nil
    }
    if let path = try path(of: expression), path.depth == 0, path.steps.count >= 2,
      case .collection(.count) = path.steps[path.steps.count - 1],
      case .toMany(let property) = path.steps[path.steps.count - 2],
      !path.steps.dropLast(2).contains(where: \.isToMany)
    {
      note(path)
      var test: RowTest = MemberCountTest(relationship: property, relation, count)
      for step in path.steps.dropLast(2).reversed() {
        guard case .toOne(let access) = step else { return nil }
        test = ToOneTest(access, test, whenMissing: relation.holds(0, count))
      }
      return CompiledTest(test)
    }
    guard case .keyPath(let base?, let key) = expression.kind, key == "@count",
      case .subquery(let collection, let variable, let predicate) = base.kind,
      let needsAny = relation.asksForAny(count), let path = try path(of: collection), path.depth == 0,
      path.steps.count == 1, case .toMany(let property) = path.steps[0], case .object(let entity) = path.type
    else { return nil }
    note(path)
    let readsAround = readsRowsAround
    readsRowsAround = false
    let part: CompiledTest = try compileSubquery(predicate, variable, entity)
    let isOnItsOwn = !readsRowsAround
    readsRowsAround = readsAround || !isOnItsOwn
    let test = MembersTest(relationship: property, part.test, needsAll: false, hidesRow: true)
    guard needsAny else { return CompiledTest(NotTest(test)) }
    return CompiledTest(test, terms: isOnItsOwn ? related(property, of: path.entities[0], part) : [])
  }

  /// The predicate of a subquery, over rows of the collection's entity.
  mutating func compileSubquery(
    _ predicate: NSPredicate, _ variable: String, _ entity: Int
  ) throws(QueryError) -> CompiledTest {
    frames.append(Frame(variable: variable, entity: entity))
    defer { frames.removeLast() }
    return try compile(predicate)
  }
}

extension Relation {
  /// Whether comparing a count with a number asks if there is any (true) or none (false); `nil` for anything else.
  func asksForAny(_ number: Int64) -> Bool? {
    switch (self, number) {
    case (.greater, 0), (.notEqual, 0), (.greaterOrEqual, 1): true
    case (.equal, 0), (.lessOrEqual, 0), (.less, 1): false
    default: nil
    }
  }
}

extension NSComparisonPredicate.Operator {
  /// The operator with the sides exchanged; `nil` for those that have no such form.
  var flipped: NSComparisonPredicate.Operator? {
    switch self {
    case .equalTo, .notEqualTo: self
    case .lessThan: .greaterThan
    case .lessThanOrEqualTo: .greaterThanOrEqualTo
    case .greaterThan: .lessThan
    case .greaterThanOrEqualTo: .lessThanOrEqualTo
    default: nil
    }
  }
}
