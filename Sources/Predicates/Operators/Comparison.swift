internal import Foundation
internal import Schema

/// A comparison without its sides: operator, options and modifier, with the pattern compiled when it is known. The one
/// place that says when a comparison holds, for rows and for objects in memory alike.
///
/// Rules: nothing equals nothing and differs from every value; no order relation or string operator holds for it. A
/// collection on the left meets a comparison with a single value when any member does, except for `CONTAINS`, which
/// asks whether the value is a member; a collection on the right stands for any of its members.
struct Comparison: Sendable {
  let type: NSComparisonPredicate.Operator
  let options: NSComparisonPredicate.Options
  let modifier: NSComparisonPredicate.Modifier
  /// For a constant string on the right.
  private let matcher: StringMatcher?

  /// - Parameter pattern: the right side, when it is a constant string.
  /// - Throws: `QueryError` for a pattern that is no regular expression, or a custom selector.
  init(
    _ type: NSComparisonPredicate.Operator, options: NSComparisonPredicate.Options,
    modifier: NSComparisonPredicate.Modifier, pattern: String?
  ) throws(QueryError) {
    self.type = type
    self.options = options
    self.modifier = modifier
    guard type != .customSelector else {
      throw QueryError(.unsupported, "A comparison by a selector cannot be evaluated: there are none on Linux.")
    }
    var matcher: StringMatcher?
    if let pattern, type != .in, type != .between, !options.contains(.localeSensitive) || !type.isOrder {
      matcher = try StringMatcher(type, pattern, options: options)
    }
    self.matcher = matcher
  }

  func holds(_ left: Operand, _ right: Operand) -> Bool {
    switch modifier {
    // Nothing has no members: a key path that ends early is as good as an empty collection.
    case .any: return !left.isNull && left.members.contains { holdsDirectly($0, right) }
    case .all: return left.isNull || left.members.allSatisfy { holdsDirectly($0, right) }
    case .direct: return holdsDirectly(left, right)
    }
  }

  private func holdsDirectly(_ left: Operand, _ right: Operand) -> Bool {
    switch type {
    case .in: return isIn(left, right)
    case .contains:
      if case .many(let members) = left { return members.contains { isSame($0, right, options) } }
      return compare(left, right)
    case .between: return isBetween(left, right)
    case .equalTo, .notEqualTo:
      if case .many(let a) = left, case .many(let b) = right {
        return hasSameMembers(a, b) == (type == .equalTo)
      }
    default: break
    }
    if case .many(let members) = left {
      return members.isEmpty ? compare(.null, right) : members.contains { compare($0, right) }
    }
    if case .many(let members) = right { return members.contains { compare(left, $0) } }
    return compare(left, right)
  }

  private func isIn(_ left: Operand, _ right: Operand) -> Bool {
    if case .many(let members) = right {
      if case .many(let candidates) = left, !candidates.isEmpty {
        return candidates.contains { candidate in members.contains { isSame($0, candidate, options) } }
      }
      return members.contains { isSame($0, left.isEmptyCollection ? .null : left, options) }
    }
    // "b" IN "abc"
    guard let text = right.string, let part = left.string else { return false }
    return (try? StringMatcher(.contains, part, options: options))?.matches(text) ?? false
  }

  private func isBetween(_ left: Operand, _ right: Operand) -> Bool {
    guard case .many(let bounds) = right, bounds.count == 2 else { return false }
    func lies(_ member: Operand) -> Bool {
      guard case .value(let value) = member, case .value(let lower) = bounds[0], case .value(let upper) = bounds[1],
        let below = ordered(value, lower), let above = ordered(value, upper)
      else { return false }
      return below >= 0 && above <= 0
    }
    if case .many(let members) = left { return members.contains(where: lies) }
    return lies(left)
  }

  private func hasSameMembers(_ a: [Operand], _ b: [Operand]) -> Bool {
    a.allSatisfy { member in b.contains { isSame($0, member, options) } }
      && b.allSatisfy { member in a.contains { isSame($0, member, options) } }
  }

  private func compare(_ left: Operand, _ right: Operand) -> Bool {
    guard case .value(let a) = left, case .value(let b) = right else {
      switch type {
      case .equalTo: return isSame(left, right)
      case .notEqualTo: return !isSame(left, right)
      default: return false
      }
    }
    return compare(a, b)
  }

  func compare(_ a: Value, _ b: Value) -> Bool {
    switch type {
    case .equalTo: return isEqualFolded(a, b)
    case .notEqualTo: return !isEqualFolded(a, b)
    case .lessThan: return ordered(a, b).map { $0 < 0 } ?? false
    case .lessThanOrEqualTo: return ordered(a, b).map { $0 <= 0 } ?? false
    case .greaterThan: return ordered(a, b).map { $0 > 0 } ?? false
    case .greaterThanOrEqualTo: return ordered(a, b).map { $0 >= 0 } ?? false
    default: break
    }
    guard let text = a.text, let pattern = b.text else { return false }
    if let matcher { return matcher.matches(text) }
    return (try? StringMatcher(type, pattern, options: options))?.matches(text) ?? false
  }

  private func isEqualFolded(_ a: Value, _ b: Value) -> Bool {
    guard options.folding != nil, let left = a.text, let right = b.text else { return isEqual(a, b) }
    if let matcher { return matcher.matches(left) }
    return (try? StringMatcher(.equalTo, right, options: options))?.matches(left) ?? false
  }

  private func ordered(_ a: Value, _ b: Value) -> Int? {
    guard let folding = options.folding, let left = a.text, let right = b.text else { return order(a, b) }
    if options.contains(.localeSensitive) {
      return Collation(ignoresCase: folding.foldsCase, ignoresDiacritics: folding.foldsDiacritics).compare(left, right)
    }
    return order(folding.fold(left), folding.fold(right))
  }
}

extension NSComparisonPredicate.Operator {
  var isOrder: Bool {
    switch self {
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo: true
    default: false
    }
  }

  /// Operators that only strings have.
  var isStringOnly: Bool {
    switch self {
    case .beginsWith, .endsWith, .like, .matches: true
    default: false
    }
  }
}

extension Value {
  /// Strings and URLs as text.
  var text: String? {
    switch self {
    case .string(let text), .url(let text): text
    default: nil
    }
  }
}

/// Whether two operands are the same value or object, strings folded as the options say.
func isSame(_ a: Operand, _ b: Operand, _ options: NSComparisonPredicate.Options = []) -> Bool {
  switch (a, b) {
  case (.value(let a), .value(let b)):
    guard let folding = options.folding, let left = a.text, let right = b.text else { return isEqual(a, b) }
    return hasSameBytes(folding.fold(left), folding.fold(right))
  case (.other(let a), .other(let b)):
    if let left = a as? any ObjectKeyConvertible, let right = b as? any ObjectKeyConvertible {
      return left.predicateIdentity == right.predicateIdentity
    }
    if let left = a as? NSObject, let right = b as? NSObject { return left.isEqual(right) }
    if let left = a as? AnyHashable, let right = b as? AnyHashable { return left == right }
    return false
  case (.many(let a), .many(let b)):
    return a.count == b.count && zip(a, b).allSatisfy { isSame($0, $1, options) }
  default: return false
  }
}
