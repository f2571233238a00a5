internal import Foundation
internal import Schema

/// Writes predicates and expressions as formats that read back to equal ones.
enum PredicatePrinter {
  static func text(of predicate: NSPredicate) -> String {
    if let compound = predicate as? NSCompoundPredicate { return text(of: compound) }
    if let comparison = predicate as? NSComparisonPredicate { return text(of: comparison) }
    switch constantResult(of: predicate) {
    case true?: return "TRUEPREDICATE"
    case false?: return "FALSEPREDICATE"
    case nil: return "BLOCKPREDICATE(\(type(of: predicate)))"
    }
  }

  private static func text(of compound: NSCompoundPredicate) -> String {
    let parts = compound.subpredicates
    let isNot = compound.compoundPredicateType == .not
    func part(_ part: NSPredicate) -> String {
      let text = text(of: part)
      guard let inner = part as? NSCompoundPredicate else { return text }
      // NOT binds tighter than AND and OR, so only what stands inside it needs parentheses.
      return inner.compoundPredicateType == .not && !isNot ? text : "(\(text))"
    }
    switch compound.compoundPredicateType {
    case .not: return "NOT " + (parts.first.map(part) ?? "TRUEPREDICATE")
    case .and: return parts.isEmpty ? "TRUEPREDICATE" : parts.map(part).joined(separator: " AND ")
    case .or: return parts.isEmpty ? "FALSEPREDICATE" : parts.map(part).joined(separator: " OR ")
    @unknown default: return "FALSEPREDICATE"
    }
  }

  private static func text(of comparison: NSComparisonPredicate) -> String {
    let modifier =
      switch comparison.comparisonPredicateModifier {
      case .direct: ""
      case .any: "ANY "
      case .all: "ALL "
      }
    let sign = comparison.customSelector?.name ?? sign(of: comparison.predicateOperatorType)
    return modifier + side(comparison.leftExpression) + " " + sign + letters(of: comparison.options) + " "
      + side(comparison.rightExpression)
  }

  /// A side of a comparison: set operations bind weaker than anything else and are put in parentheses.
  private static func side(_ expression: NSExpression) -> String {
    if case .set = expression.kind { return "(\(text(of: expression)))" }
    return text(of: expression)
  }

  static func sign(of type: NSComparisonPredicate.Operator) -> String {
    switch type {
    case .lessThan: "<"
    case .lessThanOrEqualTo: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqualTo: ">="
    case .equalTo: "=="
    case .notEqualTo: "!="
    case .matches: "MATCHES"
    case .like: "LIKE"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .in: "IN"
    case .contains: "CONTAINS"
    case .between: "BETWEEN"
    case .customSelector: "customSelector:"
    }
  }

  private static func letters(of options: NSComparisonPredicate.Options) -> String {
    var letters = ""
    if options.contains(.caseInsensitive) { letters += "c" }
    if options.contains(.diacriticInsensitive) { letters += "d" }
    if options.contains(.normalized) { letters += "n" }
    if options.contains(.localeSensitive) { letters += "l" }
    return letters.isEmpty ? "" : "[\(letters)]"
  }

  // MARK: Expressions

  static func text(of expression: NSExpression) -> String {
    switch expression.kind {
    case .constant(let value): return constant(value)
    case .evaluatedObject: return "SELF"
    case .variable(let name): return "$" + name
    case .keyPath(let base, let path):
      let keys = keyComponents(path).enumerated().map { key($1, isFirst: base == nil && $0 == 0) }
      let text = keys.joined(separator: ".")
      return base.map { "\(operand($0)).\(text)" } ?? text
    case .function(let name, let target, let arguments): return function(name, target, arguments)
    case .set(let operation, let left, let right):
      return "\(operand(left)) \(operation.rawValue) \(operand(right))"
    case .subquery(let collection, let variable, let predicate):
      return "SUBQUERY(\(text(of: collection)), $\(variable), \(text(of: predicate)))"
    case .aggregate(let parts): return "{" + parts.map(text(of:)).joined(separator: ", ") + "}"
    case .anyKey: return "ANYKEY"
    case .block: return "BLOCK(\(expression.arguments?.count ?? 0))"
    case .conditional(let predicate, let yes, let no):
      return "TERNARY(\(text(of: predicate)), \(text(of: yes)), \(text(of: no)))"
    case .custom(let type): return "EXPRESSION(\(type))"
    }
  }

  /// A key; `#` marks one that would be read as something else. After a dot every word is a key.
  private static func key(_ key: String, isFirst: Bool) -> String {
    isFirst && reservedWords.contains(key.uppercased()) ? "#" + key : key
  }

  private static func operand(_ expression: NSExpression) -> String {
    switch expression.kind {
    case .set: return "(\(text(of: expression)))"
    case .function(let name, nil, _):
      let isSign = PredicateFunction(rawValue: name)?.sign != nil || name == PredicateFunction.onesComplement.rawValue
      return isSign ? "(\(text(of: expression)))" : text(of: expression)
    case .constant(let number as NSNumber) where number.doubleValue < 0: return "(\(text(of: expression)))"
    default: return text(of: expression)
    }
  }

  private static func function(_ name: String, _ target: NSExpression?, _ arguments: [NSExpression]) -> String {
    if let target {
      let parts = [text(of: target), quoted(name)] + arguments.map(text(of:))
      return "FUNCTION(\(parts.joined(separator: ", ")))"
    }
    guard let function = PredicateFunction(rawValue: name), function.argumentCount == arguments.count else {
      return "\(name)(\(arguments.map(text(of:)).joined(separator: ", ")))"
    }
    if let sign = function.sign { return "\(operand(arguments[0])) \(sign) \(operand(arguments[1]))" }
    switch function {
    case .onesComplement: return "~" + operand(arguments[0])
    case .cast: return "CAST(\(text(of: arguments[0])), \(text(of: arguments[1])))"
    case .index:
      if case .constant(let symbol as IndexSymbol) = arguments[1].kind {
        return "\(operand(arguments[0]))[\(symbol.rawValue)]"
      }
      return "\(operand(arguments[0]))[\(text(of: arguments[1]))]"
    default: return "\(name)(\(arguments.map(text(of:)).joined(separator: ", ")))"
    }
  }

  // MARK: Constants

  private static func constant(_ value: Any?) -> String {
    if let symbol = value as? IndexSymbol { return symbol.rawValue }
    return text(of: Operand(value))
  }

  private static func text(of operand: Operand) -> String {
    switch operand {
    case .many(let members): return "{" + members.map(text(of:)).joined(separator: ", ") + "}"
    case .other(let object): return "\(object)"
    case .value(let value): return text(of: value)
    }
  }

  private static func text(of value: Value) -> String {
    switch value {
    case .null: "nil"
    case .bool(let flag): flag ? "1" : "0"
    case .int(let number): "\(number)"
    case .float(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let number): "CAST(\(quoted("\(number)")), \"NSDecimalNumber\")"
    case .string(let text): quoted(text)
    case .date(let seconds): "CAST(\(dateText(seconds)), \"NSDate\")"
    case .data(let data): "CAST(\(quoted(data.base64EncodedString())), \"NSData\")"
    case .uuid(let uuid): "CAST(\(quoted(uuid.uuidString)), \"NSUUID\")"
    case .url(let text): "CAST(\(quoted(text)), \"NSURL\")"
    case .object(let key): "\(key)"
    }
  }

  /// With six decimals, as Foundation has it, or as many as it takes.
  private static func dateText(_ seconds: Double) -> String {
    let text = String(format: "%.6f", seconds)
    return Double(text) == seconds ? text : "\(seconds)"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

/// What a predicate made from a value always gives; `nil` for others. Foundation keeps the value to itself, but says
/// whether two such predicates are equal.
func constantResult(of predicate: NSPredicate) -> Bool? {
  guard type(of: predicate) == NSPredicate.self else { return nil }
  if predicate.isEqual(NSPredicate(value: true)) { return true }
  if predicate.isEqual(NSPredicate(value: false)) { return false }
  return nil
}
