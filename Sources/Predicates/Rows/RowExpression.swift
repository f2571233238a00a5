internal import Schema

/// An expression over a row, compiled.
class RowExpression: @unchecked Sendable {
  // unchecked: as for RowTest; operands in constants hold Sendable values only.
  init() {}

  func value(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Operand { .null }
}

final class ConstantExpression: RowExpression, @unchecked Sendable {
  let constant: Operand
  init(_ constant: Operand) { self.constant = constant }

  override func value(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Operand { constant }
}

/// The row itself, or a row of a predicate around this one.
final class ObjectExpression: RowExpression, @unchecked Sendable {
  private let depth: Int
  init(depth: Int) { self.depth = depth }

  override func value(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Operand {
    .value(.object(scope.row(row, depth: depth).key))
  }
}

/// A key path from the row, or from a row of a predicate around this one.
final class PathExpression: RowExpression, @unchecked Sendable {
  let depth: Int
  let steps: [PathStep]

  init(depth: Int, _ steps: [PathStep]) {
    self.depth = depth
    self.steps = steps
  }

  override func value(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Operand {
    let start = scope.row(row, depth: depth)
    return try scope.follow(steps[...], from: start.key, start)
  }
}

/// A key path from the value of another expression.
final class FollowingExpression: RowExpression, @unchecked Sendable {
  private let base: RowExpression
  private let steps: [PathStep]

  init(_ base: RowExpression, _ steps: [PathStep]) {
    self.base = base
    self.steps = steps
  }

  override func value(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Operand {
    try scope.follow(steps[...], from: base.value(row, scope))
  }
}

final class FunctionExpression: RowExpression, @unchecked Sendable {
  private let function: PredicateFunction
  private let arguments: [RowExpression]

  init(_ function: PredicateFunction, _ arguments: [RowExpression]) {
    self.function = function
    self.arguments = arguments
  }

  override func value(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Operand {
    var values: [Operand] = []
    values.reserveCapacity(arguments.count)
    for argument in arguments { values.append(try argument.value(row, scope)) }
    return function.apply(values)
  }
}

final class SetExpression: RowExpression, @unchecked Sendable {
  private let operation: SetOperation
  private let left: RowExpression
  private let right: RowExpression

  init(_ operation: SetOperation, _ left: RowExpression, _ right: RowExpression) {
    self.operation = operation
    self.left = left
    self.right = right
  }

  override func value(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Operand {
    operation.apply(try left.value(row, scope), try right.value(row, scope))
  }
}

final class AggregateExpression: RowExpression, @unchecked Sendable {
  private let parts: [RowExpression]
  init(_ parts: [RowExpression]) { self.parts = parts }

  override func value(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Operand {
    var members: [Operand] = []
    for part in parts { members.append(try part.value(row, scope)) }
    return .many(members)
  }
}

final class ConditionalExpression: RowExpression, @unchecked Sendable {
  private let test: RowTest
  private let yes: RowExpression
  private let no: RowExpression

  init(_ test: RowTest, _ yes: RowExpression, _ no: RowExpression) {
    self.test = test
    self.yes = yes
    self.no = no
  }

  override func value(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Operand {
    try test.matches(row, scope) ? yes.value(row, scope) : no.value(row, scope)
  }
}

/// The objects of a collection that meet a condition.
final class SubqueryExpression: RowExpression, @unchecked Sendable {
  private let collection: RowExpression
  private let test: RowTest

  init(_ collection: RowExpression, _ test: RowTest) {
    self.collection = collection
    self.test = test
  }

  override func value(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Operand {
    let inner = RowScope(source: scope.source, outer: OuterRows(row, scope.outer))
    let members: Operand = try collection.value(row, scope)
    var found: [Operand] = []
    for member in members.isNull ? [] : members.members {
      guard case .value(.object(let key)) = member, let memberRow = try inner.source.row(for: key) else { continue }
      if try test.matches(memberRow, inner) { found.append(member) }
    }
    return .many(found)
  }
}
