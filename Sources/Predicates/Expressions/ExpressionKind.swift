internal import Foundation

/// What an expression consists of.
enum ExpressionKind {
  case constant(Any?)
  case evaluatedObject
  case variable(String)
  /// `base` is nil for the evaluated object.
  case keyPath(base: NSExpression?, path: String)
  case function(name: String, operand: NSExpression?, arguments: [NSExpression])
  case set(SetOperation, NSExpression, NSExpression)
  case subquery(NSExpression, variable: String, predicate: NSPredicate)
  case aggregate([NSExpression])
  case anyKey
  case block(NSExpression.Block, [NSExpression])
  case conditional(NSPredicate, NSExpression, NSExpression)
  /// A subclass that evaluates itself.
  case custom(NSExpression.ExpressionType)
}

enum SetOperation: String, Sendable {
  case union = "UNION"
  case intersect = "INTERSECT"
  case minus = "MINUS"
}

/// `x[FIRST]`, `x[LAST]`, `x[SIZE]`: the index argument of `objectFrom:withIndex:`.
enum IndexSymbol: String, Hashable, Sendable {
  case first = "FIRST"
  case last = "LAST"
  case size = "SIZE"
}

/// A value without the optionals around it, `NSNull` as nil: `Any` hides both.
func flattened(_ value: Any?) -> Any? {
  guard let value else { return nil }
  if value is NSNull { return nil }
  guard let optional = value as? any OptionalValue else { return value }
  return optional.flattenedValue
}

/// Sees through an `Optional` inside an `Any`.
private protocol OptionalValue {
  var flattenedValue: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var flattenedValue: Any? {
    guard let wrapped = self else { return nil }
    return flattened(wrapped)
  }
}
