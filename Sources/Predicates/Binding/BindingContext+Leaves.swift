internal import Foundation
internal import Schema

/// A comparison of what a key path leads to with a constant.
struct LeafComparison {
  let type: NSComparisonPredicate.Operator
  let options: NSComparisonPredicate.Options
  let constant: Operand
  let expression: NSExpression

  /// Whether it holds for an absent value.
  var holdsForNull: Bool {
    get throws(QueryError) {
      try Comparison(type, options: options, modifier: .direct, pattern: nil).holds(.null, constant)
    }
  }

  /// The constants of an `==` or `IN`; `nil` for other operators.
  var choices: [Operand]? {
    switch (type, constant) {
    case (.equalTo, .many), (.notEqualTo, .many): nil
    case (.equalTo, _), (.notEqualTo, _): [constant]
    case (.in, .many(let members)): members
    default: nil
    }
  }

  var isNegated: Bool { type == .notEqualTo }
}

extension BindingContext {
  /// Turns steps into nested tests, so that each leaf reads slots of its own row.
  mutating func compile(
    _ path: BoundPath, from index: Int, _ leaf: LeafComparison, _ modifier: NSComparisonPredicate.Modifier,
    isInsideMembers: Bool = false
  ) throws(QueryError) -> CompiledTest {
    let rest = path.steps[index...]
    guard let step = rest.first else { return try modified(try objectLeaf(leaf), nil, modifier) }
    switch step {
    case .attribute(let access) where rest.count == 1:
      return try modified(try attributeLeaf(access, path, leaf), access, isInsideMembers ? .direct : modifier)
    case .toOne(let access) where rest.count == 1:
      return try modified(try referenceLeaf(access, leaf), access, isInsideMembers ? .direct : modifier)
    case .toOne(let access) where !rest.contains(where: \.isValueStep):
      let part: CompiledTest = try compile(path, from: index + 1, leaf, modifier, isInsideMembers: isInsideMembers)
      let isQuantified = modifier != .direct && !isInsideMembers
      let whenMissing = isQuantified ? modifier == .all : try leaf.holdsForNull
      let test = ToOneTest(access, part.test, whenMissing: whenMissing)
      return CompiledTest(test, terms: whenMissing ? [] : related(path, index, access.property, part))
    case .toMany(let property) where !rest.contains(where: \.isValueStep):
      // Without ANY, what holds for absence holds for no members at all: left to the general way.
      let holdsForNull: Bool = try leaf.holdsForNull
      guard modifier != .direct || !holdsForNull && !leaf.comparesCollections && leaf.type != .contains else { break }
      if rest.count == 1, let keys = leaf.keys {
        let test = MemberKeysTest(
          relationship: property, keys, isNegated: leaf.isNegated, needsAll: modifier == .all)
        guard !leaf.isNegated, modifier != .all else { return CompiledTest(test) }
        let isOneOfThem = CompiledTest(KeyTest(keys, isNegated: false), terms: [.keys(keys.sorted())])
        return CompiledTest(test, terms: related(path, index, property, isOneOfThem))
      }
      let part: CompiledTest = try compile(path, from: index + 1, leaf, modifier, isInsideMembers: true)
      let test = MembersTest(relationship: property, part.test, needsAll: modifier == .all)
      return CompiledTest(test, terms: modifier == .all ? [] : related(path, index, property, part))
    default: break
    }
    let comparison = try Comparison(
      leaf.type, options: leaf.options, modifier: isInsideMembers ? .direct : modifier, pattern: leaf.constant.string)
    let value = PathExpression(depth: 0, Array(rest))
    return CompiledTest(ExpressionTest(comparison, value, ConstantExpression(leaf.constant)))
  }

  /// What a condition on the objects that a step leads to says of the object before it.
  private func related(_ path: BoundPath, _ index: Int, _ property: Int, _ part: CompiledTest) -> [BoundTerm] {
    related(property, of: path.entities[index], part)
  }

  /// What a condition on the objects that a relationship leads to says of the object that has it.
  func related(_ property: Int, of entity: Int, _ part: CompiledTest) -> [BoundTerm] {
    guard let relationship = schema.entities[entity].properties[property].relationship else { return [] }
    return [.related(property: property, destination: relationship.destination, BoundCondition(part))]
  }

  /// ANY and ALL of a single value: absence has no members.
  private func modified(
    _ compiled: CompiledTest, _ access: SlotAccess?, _ modifier: NSComparisonPredicate.Modifier
  ) throws(QueryError) -> CompiledTest {
    guard let access, modifier != .direct else { return compiled }
    if modifier == .any {
      return CompiledTest(AndTest(NullTest(access, isNegated: true), compiled.test), terms: compiled.terms)
    }
    return CompiledTest(OrTest(NullTest(access, isNegated: false), compiled.test))
  }

  // MARK: Objects

  /// `SELF == object`, `SELF IN objects`, and the same of an iterator variable.
  private func objectLeaf(_ leaf: LeafComparison) throws(QueryError) -> CompiledTest {
    guard let choices = leaf.choices else { throw notComparable(leaf) }
    let keys = Set(choices.compactMap(\.objectKey))
    if keys.isEmpty { return CompiledTest(leaf.isNegated) }
    return CompiledTest(
      KeyTest(keys, isNegated: leaf.isNegated),
      terms: leaf.isNegated ? [] : [.keys(choices.compactMap(\.objectKey))])
  }

  private func referenceLeaf(_ access: SlotAccess, _ leaf: LeafComparison) throws(QueryError) -> CompiledTest {
    guard let choices = leaf.choices else { throw notComparable(leaf) }
    if choices.isEmpty { return CompiledTest(false) }
    let includesNull = choices.contains(where: \.isNull)
    let keys = choices.compactMap(\.objectKey)
    let test = ReferenceTest(access, Set(keys), includesNull: includesNull, isNegated: leaf.isNegated)
    guard !leaf.isNegated else { return CompiledTest(test) }
    let values: [Value] = keys.map { .object($0) } + (includesNull ? [.null] : [])
    return CompiledTest(test, terms: [.oneOf(property: access.property, values: values)])
  }

  private func notComparable(_ leaf: LeafComparison) -> QueryError {
    QueryError(
      .typeMismatch,
      "“\(leaf.expression)” leads to objects of \(entityName)'s model, which only ==, != and IN can compare.",
      entity: entityName, key: "\(leaf.expression)")
  }

  // MARK: Attributes

  private func attributeLeaf(
    _ access: SlotAccess, _ path: BoundPath, _ leaf: LeafComparison
  ) throws(QueryError) -> CompiledTest {
    guard case .attribute(let type) = path.type else { throw notComparable(leaf) }
    if type == .objectID { return try referenceLeaf(access, leaf) }
    let terms: [BoundTerm] = terms(access.property, type, leaf)
    let isNullTest = leaf.constant.isNull && (leaf.type == .equalTo || leaf.type == .notEqualTo)
    if isNullTest { return CompiledTest(NullTest(access, isNegated: leaf.isNegated), terms: terms) }
    if case .many(let members) = leaf.constant, members.isEmpty, leaf.type == .in { return CompiledTest(false) }
    if let test = try typedTest(access, type, leaf) { return CompiledTest(test, terms: terms) }
    let comparison = try Comparison(
      leaf.type, options: leaf.options, modifier: .direct, pattern: leaf.constant.string)
    return CompiledTest(ValueTest(access, comparison, leaf.constant), terms: terms)
  }

  /// A test made for the attribute's type, where there is one for the comparison.
  private func typedTest(
    _ access: SlotAccess, _ type: AttributeType, _ leaf: LeafComparison
  ) throws(QueryError) -> RowTest? {
    if leaf.type == .between, case .many(let bounds) = leaf.constant, bounds.count == 2 {
      let options = leaf.options
      let lower = LeafComparison(
        type: .greaterThanOrEqualTo, options: options, constant: bounds[0], expression: leaf.expression)
      let upper = LeafComparison(
        type: .lessThanOrEqualTo, options: options, constant: bounds[1], expression: leaf.expression)
      guard let first = try typedTest(access, type, lower), let second = try typedTest(access, type, upper) else {
        return nil
      }
      return AndTest(first, second)
    }
    switch type {
    case .integer16, .integer32, .integer64: return integerTest(access, leaf)
    case .double, .date:
      guard let relation = Relation(leaf.type), case .value(let value) = leaf.constant else { return nil }
      return value.exactDouble.map { DoubleTest(access, relation, $0) }
    case .boolean:
      guard leaf.type == .equalTo || leaf.type == .notEqualTo, case .int(let number)? = leaf.constant.number,
        number == 0 || number == 1
      else { return nil }
      return BooleanTest(access, number == 1, isNegated: leaf.isNegated)
    case .string, .uri: return try stringTest(access, leaf)
    case .float, .decimal, .binary, .uuid, .transformable, .objectID: return nil
    }
  }

  private func integerTest(_ access: SlotAccess, _ leaf: LeafComparison) -> RowTest? {
    if leaf.type == .in, case .many(let members) = leaf.constant {
      var numbers: Set<Int64> = []
      for member in members where !member.isNull {
        guard case .int(let number)? = member.number else { return nil }
        numbers.insert(number)
      }
      return IntegerSetTest(access, numbers, includesNull: members.contains(where: \.isNull))
    }
    guard let relation = Relation(leaf.type), case .int(let number)? = leaf.constant.number else { return nil }
    return IntegerTest(access, relation, number)
  }

  private func stringTest(_ access: SlotAccess, _ leaf: LeafComparison) throws(QueryError) -> RowTest? {
    if leaf.type == .in, case .many(let members) = leaf.constant, leaf.options.isEmpty {
      let strings = members.compactMap(\.string)
      guard strings.count == members.count(where: { !$0.isNull }) else { return nil }
      return StringSetTest(access, strings, includesNull: members.contains(where: \.isNull))
    }
    guard let text = leaf.constant.string, leaf.type != .in, leaf.type != .between,
      !leaf.options.contains(.localeSensitive) || !leaf.type.isOrder
    else { return nil }
    let matcher = try StringMatcher(leaf.type, text, options: leaf.options)
    return StringTest(access, matcher, isNegated: leaf.isNegated)
  }
}

extension PathStep {
  /// Steps that lead from objects to values other than attributes.
  var isValueStep: Bool {
    switch self {
    case .collection, .entityName, .length: true
    case .attribute, .toOne, .toMany: false
    }
  }
}

extension LeafComparison {
  /// `==` and `!=` with a collection compare whole collections.
  var comparesCollections: Bool {
    if case .many = constant { return type == .equalTo || type == .notEqualTo }
    return false
  }

  /// The objects of an `==`, `!=` or `IN`, when they are nothing but objects.
  var keys: Set<ObjectKey>? {
    guard let choices, choices.allSatisfy({ $0.objectKey != nil || $0.isForeign }) else { return nil }
    return Set(choices.compactMap(\.objectKey))
  }
}

extension Operand {
  var objectKey: ObjectKey? {
    guard case .value(.object(let key)) = self else { return nil }
    return key
  }

  var isForeign: Bool {
    guard case .other(let object) = self else { return false }
    return object is ForeignObject
  }
}

extension Value {
  /// A number or date as a `Double`, if that loses nothing.
  var exactDouble: Double? {
    switch self {
    case .double(let number), .date(let number): number
    case .int(let number): Double(exactly: number)
    case .bool(let flag): flag ? 1 : 0
    default: nil
    }
  }
}
