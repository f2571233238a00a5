internal import Schema

/// What the evaluation of a row needs besides the row: where other objects are, and, inside a subquery, the rows of the
/// predicates around it, the outermost first.
///
/// Not copied, so that a test costs no reference counting.
struct RowScope: ~Copyable {
  // unsafe: whoever makes a scope holds the source for as long, see `BoundPredicate.matches`; a counted reference would
  // cost as much as an integer comparison.
  unowned(unsafe) let source: any ObjectSource
  let outer: OuterRows?

  init(source: any ObjectSource, outer: OuterRows? = nil) {
    self.source = source
    self.outer = outer
  }
}

/// The rows of the predicates around a subquery's.
final class OuterRows {
  let row: Row
  let outer: OuterRows?

  init(_ row: Row, _ outer: OuterRows?) {
    self.row = row
    self.outer = outer
  }
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

/// Two conditions; more of them make a balanced tree, which costs no array.
final class AndTest: RowTest, @unchecked Sendable {
  private let first: RowTest
  private let second: RowTest

  init(_ first: RowTest, _ second: RowTest) {
    self.first = first
    self.second = second
  }

  /// - Precondition: there is one at least.
  static func all(_ parts: ArraySlice<RowTest>) -> RowTest {
    guard parts.count > 1 else { return parts[parts.startIndex] }
    let middle = parts.startIndex + (parts.count + 1) / 2
    return AndTest(all(parts[..<middle]), all(parts[middle...]))
  }

  override func matches(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Bool {
    guard try first.matches(row, scope) else { return false }
    return try second.matches(row, scope)
  }
}

final class OrTest: RowTest, @unchecked Sendable {
  private let first: RowTest
  private let second: RowTest

  init(_ first: RowTest, _ second: RowTest) {
    self.first = first
    self.second = second
  }

  /// - Precondition: there is one at least.
  static func any(_ parts: ArraySlice<RowTest>) -> RowTest {
    guard parts.count > 1 else { return parts[parts.startIndex] }
    let middle = parts.startIndex + (parts.count + 1) / 2
    return OrTest(any(parts[..<middle]), any(parts[middle...]))
  }

  override func matches(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Bool {
    if try first.matches(row, scope) { return true }
    return try second.matches(row, scope)
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
    let inner = RowScope(source: scope.source, outer: hidesRow ? OuterRows(row, scope.outer) : scope.outer)
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
