internal import Foundation
internal import Glibc
internal import Schema

/// The order of two values; `nil` when they cannot be compared: one is absent, or their kinds have nothing in common.
///
/// Numbers of all kinds compare by value, booleans as 0 and 1. A date compares with a number of seconds since 2001. A
/// string that spells a number, date, UUID or URL compares with one. Strings compare by Unicode scalar.
func order(_ a: Value, _ b: Value) -> Int? {
  switch (a, b) {
  case (.int(let a), .int(let b)): return a < b ? -1 : a > b ? 1 : 0
  case (.string(let a), .string(let b)), (.url(let a), .url(let b)), (.url(let a), .string(let b)),
    (.string(let a), .url(let b)):
    return order(a, b)
  case (.date(let a), .date(let b)), (.double(let a), .double(let b)): return order(a, b)
  case (.null, _), (_, .null): return nil
  case (.object(let a), .object(let b)): return a < b ? -1 : a == b ? 0 : 1
  case (.uuid(let a), .uuid(let b)): return order(a.bytes, b.bytes)
  case (.data(let a), .data(let b)): return order(a, b)
  case (.uuid(let a), .data(let b)): return order(a.bytes, b)
  case (.data(let a), .uuid(let b)): return order(a, b.bytes)
  case (.uuid(let a), .string(let b)): return UUID(uuidString: b).flatMap { order(a.bytes, $0.bytes) }
  case (.string(let a), .uuid(let b)): return UUID(uuidString: a).flatMap { order($0.bytes, b.bytes) }
  case (.string(let text), _):
    if case .date(let date) = b { return dateSeconds(text).flatMap { order($0, date) } }
    guard let number = numberValue(text) else { return nil }
    return orderNumbers(number, b)
  case (_, .string): return order(b, a).map { -$0 }
  default: return orderNumbers(a, b)
  }
}

/// Whether two values are equal; nothing differs from nothing by not being there.
func isEqual(_ a: Value, _ b: Value) -> Bool {
  switch (a, b) {
  case (.null, .null): return true
  case (.null, _), (_, .null): return false
  case (.string(let a), .string(let b)): return hasSameBytes(a, b)
  default: return order(a, b) == 0
  }
}

/// By code units: Swift's `==` would take canonically equivalent strings for equal.
func hasSameBytes(_ a: String, _ b: String) -> Bool { a.utf8.count == b.utf8.count && order(a, b) == 0 }

func order(_ a: String, _ b: String) -> Int {
  var a = a
  var b = b
  let result = a.withUTF8 { left in
    b.withUTF8 { right in compareBytes(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right)) }
  }
  return result < 0 ? -1 : result > 0 ? 1 : 0
}

private func order(_ a: Data, _ b: Data) -> Int {
  let result = a.withUnsafeBytes { left in b.withUnsafeBytes { right in compareBytes(left, right) } }
  return result < 0 ? -1 : result > 0 ? 1 : 0
}

func order(_ a: Double, _ b: Double) -> Int? {
  a < b ? -1 : a > b ? 1 : a == b ? 0 : nil
}

private func orderNumbers(_ a: Value, _ b: Value) -> Int? {
  switch (a.asNumber, b.asNumber) {
  case (nil, _), (_, nil): return nil
  case (.int(let a), .int(let b)): return a < b ? -1 : a > b ? 1 : 0
  case (.double(let a), .double(let b)): return order(a, b)
  case (.int(let a), .double(let b)): return order(a, b)
  case (.double(let a), .int(let b)): return order(b, a).map { -$0 }
  case (.float(let a), .float(let b)): return order(Double(a), Double(b))
  case (.float(let a), .double(let b)): return order(a, b)
  case (.double(let a), .float(let b)): return order(b, a).map { -$0 }
  case (.float(let a), .int(let b)): return order(b, Double(a)).map { -$0 }
  case (.int(let a), .float(let b)): return order(a, Double(b))
  case (let a?, let b?):
    guard let left = a.asDecimal, let right = b.asDecimal else { return nil }
    return left < right ? -1 : left > right ? 1 : 0
  }
}

/// Exact: an integer above 2^53 is not rounded first.
private func order(_ a: Int64, _ b: Double) -> Int? {
  guard !b.isNaN else { return nil }
  if b >= 0x1p63 { return -1 }
  if b < -0x1p63 { return 1 }
  let whole = Int64(b.rounded(.towardZero))
  if a != whole { return a < whole ? -1 : 1 }
  let rest = b - Double(whole)
  return rest > 0 ? -1 : rest < 0 ? 1 : 0
}

/// A `Float` equals the `Double` that it is nearest to, so that 0.1 finds what was stored as 0.1.
private func order(_ a: Float, _ b: Double) -> Int? {
  Float(b) == a ? 0 : order(Double(a), b)
}

extension Value {
  /// Numbers, booleans and dates as a number.
  var asNumber: Value? {
    switch self {
    case .int, .double, .float, .decimal: self
    case .bool(let flag): .int(flag ? 1 : 0)
    case .date(let seconds): .double(seconds)
    default: nil
    }
  }

  var asDecimal: Decimal? {
    switch self {
    case .int(let number): return Decimal(number)
    case .bool(let flag): return Decimal(flag ? 1 : 0)
    case .decimal(let number): return number.isNaN ? nil : number
    case .double(let number), .date(let number): return spelledDecimal(number)
    case .float(let number): return number.isFinite ? Decimal(string: number.description, locale: posix) : nil
    default: return nil
    }
  }

  var asDouble: Double? {
    switch self {
    case .int(let number): Double(number)
    case .bool(let flag): flag ? 1 : 0
    case .double(let number), .date(let number): number
    case .float(let number): Double(number)
    case .decimal(let number): NSDecimalNumber(decimal: number).doubleValue
    default: nil
    }
  }
}

/// Through its shortest spelling, so that 0.1 becomes 0.1.
private func spelledDecimal(_ number: Double) -> Decimal? {
  number.isFinite ? Decimal(string: number.description, locale: posix) : nil
}

let posix = Locale(identifier: "en_US_POSIX")

extension UUID {
  var bytes: Data { withUnsafeBytes(of: uuid) { Data($0) } }
}

/// The number that a whole string spells.
func numberValue(_ text: String) -> Value? {
  if let number = Int64(text) { return .int(number) }
  guard let first = text.utf8.first, first == 0x2D || first == 0x2B || first == 0x2E || first &- 0x30 < 10 else {
    return nil
  }
  return Double(text).map { .double($0) }
}
