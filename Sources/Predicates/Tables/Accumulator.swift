internal import Foundation
internal import Schema

/// An aggregate over a column of numbers, so far. Plain bits: there is one for each group and aggregate.
struct NumberAccumulator {
  private(set) var count = 0
  private var whole: Int64 = 0
  private var sum = 0.0
  private var compensation = 0.0
  private var isWhole = true

  mutating func addPresence() { count += 1 }

  @inline(__always)
  mutating func add(_ number: Int64, _ function: PredicateFunction) {
    switch function {
    case .min: whole = count == 0 ? number : Swift.min(whole, number)
    case .max: whole = count == 0 ? number : Swift.max(whole, number)
    default:
      let (next, overflow) = whole.addingReportingOverflow(number)
      if overflow || !isWhole { addToSum(number) } else { whole = next }
    }
    count += 1
  }

  private mutating func addToSum(_ number: Int64) {
    if isWhole { sum = Double(whole) }
    isWhole = false
    sum += Double(number)
  }

  /// What is not a number is left out, as absence is.
  @inline(__always)
  mutating func add(_ number: Double, _ function: PredicateFunction) {
    if number.isNaN { return }
    switch function {
    case .min: sum = count == 0 ? number : Swift.min(sum, number)
    case .max: sum = count == 0 ? number : Swift.max(sum, number)
    default:
      // Compensated, so that the sum hardly depends on the order of rows.
      let next = sum + number
      let rest = abs(sum) >= abs(number) ? (sum - next) + number : (number - next) + sum
      if rest.isFinite { compensation += rest }
      sum = next
    }
    count += 1
  }

  func result(_ function: PredicateFunction, _ kind: TypedColumn.Kind) -> Value {
    if function == .count { return .int(Int64(count)) }
    let isInteger = kind == .integer
    if count == 0 { return function == .sum ? (isInteger ? .int(0) : .double(0)) : .null }
    switch function {
    case .average: return .double((isInteger && isWhole ? Double(whole) : sum + compensation) / Double(count))
    case .sum: return isInteger && isWhole ? .int(whole) : .double(sum + compensation)
    default: break
    }
    switch kind {
    case .integer: return .int(whole)
    case .date: return .date(sum)
    case .float: return .float(Float(sum))
    default: return .double(sum)
    }
  }
}

/// An aggregate over any values, so far.
struct ValueAccumulator {
  private var count = 0
  private var sum: Operand = .value(.int(0))
  private var best: Value?
  private var values: [Operand] = []

  mutating func add(_ operand: Operand, _ function: PredicateFunction) {
    if case .many(let members) = operand {
      for member in members { add(member, function) }
      return
    }
    if operand.isNull || Self.isNotANumber(operand) { return }
    switch function {
    case .count: count += 1
    case .sum:
      guard let number = operand.number else { return }
      sum = PredicateFunction.add.apply([sum, .value(number)])
    case .min, .max:
      guard case .value(let value) = operand else { return }
      guard let current = best else {
        best = value
        return
      }
      guard let order = order(value, current), function == .min ? order < 0 : order > 0 else { return }
      best = value
    default: values.append(operand)
    }
  }

  private static func isNotANumber(_ operand: Operand) -> Bool {
    switch operand {
    case .value(.double(let number)): number.isNaN
    case .value(.float(let number)): number.isNaN
    default: false
    }
  }

  func result(_ function: PredicateFunction) -> Operand {
    switch function {
    case .count: .value(.int(Int64(count)))
    case .sum: sum
    case .min, .max: .value(best ?? .null)
    default: function.statistic(.many(values))
    }
  }
}
