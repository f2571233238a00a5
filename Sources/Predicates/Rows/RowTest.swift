internal import Schema

/// What the evaluation of a row needs besides the row: where other objects are, and, inside a subquery, the rows of the
/// predicates around it, the outermost first.
struct RowScope {
  let source: any ObjectSource
  var outer: [Row] = []
}

/// A condition on a row, compiled: key paths are slots, constants have the slots' types.
///
/// A class, so that a tree of them is walked without copying or counting anything.
class RowTest: @unchecked Sendable {
  // unchecked: subclasses have immutable Sendable properties only; the base of a hierarchy cannot say so.
  init() {}

  func matches(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Bool { false }
}

final class ConstantTest: RowTest, @unchecked Sendable {
  let result: Bool
  init(_ result: Bool) { self.result = result }

  override func matches(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Bool { result }
}

final class AndTest: RowTest, @unchecked Sendable {
  private let parts: [RowTest]
  init(_ parts: [RowTest]) { self.parts = parts }

  override func matches(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Bool {
    for part in parts where try !part.matches(row, scope) { return false }
    return true
  }
}

final class OrTest: RowTest, @unchecked Sendable {
  private let parts: [RowTest]
  init(_ parts: [RowTest]) { self.parts = parts }

  override func matches(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Bool {
    for part in parts where try part.matches(row, scope) { return true }
    return false
  }
}

final class NotTest: RowTest, @unchecked Sendable {
  private let part: RowTest
  init(_ part: RowTest) { self.part = part }

  override func matches(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Bool {
    try !part.matches(row, scope)
  }
}

/// A condition on the object that a to-one relationship leads to.
final class ToOneTest: RowTest, @unchecked Sendable {
  private let access: SlotAccess
  private let part: RowTest
  private let whenMissing: Bool

  /// - Parameter whenMissing: the answer when there is no object.
  init(_ access: SlotAccess, _ part: RowTest, whenMissing: Bool) {
    self.access = access
    self.part = part
    self.whenMissing = whenMissing
  }

  override func matches(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Bool {
    guard let key = access.reference(of: row, scope), let target = try scope.source.row(for: key) else {
      return whenMissing
    }
    return try part.matches(target, scope)
  }
}

/// A condition that some, or all, members of a to-many relationship must meet.
final class MembersTest: RowTest, @unchecked Sendable {
  private let relationship: Int
  private let part: RowTest
  private let needsAll: Bool
  private let hidesRow: Bool

  /// - Parameter hidesRow: whether the condition is a subquery's, for which the row becomes an outer one.
  init(relationship: Int, _ part: RowTest, needsAll: Bool, hidesRow: Bool = false) {
    self.relationship = relationship
    self.part = part
    self.needsAll = needsAll
    self.hidesRow = hidesRow
  }

  override func matches(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Bool {
    let inner = RowScope(source: scope.source, outer: hidesRow ? scope.outer + [row] : scope.outer)
    var decided = false
    try inner.source.forEachMember(of: row.key, relationship: relationship) { key throws(StoreError) in
      guard let member = try inner.source.row(for: key) else { return true }
      decided = try part.matches(member, inner) != needsAll
      return !decided
    }
    return decided != needsAll
  }
}

/// Whether some, or all, members of a to-many relationship are among given objects.
final class MemberKeysTest: RowTest, @unchecked Sendable {
  private let relationship: Int
  private let keys: Set<ObjectKey>
  private let isNegated: Bool
  private let needsAll: Bool

  init(relationship: Int, _ keys: Set<ObjectKey>, isNegated: Bool, needsAll: Bool) {
    self.relationship = relationship
    self.keys = keys
    self.isNegated = isNegated
    self.needsAll = needsAll
  }

  override func matches(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Bool {
    var decided = false
    try scope.source.forEachMember(of: row.key, relationship: relationship) { key throws(StoreError) in
      decided = (keys.contains(key) != isNegated) != needsAll
      return !decided
    }
    return decided != needsAll
  }
}

/// The number of members of a to-many relationship, compared.
final class MemberCountTest: RowTest, @unchecked Sendable {
  private let relationship: Int
  private let relation: Relation
  private let count: Int64

  init(relationship: Int, _ relation: Relation, _ count: Int64) {
    self.relationship = relationship
    self.relation = relation
    self.count = count
  }

  override func matches(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Bool {
    relation.holds(Int64(try scope.source.memberCount(of: row.key, relationship: relationship)), count)
  }
}

/// A comparison of any two expressions: the slow, general way.
final class ExpressionTest: RowTest, @unchecked Sendable {
  private let comparison: Comparison
  private let left: RowExpression
  private let right: RowExpression

  init(_ comparison: Comparison, _ left: RowExpression, _ right: RowExpression) {
    self.comparison = comparison
    self.left = left
    self.right = right
  }

  override func matches(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Bool {
    comparison.holds(try left.value(row, scope), try right.value(row, scope))
  }
}
