internal import Foundation
public import Schema

/// One sort descriptor, bound to a schema.
public struct BoundSort: Sendable {
  /// How strings are ordered. Other values have one order each: numbers by value, dates by time, false before true.
  public enum Comparison: Sendable, Hashable {
    /// By Unicode scalar: "Z" before "a".
    case plain
    case caseInsensitive
    /// The three localised comparators use one fixed collation, whatever the environment.
    case localized
    case localizedCaseInsensitive
    case localizedStandard
  }

  /// Whether smaller values come first.
  public let isAscending: Bool
  /// How two values are compared.
  public let comparison: Comparison
  /// Property indexes: to-one relationships, then an attribute or to-one relationship. Empty for `SELF` and
  /// `objectID`: by key.
  public let path: [Int]
  /// What it reads.
  public let dependencies: PredicateDependencies

  let hops: [SlotAccess]
  let access: SlotAccess?

  init(
    isAscending: Bool, comparison: Comparison, hops: [SlotAccess], access: SlotAccess?,
    dependencies: PredicateDependencies
  ) {
    self.isAscending = isAscending
    self.comparison = comparison
    path = hops.map(\.property) + (access.map { [$0.property] } ?? [])
    self.dependencies = dependencies
    self.hops = hops
    self.access = access
  }

  /// Negative when `a` comes first, positive when `b` does, 0 when this descriptor does not tell them apart. Absent
  /// values come first when ascending.
  public func compare(_ a: Row, _ b: Row, in source: any ObjectSource) throws(StoreError) -> Int {
    try withExtendedLifetime(source) { () throws(StoreError) in
      let scope = RowScope(source: source)
      return try compare(a, scope, b, scope)
    }
  }

  /// The order of two rows of which each comes from a source of its own.
  public func compare(
    _ a: Row, in sourceA: any ObjectSource, _ b: Row, in sourceB: any ObjectSource
  ) throws(StoreError) -> Int {
    try withExtendedLifetime((sourceA, sourceB)) { () throws(StoreError) in
      try compare(a, RowScope(source: sourceA), b, RowScope(source: sourceB))
    }
  }

  private func compare(
    _ a: Row, _ scopeA: borrowing RowScope, _ b: Row, _ scopeB: borrowing RowScope
  ) throws(StoreError) -> Int {
    let order: Int
    if hops.isEmpty {
      order = compareValues(a, scopeA, b, scopeB)
    } else {
      switch (try target(a, scopeA), try target(b, scopeB)) {
      case (nil, nil): return 0
      case (nil, let b?): order = isAbsent(b, scopeB) ? 0 : -1
      case (let a?, nil): order = isAbsent(a, scopeA) ? 0 : 1
      case (let a?, let b?): order = compareValues(a, scopeA, b, scopeB)
      }
    }
    return isAscending ? order : -order
  }

  func target(_ row: Row, _ scope: borrowing RowScope) throws(StoreError) -> Row? {
    var current = row
    for hop in hops {
      guard let key = hop.reference(of: current, scope), let next = try scope.source.row(for: key) else { return nil }
      current = next
    }
    return current
  }

  private func isAbsent(_ row: Row, _ scope: borrowing RowScope) -> Bool {
    guard let access else { return false }
    return access.slot(of: row, scope).map { row.isNull($0) } ?? true
  }

  private func compareValues(
    _ a: Row, _ scopeA: borrowing RowScope, _ b: Row, _ scopeB: borrowing RowScope
  ) -> Int {
    guard let access else { return sign(a.key, b.key) }
    guard let slotA = access.slot(of: a, scopeA), let slotB = access.slot(of: b, scopeB) else {
      return (isAbsent(a, scopeA) ? 0 : 1) - (isAbsent(b, scopeB) ? 0 : 1)
    }
    let isNullA = a.isNull(slotA)
    let isNullB = b.isNull(slotB)
    if isNullA || isNullB { return (isNullA ? 0 : 1) - (isNullB ? 0 : 1) }
    switch slotA.kind {
    case .int16, .int32, .int64: return sign(a.integer(slotA), b.integer(slotB))
    case .double, .date: return numericSign(a.double(slotA), b.double(slotB))
    case .float: return numericSign(a.float(slotA), b.float(slotB))
    case .bool: return (a.bool(slotA) ? 1 : 0) - (b.bool(slotB) ? 1 : 0)
    case .reference: return sign(a.reference(slotA), b.reference(slotB))
    case .string, .url:
      return comparison.compare(a.variableBytes(slotA), b.variableBytes(slotB))
    case .data: return compareBytes(a.variableBytes(slotA), b.variableBytes(slotB))
    case .uuid, .decimal: return order(a.value(slotA), b.value(slotB)) ?? 0
    }
  }

  /// What is not a number comes after all that is, so that there is one order.
  private func numericSign<T: FloatingPoint>(_ a: T, _ b: T) -> Int {
    if a.isNaN || b.isNaN { return (a.isNaN ? 1 : 0) - (b.isNaN ? 1 : 0) }
    return sign(a, b)
  }

  private func sign<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a > b ? 1 : 0 }
}

extension BoundSort.Comparison {
  /// By the name of a comparator; `nil` for one that is not known.
  init?(selector: String) {
    switch selector {
    case "compare:": self = .plain
    case "caseInsensitiveCompare:": self = .caseInsensitive
    case "localizedCompare:": self = .localized
    case "localizedCaseInsensitiveCompare:": self = .localizedCaseInsensitive
    case "localizedStandardCompare:": self = .localizedStandard
    default: return nil
    }
  }

  func compare(_ a: String, _ b: String) -> Int {
    var a = a
    var b = b
    return a.withUTF8 { first in
      b.withUTF8 { second in compare(UnsafeRawBufferPointer(first), UnsafeRawBufferPointer(second)) }
    }
  }

  /// Compares UTF-8.
  func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    switch self {
    case .plain: compareBytes(a, b)
    case .caseInsensitive: compareFolded(a, b)
    case .localized: Collation().compare(a, b)
    case .localizedCaseInsensitive: Collation(ignoresCase: true).compare(a, b)
    case .localizedStandard: Collation(isNumeric: true).compare(a, b)
    }
  }

  private func compareFolded(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    guard isASCII(a), isASCII(b) else {
      return Self.caseFolding.folded(a).withUnsafeBytes { first in
        Self.caseFolding.folded(b).withUnsafeBytes { compareBytes(first, $0) }
      }
    }
    for index in 0..<min(a.count, b.count) {
      let left = lowercasedASCII(a[index])
      let right = lowercasedASCII(b[index])
      if left != right { return left < right ? -1 : 1 }
    }
    return a.count - b.count
  }

  static let caseFolding = StringFolding(foldsCase: true, foldsDiacritics: false)
}
