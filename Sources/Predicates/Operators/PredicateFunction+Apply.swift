internal import Foundation
internal import Schema

extension PredicateFunction {
  /// Functions of all the members of a collection.
  var takesCollection: Bool {
    switch self {
    case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation: true
    default: false
    }
  }

  /// The function's value. Arguments that make no sense give nothing, as absent ones do.
  func apply(_ arguments: [Operand]) -> Operand {
    guard arguments.count == argumentCount else { return .null }
    switch self {
    case .now: return .value(.date(Date().timeIntervalSinceReferenceDate))
    case .random: return .value(.double(Double.random(in: 0..<1)))
    case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation: return statistic(arguments[0])
    case .add, .subtract, .multiply, .divide, .modulus, .power, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift,
      .rightShift:
      return binary(arguments[0], arguments[1])
    case .uppercase: return text(arguments[0]) { $0.uppercased() }
    case .lowercase: return text(arguments[0]) { $0.lowercased() }
    case .canonical: return text(arguments[0]) { StringFolding.canonical.fold($0) }
    case .length: return length(of: arguments[0])
    case .cast:
      guard let type = arguments[1].string.flatMap(CastType.init(name:)) else { return .null }
      return type.apply(arguments[0])
    case .index: return element(of: arguments[0], at: arguments[1])
    case .noIndex: return arguments[0]
    case .onesComplement:
      guard case .int(let number)? = arguments[0].number else { return .null }
      return .value(.int(~number))
    case .randomBelow:
      guard case .int(let bound)? = arguments[0].number, bound > 0 else { return .null }
      return .value(.int(Int64.random(in: 0..<bound)))
    case .squareRoot, .logarithm, .naturalLogarithm, .exponential, .floor, .ceiling, .truncate, .absolute:
      return unary(arguments[0])
    }
  }

  private func text(_ operand: Operand, _ change: (String) -> String) -> Operand {
    operand.string.map { .value(.string(change($0))) } ?? .null
  }

  private func unary(_ operand: Operand) -> Operand {
    guard let number = operand.number, let value = number.asDouble else { return .null }
    if case .int(let integer) = number {
      switch self {
      case .floor, .ceiling, .truncate: return operand
      case .absolute: return .value(integer == .min ? .double(-value) : .int(Swift.abs(integer)))
      default: break
      }
    }
    switch self {
    case .squareRoot: return .value(.double(value.squareRoot()))
    case .logarithm: return .value(.double(log10(value)))
    case .naturalLogarithm: return .value(.double(log(value)))
    case .exponential: return .value(.double(exp(value)))
    case .floor: return .value(.double(value.rounded(.down)))
    case .ceiling: return .value(.double(value.rounded(.up)))
    case .truncate: return .value(.double(value.rounded(.towardZero)))
    case .absolute: return .value(.double(Swift.abs(value)))
    default: return .null
    }
  }

  private func binary(_ left: Operand, _ right: Operand) -> Operand {
    guard let a = left.number, let b = right.number else { return .null }
    if case .value(.date(let seconds)) = left, let other = b.asDouble, self == .add || self == .subtract {
      // A date and a number of seconds give a date; two dates the seconds between them.
      if self == .add { return .value(.date(seconds + other)) }
      if case .value(.date) = right { return .value(.double(seconds - other)) }
      return .value(.date(seconds - other))
    }
    if case .int(let x) = a, case .int(let y) = b, let result = integer(x, y) { return .value(result) }
    if isDecimal(a) || isDecimal(b), let x = a.asDecimal, let y = b.asDecimal, let result = decimal(x, y) {
      return .value(.decimal(result))
    }
    guard let x = a.asDouble, let y = b.asDouble else { return .null }
    switch self {
    case .add: return .value(.double(x + y))
    case .subtract: return .value(.double(x - y))
    case .multiply: return .value(.double(x * y))
    case .divide: return y == 0 ? .null : .value(.double(x / y))
    case .modulus: return y == 0 ? .null : .value(.double(fmod(x, y)))
    case .power: return .value(.double(pow(x, y)))
    default: return .null
    }
  }

  private func isDecimal(_ value: Value) -> Bool {
    if case .decimal = value { return true }
    return false
  }

  private func decimal(_ a: Decimal, _ b: Decimal) -> Decimal? {
    switch self {
    case .add: a + b
    case .subtract: a - b
    case .multiply: a * b
    case .divide: b == 0 ? nil : a / b
    default: nil
    }
  }

  /// Integer arithmetic; `nil` where the result needs a floating-point number.
  private func integer(_ a: Int64, _ b: Int64) -> Value? {
    func exact(_ result: (partialValue: Int64, overflow: Bool)) -> Value? {
      result.overflow ? nil : .int(result.partialValue)
    }
    switch self {
    case .add: return exact(a.addingReportingOverflow(b))
    case .subtract: return exact(a.subtractingReportingOverflow(b))
    case .multiply: return exact(a.multipliedReportingOverflow(by: b))
    case .divide: return b == 0 ? .null : exact(a.dividedReportingOverflow(by: b))
    case .modulus: return b == 0 ? .null : b == -1 ? .int(0) : .int(a % b)
    case .power: return b >= 0 && b < 64 ? integerPower(a, b) : nil
    case .bitwiseAnd: return .int(a & b)
    case .bitwiseOr: return .int(a | b)
    case .bitwiseXor: return .int(a ^ b)
    case .leftShift: return .int(a << b)
    case .rightShift: return .int(a >> b)
    default: return nil
    }
  }

  private func integerPower(_ base: Int64, _ exponent: Int64) -> Value? {
    var result: Int64 = 1
    for _ in 0..<exponent {
      let (product, overflow) = result.multipliedReportingOverflow(by: base)
      if overflow { return nil }
      result = product
    }
    return .int(result)
  }

  private func length(of operand: Operand) -> Operand {
    switch operand {
    case .value(.string(let text)), .value(.url(let text)): .value(.int(Int64(text.utf16.count)))
    case .value(.data(let data)): .value(.int(Int64(data.count)))
    case .many(let members): .value(.int(Int64(members.count)))
    default: .null
    }
  }

  private func element(of operand: Operand, at index: Operand) -> Operand {
    guard case .many(let members) = operand else { return .null }
    if case .other(let symbol as IndexSymbol) = index {
      switch symbol {
      case .first: return members.first ?? .null
      case .last: return members.last ?? .null
      case .size: return .value(.int(Int64(members.count)))
      }
    }
    guard case .int(let position)? = index.number, position >= 0, position < members.count else { return .null }
    return members[Int(position)]
  }
}
