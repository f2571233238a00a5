/// The functions that expressions may call: a fixed list, none of which reaches outside its arguments but for the time
/// and random numbers.
enum PredicateFunction: String, CaseIterable, Sendable {
  case sum = "sum:"
  case count = "count:"
  case min = "min:"
  case max = "max:"
  case average = "average:"
  case median = "median:"
  case mode = "mode:"
  case standardDeviation = "stddev:"
  case add = "add:to:"
  case subtract = "from:subtract:"
  case multiply = "multiply:by:"
  case divide = "divide:by:"
  case modulus = "modulus:by:"
  case power = "raise:toPower:"
  case squareRoot = "sqrt:"
  case logarithm = "log:"
  case naturalLogarithm = "ln:"
  case exponential = "exp:"
  case floor = "floor:"
  case ceiling = "ceiling:"
  case truncate = "trunc:"
  case absolute = "abs:"
  case bitwiseAnd = "bitwiseAnd:with:"
  case bitwiseOr = "bitwiseOr:with:"
  case bitwiseXor = "bitwiseXor:with:"
  case leftShift = "leftshift:by:"
  case rightShift = "rightshift:by:"
  case onesComplement = "onesComplement:"
  case now
  case random
  case randomBelow = "random:"
  case uppercase = "uppercase:"
  case lowercase = "lowercase:"
  case canonical = "canonical:"
  case length = "length:"
  case cast = "castObject:toType:"
  case index = "objectFrom:withIndex:"
  case noIndex = "noindex:"

  var argumentCount: Int { rawValue.utf8.count { $0 == 0x3A } }

  /// A function by its name as formats write it: with its colons, or without them when it takes one argument.
  init?(named name: String) {
    if let function = PredicateFunction(rawValue: name) ?? PredicateFunction(rawValue: name + ":") {
      self = function
      return
    }
    switch name {
    case "mean", "avg", "avg:", "average": self = .average
    case "length", "charlength:": self = .length
    default: return nil
    }
  }

  /// The sign of a binary operation, as formats write it.
  var sign: String? {
    switch self {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    case .modulus: "%%"
    case .power: "**"
    case .bitwiseAnd: "&"
    case .bitwiseOr: "|"
    case .bitwiseXor: "^"
    case .leftShift: "<<"
    case .rightShift: ">>"
    default: nil
    }
  }

  static let names = allCases.map(\.rawValue).joined(separator: ", ")
}
