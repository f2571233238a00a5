import Foundation
import Schema

/// Values of derived attributes, from the values they are derived from.
enum DerivedValue {
  static func transform(_ value: Value, _ transform: Derivation.Transform, to kind: SlotKind) -> Value {
    guard case .string(let text) = value else { return fit(value, to: kind) }
    switch transform {
    case .copy: return fit(value, to: kind)
    case .lowercase: return .string(text.lowercased())
    case .uppercase: return .string(text.uppercased())
    case .canonical: return .string(canonical(text))
    }
  }

  /// The same for the bytes of text: what is ASCII, as most text is, needs no string made of it.
  static func transform(_ utf8: UnsafeRawBufferPointer, _ transform: Derivation.Transform) -> [UInt8] {
    guard utf8.allSatisfy({ $0 < 0x80 }) else {
      let text = String(decoding: utf8, as: UTF8.self)
      guard case .string(let result) = self.transform(.string(text), transform, to: .string) else { return [] }
      return Array(result.utf8)
    }
    switch transform {
    case .copy: return Array(utf8)
    case .lowercase, .canonical: return utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    case .uppercase: return utf8.map { (0x61...0x7A).contains($0) ? $0 & ~0x20 : $0 }
    }
  }

  /// Case and accents folded, in no language in particular: "École" becomes "ecole".
  static func canonical(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    return text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }

  /// A value as a slot of another kind holds it; null where it can't.
  static func fit(_ value: Value, to kind: SlotKind) -> Value {
    switch (kind, value) {
    case (_, .null): return .null
    case (.int16, .int(let number)): return .int(Int64(Int16(clamping: number)))
    case (.int32, .int(let number)): return .int(Int64(Int32(clamping: number)))
    case (.int64, .int), (.string, .string), (.url, .url), (.bool, .bool), (.date, .date), (.data, .data),
      (.uuid, .uuid), (.float, .float), (.double, .double), (.decimal, .decimal), (.reference, .object):
      return value
    case (.int16, _), (.int32, _), (.int64, _):
      guard let number = decimal(value), !number.isNaN else { return .null }
      return fit(.int(NSDecimalNumber(decimal: number).int64Value), to: kind)
    case (.float, _): return double(value).map { .float(Float($0)) } ?? .null
    case (.double, _): return double(value).map { .double($0) } ?? .null
    case (.date, _): return double(value).map { .date($0) } ?? .null
    case (.decimal, _): return decimal(value).map { .decimal($0) } ?? .null
    case (.string, .url(let text)): return .string(text)
    case (.url, .string(let text)): return .url(text)
    default: return .null
    }
  }

  private static func double(_ value: Value) -> Double? {
    switch value {
    case .bool(let flag): flag ? 1 : 0
    case .int(let number): Double(number)
    case .float(let number): Double(number)
    case .double(let number), .date(let number): number
    case .decimal(let number): NSDecimalNumber(decimal: number).doubleValue
    default: nil
    }
  }

  private static func decimal(_ value: Value) -> Decimal? {
    switch value {
    case .int(let number): Decimal(number)
    case .decimal(let number): number
    default: double(value).map { Decimal($0) }
    }
  }

  /// Adds, or keeps the less or the greater of values; absent ones do not take part.
  struct Accumulator {
    let aggregate: Derivation.Aggregate
    private var best: Value = .null
    private var integerSum: Int64 = 0
    private var doubleSum = 0.0
    private var decimalSum = Decimal(0)
    private var sawDouble = false
    private var sawDecimal = false

    init(_ aggregate: Derivation.Aggregate) { self.aggregate = aggregate }

    mutating func add(_ value: Value) {
      if value.isNull { return }
      switch aggregate {
      case .count: integerSum += 1
      case .sum: addToSum(value)
      case .min: if best.isNull || isLess(value, best) { best = value }
      case .max: if best.isNull || isLess(best, value) { best = value }
      }
    }

    private mutating func addToSum(_ value: Value) {
      switch value {
      case .int(let number):
        let (sum, didOverflow) = integerSum.addingReportingOverflow(number)
        integerSum = didOverflow ? (number < 0 ? .min : .max) : sum
      case .decimal(let number):
        sawDecimal = true
        decimalSum += number
      default:
        guard let number = double(value) else { return }
        sawDouble = true
        doubleSum += number
      }
    }

    private func isLess(_ a: Value, _ b: Value) -> Bool {
      switch (a, b) {
      case (.int(let a), .int(let b)): return a < b
      case (.decimal(let a), .decimal(let b)): return a < b
      case (.string(let a), .string(let b)), (.url(let a), .url(let b)):
        return a.utf8.lexicographicallyPrecedes(b.utf8)
      default:
        guard let a = double(a), let b = double(b) else { return false }
        return a < b
      }
    }

    func value(for kind: SlotKind) -> Value {
      switch aggregate {
      case .min, .max: return fit(best, to: kind)
      case .count: return fit(.int(integerSum), to: kind)
      case .sum:
        if sawDecimal { return fit(.decimal(decimalSum), to: kind) }
        return fit(sawDouble ? .double(doubleSum) : .int(integerSum), to: kind)
      }
    }
  }

  /// Whether a row would hold the same: unlike `==`, not a number is itself.
  static func areSame(_ a: Value, _ b: Value) -> Bool {
    switch (a, b) {
    case (.double(let a), .double(let b)), (.date(let a), .date(let b)): a.bitPattern == b.bitPattern
    case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern
    // By code units: text that only compares equal is still other text.
    case (.string(let a), .string(let b)), (.url(let a), .url(let b)): a.utf8.elementsEqual(b.utf8)
    default: a == b
    }
  }
}
