internal import Foundation
internal import Predicates

/// Expressions as model files write them.
enum ExpressionText {
  /// `nil` for a text that is no expression.
  static func expression(_ text: String) -> Predicates.NSExpression? { try? NSExpression(parsing: text) }

  /// The expressions that descriptions have: key paths and functions of them; others as they describe themselves.
  static func text(of expression: Predicates.NSExpression) -> String {
    switch expression.expressionType {
    case .keyPath: return expression.keyPath
    case .function:
      let arguments: [String] = (expression.arguments ?? []).map { text(of: $0) }
      let name: String = expression.function
      // "lowercase:" takes its arguments after the colon, "now" none.
      return "\(name)(\(arguments.joined(separator: ", ")))"
    default: return expression.description
    }
  }
}
