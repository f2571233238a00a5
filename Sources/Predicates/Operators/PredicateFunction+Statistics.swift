internal import Foundation
internal import Schema

extension PredicateFunction {
  /// A statistic of a collection's members. Absent ones are left out. The sum of none is 0; the least, greatest,
  /// average, median and mode of none are nothing.
  func statistic(_ operand: Operand) -> Operand {
    if case .value(.null) = operand { return self == .count || self == .sum ? .value(.int(0)) : .null }
    let members: [Operand] = operand.members
    switch self {
    case .count: return .value(.int(Int64(members.count)))
    case .min: return extreme(members) { $0 < 0 }
    case .max: return extreme(members) { $0 > 0 }
    case .mode: return mode(members)
    default: break
    }
    let numbers: [Operand] = members.filter { $0.number != nil }
    if self == .sum { return sum(numbers) }
    let doubles: [Double] = numbers.compactMap { $0.number?.asDouble }
    guard !doubles.isEmpty else { return .null }
    let mean = doubles.reduce(0, +) / Double(doubles.count)
    switch self {
    case .average: return .value(.double(mean))
    case .median:
      let sorted = doubles.sorted()
      let middle = sorted.count / 2
      return .value(.double(sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2))
    case .standardDeviation:
      let squares = doubles.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      return .value(.double((squares / Double(doubles.count)).squareRoot()))
    default: return .null
    }
  }

  private func sum(_ numbers: [Operand]) -> Operand {
    numbers.reduce(.value(.int(0))) { PredicateFunction.add.apply([$0, .value($1.number ?? .int(0))]) }
  }

  private func extreme(_ members: [Operand], _ isBetter: (Int) -> Bool) -> Operand {
    var best: Value?
    for member in members {
      guard case .value(let value) = member, !value.isNull else { continue }
      guard let current = best else {
        best = value
        continue
      }
      if let order = order(value, current), isBetter(order) { best = value }
    }
    return best.map { .value($0) } ?? .null
  }

  private func mode(_ members: [Operand]) -> Operand {
    var counts: [(member: Operand, count: Int)] = []
    for member in members where !member.isNull {
      if let index = counts.firstIndex(where: { isSame($0.member, member) }) {
        counts[index].count += 1
      } else {
        counts.append((member, 1))
      }
    }
    return counts.max { $0.count < $1.count }?.member ?? .null
  }
}

/// Removes members that are equal to an earlier one.
func distinct(_ members: [Operand]) -> [Operand] {
  var seen: Set<Value> = []
  var result: [Operand] = []
  for member in members {
    if case .value(let value) = member {
      if seen.insert(value).inserted { result.append(member) }
    } else if !result.contains(where: { isSame($0, member) }) {
      result.append(member)
    }
  }
  return result
}

extension SetOperation {
  func apply(_ left: Operand, _ right: Operand) -> Operand {
    let a: [Operand] = left.isNull ? [] : left.members
    let b: [Operand] = right.isNull ? [] : right.members
    switch self {
    case .union: return .many(distinct(a + b))
    case .intersect: return .many(distinct(a).filter { member in b.contains { isSame($0, member) } })
    case .minus: return .many(distinct(a).filter { member in !b.contains { isSame($0, member) } })
    }
  }
}
