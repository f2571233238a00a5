internal import Foundation
internal import Schema

/// The six relations, over values of one type.
enum Relation: Sendable {
  case equal
  case notEqual
  case less
  case lessOrEqual
  case greater
  case greaterOrEqual

  init?(_ type: NSComparisonPredicate.Operator) {
    switch type {
    case .equalTo: self = .equal
    case .notEqualTo: self = .notEqual
    case .lessThan: self = .less
    case .lessThanOrEqualTo: self = .lessOrEqual
    case .greaterThan: self = .greater
    case .greaterThanOrEqualTo: self = .greaterOrEqual
    default: return nil
    }
  }

  @inline(__always)
  func holds<T: Comparable>(_ a: T, _ b: T) -> Bool {
    switch self {
    case .equal: a == b
    case .notEqual: a != b
    case .less: a < b
    case .lessOrEqual: a <= b
    case .greater: a > b
    case .greaterOrEqual: a >= b
    }
  }

  /// What it says of an absent value: only that it differs.
  var holdsForNull: Bool { self == .notEqual }
}

// Each test below reads one slot and compares it, without making a value of it.

final class NullTest: RowTest, @unchecked Sendable {
  private let access: SlotAccess
  private let isNegated: Bool

  init(_ access: SlotAccess, isNegated: Bool) {
    self.access = access
    self.isNegated = isNegated
  }

  override func matches(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Bool {
    guard let slot = access.slot(of: row, scope) else { return !isNegated }
    return row.isNull(slot) != isNegated
  }
}

final class IntegerTest: RowTest, @unchecked Sendable {
  private let access: SlotAccess
  private let relation: Relation
  private let number: Int64

  init(_ access: SlotAccess, _ relation: Relation, _ number: Int64) {
    self.access = access
    self.relation = relation
    self.number = number
  }

  override func matches(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Bool {
    guard let slot = access.slot(of: row, scope), !row.isNull(slot) else { return relation.holdsForNull }
    return relation.holds(row.integer(slot), number)
  }
}

final class IntegerSetTest: RowTest, @unchecked Sendable {
  private let access: SlotAccess
  private let numbers: Set<Int64>
  private let includesNull: Bool

  init(_ access: SlotAccess, _ numbers: Set<Int64>, includesNull: Bool) {
    self.access = access
    self.numbers = numbers
    self.includesNull = includesNull
  }

  override func matches(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Bool {
    guard let slot = access.slot(of: row, scope), !row.isNull(slot) else { return includesNull }
    return numbers.contains(row.integer(slot))
  }
}

/// Doubles and dates.
final class DoubleTest: RowTest, @unchecked Sendable {
  private let access: SlotAccess
  private let relation: Relation
  private let number: Double

  init(_ access: SlotAccess, _ relation: Relation, _ number: Double) {
    self.access = access
    self.relation = relation
    self.number = number
  }

  override func matches(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Bool {
    guard let slot = access.slot(of: row, scope), !row.isNull(slot) else { return relation.holdsForNull }
    return relation.holds(row.double(slot), number)
  }
}

final class BooleanTest: RowTest, @unchecked Sendable {
  private let access: SlotAccess
  private let isNegated: Bool
  private let flag: Bool

  init(_ access: SlotAccess, _ flag: Bool, isNegated: Bool) {
    self.access = access
    self.flag = flag
    self.isNegated = isNegated
  }

  override func matches(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Bool {
    guard let slot = access.slot(of: row, scope), !row.isNull(slot) else { return isNegated }
    return (row.bool(slot) == flag) != isNegated
  }
}

/// To-one relationships and object identifiers: one of some objects.
final class ReferenceTest: RowTest, @unchecked Sendable {
  private let access: SlotAccess
  private let single: ObjectKey?
  private let keys: Set<ObjectKey>
  private let includesNull: Bool
  private let isNegated: Bool

  init(_ access: SlotAccess, _ keys: Set<ObjectKey>, includesNull: Bool, isNegated: Bool) {
    self.access = access
    single = keys.count == 1 ? keys.first : nil
    self.keys = keys
    self.includesNull = includesNull
    self.isNegated = isNegated
  }

  override func matches(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Bool {
    guard let slot = access.slot(of: row, scope), !row.isNull(slot) else { return includesNull != isNegated }
    let key = row.reference(slot)
    if let single { return (single == key) != isNegated }
    return keys.contains(key) != isNegated
  }
}

/// The object itself: one of some.
final class KeyTest: RowTest, @unchecked Sendable {
  private let keys: Set<ObjectKey>
  private let isNegated: Bool

  init(_ keys: Set<ObjectKey>, isNegated: Bool) {
    self.keys = keys
    self.isNegated = isNegated
  }

  override func matches(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Bool {
    keys.contains(row.key) != isNegated
  }
}

/// Strings and URLs, compared where they lie.
final class StringTest: RowTest, @unchecked Sendable {
  private let access: SlotAccess
  private let matcher: StringMatcher
  private let isNegated: Bool

  init(_ access: SlotAccess, _ matcher: StringMatcher, isNegated: Bool) {
    self.access = access
    self.matcher = matcher
    self.isNegated = isNegated
  }

  override func matches(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Bool {
    guard let slot = access.slot(of: row, scope), !row.isNull(slot) else { return isNegated }
    return matcher.matches(row.variableBytes(slot)) != isNegated
  }
}

/// One of some strings, by code units.
final class StringSetTest: RowTest, @unchecked Sendable {
  private let access: SlotAccess
  /// Sorted, so that text is searched for where it lies.
  private let strings: [[UInt8]]
  private let includesNull: Bool

  init(_ access: SlotAccess, _ strings: [String], includesNull: Bool) {
    self.access = access
    self.strings = strings.map { Array($0.utf8) }.sorted { a, b in
      a.withUnsafeBytes { left in b.withUnsafeBytes { compareBytes(left, $0) < 0 } }
    }
    self.includesNull = includesNull
  }

  override func matches(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Bool {
    guard let slot = access.slot(of: row, scope), !row.isNull(slot) else { return includesNull }
    let text = row.variableBytes(slot)
    var low = 0
    var high = strings.count
    while low < high {
      let middle = (low + high) / 2
      let order = strings[middle].withUnsafeBytes { compareBytes($0, text) }
      if order == 0 { return true }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return false
  }
}

/// Any attribute and any comparison, by way of a boxed value.
final class ValueTest: RowTest, @unchecked Sendable {
  private let access: SlotAccess
  private let comparison: Comparison
  // Constants hold values and collections of them only.
  private let constant: Operand

  init(_ access: SlotAccess, _ comparison: Comparison, _ constant: Operand) {
    self.access = access
    self.comparison = comparison
    self.constant = constant
  }

  override func matches(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Bool {
    comparison.holds(.value(access.value(of: row, scope)), constant)
  }
}

extension Row {
  /// An integer of any width.
  @inline(__always)
  func integer(_ slot: RowSlot) -> Int64 {
    switch slot.kind {
    case .int16: Int64(int16(slot))
    case .int32: Int64(int32(slot))
    default: int64(slot)
    }
  }
}
