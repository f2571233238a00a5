internal import Schema

/// `@count`, `@sum` and the like, in key paths.
enum CollectionOperator: String, CaseIterable, Sendable {
  case count = "@count"
  case sum = "@sum"
  case average = "@avg"
  case min = "@min"
  case max = "@max"
  case unionOfObjects = "@unionOfObjects"
  case distinctUnionOfObjects = "@distinctUnionOfObjects"
  case unionOfArrays = "@unionOfArrays"
  case distinctUnionOfArrays = "@distinctUnionOfArrays"
  case unionOfSets = "@unionOfSets"
  case distinctUnionOfSets = "@distinctUnionOfSets"

  static let names = allCases.map(\.rawValue).joined(separator: ", ")

  /// Applies it to the values that the rest of the key path gives for each member.
  func apply(_ members: [Operand]) -> Operand {
    switch self {
    case .count: return .value(.int(Int64(members.count)))
    case .sum: return PredicateFunction.sum.statistic(.many(members))
    case .average: return PredicateFunction.average.statistic(.many(members))
    case .min: return PredicateFunction.min.statistic(.many(members))
    case .max: return PredicateFunction.max.statistic(.many(members))
    case .unionOfObjects: return .many(members.filter { !$0.isNull })
    case .distinctUnionOfObjects: return .many(distinct(members.filter { !$0.isNull }))
    case .unionOfArrays, .unionOfSets: return .many(members.flatMap(\.members).filter { !$0.isNull })
    case .distinctUnionOfArrays, .distinctUnionOfSets:
      return .many(distinct(members.flatMap(\.members).filter { !$0.isNull }))
    }
  }
}
