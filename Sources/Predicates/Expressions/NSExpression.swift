public import Foundation
internal import Schema

/// A part of a predicate that has a value: a constant, a key path, a function of other expressions and so on.
///
/// Immutable. Foundation on Linux has the name only; this class takes its place.
open class NSExpression: NSObject, NSCopying {
  /// What kind of expression it is, with Foundation's numbers.
  public enum ExpressionType: UInt, Sendable {
    case constantValue = 0
    case evaluatedObject = 1
    case variable = 2
    case keyPath = 3
    case function = 4
    case unionSet = 5
    case intersectSet = 6
    case minusSet = 7
    case subquery = 13
    case aggregate = 14
    case anyKey = 15
    case block = 19
    case conditional = 20
    /// A fetch request as an expression.
    case fetchRequest = 50
  }

  /// The signature of a block expression: evaluated object, values of the arguments, context.
  public typealias Block = (Any?, [Any], NSMutableDictionary?) -> Any

  let kind: ExpressionKind

  init(kind: ExpressionKind) {
    self.kind = kind
    super.init()
  }

  /// An expression of a kind that needs nothing else: the evaluated object, or any key.
  public init(expressionType type: ExpressionType) {
    switch type {
    case .evaluatedObject: kind = .evaluatedObject
    case .anyKey: kind = .anyKey
    case .fetchRequest: kind = .custom(.fetchRequest)
    default: ProgrammerError.stop("An expression of type \(type) needs more than its type: use the initialiser for it.")
    }
    super.init()
  }

  /// A value; `nil` for none.
  public init(forConstantValue value: Any?) {
    kind = .constant(flattened(value))
    super.init()
  }

  /// The value at a key path of the evaluated object.
  public init(forKeyPath keyPath: String) {
    kind = .keyPath(base: nil, path: keyPath)
    super.init()
  }

  /// The value that a Swift key path leads to, by the names of its properties: see `KeyPathNames`. Stops the program when
  /// nobody knows them, as for a property that is computed in Swift.
  public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
    guard let name = KeyPathNames.name(of: keyPath) else {
      ProgrammerError.stop(
        "The key path \(keyPath) has no name that a store could follow: only properties of the model have one. Use "
          + "NSExpression(forKeyPath:) with a string.")
    }
    self.init(forKeyPath: name)
  }

  /// The value of a `$variable`, named without the dollar sign.
  public init(forVariable name: String) {
    kind = .variable(name)
    super.init()
  }

  /// One of the predefined functions: `sum:`, `count:`, `min:`, `max:`, `average:`, `add:to:`, `uppercase:` …
  public init(forFunction name: String, arguments: [Any]) {
    kind = .function(name: name, operand: nil, arguments: arguments.map(NSExpression.make))
    super.init()
  }

  /// A method of an expression's value: only names of predefined functions can be evaluated on Linux, the operand
  /// being their first argument.
  public init(forFunction target: NSExpression, selectorName name: String, arguments: [Any]?) {
    kind = .function(name: name, operand: target, arguments: (arguments ?? []).map(NSExpression.make))
    super.init()
  }

  /// A collection of expressions, as `{1, 2, key}` in a format.
  public init(forAggregate subexpressions: [Any]) {
    kind = .aggregate(subexpressions.map(NSExpression.make))
    super.init()
  }

  /// All members of both collections.
  public init(forUnionSet left: NSExpression, with right: NSExpression) {
    kind = .set(.union, left, right)
    super.init()
  }

  /// The members that both collections have.
  public init(forIntersectSet left: NSExpression, with right: NSExpression) {
    kind = .set(.intersect, left, right)
    super.init()
  }

  /// The members of the left collection that the right one has not.
  public init(forMinusSet left: NSExpression, with right: NSExpression) {
    kind = .set(.minus, left, right)
    super.init()
  }

  /// The members of a collection for which a predicate on `$variable` holds.
  public init(forSubquery expression: NSExpression, usingIteratorVariable variable: String, predicate: NSPredicate) {
    kind = .subquery(expression, variable: variable, predicate: predicate)
    super.init()
  }

  /// One of two expressions, depending on a predicate.
  public init(
    forConditional predicate: NSPredicate, trueExpression: NSExpression, falseExpression: NSExpression
  ) {
    kind = .conditional(predicate, trueExpression, falseExpression)
    super.init()
  }

  /// A closure over the evaluated object. Works in memory; stores refuse it.
  public init(block: @escaping Block, arguments: [NSExpression]?) {
    kind = .block(block, arguments ?? [])
    super.init()
  }

  /// The object a predicate is evaluated with: `SELF`.
  open class func expressionForEvaluatedObject() -> NSExpression { NSExpression(expressionType: .evaluatedObject) }

  /// Any key of an object, for Spotlight queries; nothing evaluates it.
  open class func expressionForAnyKey() -> NSExpression { NSExpression(expressionType: .anyKey) }

  /// The value for an object; `context` may hold a dictionary of variables under their names.
  ///
  /// Stops the program for what Foundation raises an exception for: a variable without a value, an unknown function.
  open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
    var variables: [String: Any] = [:]
    for (name, value) in context ?? [:] { if let name = name as? String { variables[name] = value } }
    do throws(QueryError) {
      return try DynamicEvaluator(object: object, variables: variables, context: context).value(of: self).anyValue
    } catch {
      ProgrammerError.stop(error.message)
    }
  }

  static func make(_ part: Any) -> NSExpression {
    part as? NSExpression ?? NSExpression(forConstantValue: part)
  }

  open override func copy() -> Any { self }
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSExpression else { return false }
    return self === other || isSameExpression(self, other)
  }

  open override var hash: Int {
    switch kind {
    case .keyPath(_, let path): path.hashValue
    case .variable(let name): name.hashValue
    case .function(let name, _, let arguments): name.hashValue &+ arguments.count
    // Equal constants may differ in type: 1 and 1.0, an array and an aggregate.
    default: 17
    }
  }

  /// The expression as a format.
  open override var description: String { PredicatePrinter.text(of: self) }
}
