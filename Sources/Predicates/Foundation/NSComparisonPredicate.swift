public import Foundation
internal import Schema

/// A predicate that compares two expressions. Immutable.
///
/// Foundation on Linux has the name only; this class takes its place, and is a predicate as any other.
open class NSComparisonPredicate: NSPredicate {
  /// Which members of a to-many left side must meet the comparison.
  public enum Modifier: UInt, Sendable {
    case direct = 0
    case all
    case any
  }

  /// The comparison, with Foundation's numbers.
  public enum Operator: UInt, Sendable {
    case lessThan = 0
    case lessThanOrEqualTo
    case greaterThan
    case greaterThanOrEqualTo
    case equalTo
    case notEqualTo
    case matches
    case like
    case beginsWith
    case endsWith
    case `in`
    case customSelector
    case contains = 99
    case between
  }

  /// How strings are compared.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: UInt
    /// Options from their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// `[c]`
    public static let caseInsensitive = Options(rawValue: 1)
    /// `[d]`
    public static let diacriticInsensitive = Options(rawValue: 2)
    /// `[n]`: composed and decomposed spellings are the same, as they are with every other option.
    public static let normalized = Options(rawValue: 4)
    /// `[l]`: by the fixed collation that localised sort descriptors use.
    public static let localeSensitive = Options(rawValue: 8)
  }

  /// What is compared.
  public let leftExpression: NSExpression
  /// What it is compared with.
  public let rightExpression: NSExpression
  /// Whether the left side stands for one value, any or all of many.
  public let comparisonPredicateModifier: Modifier
  /// How they are compared.
  public let predicateOperatorType: Operator
  /// How strings are compared.
  public let options: Options
  /// The name of the method of a `customSelector` comparison; nothing on Linux evaluates it.
  public let customSelector: Selector?

  /// - Parameters:
  ///   - leftExpression: what stands before the operator.
  ///   - rightExpression: what stands behind it.
  ///   - modifier: whether all or any of the members of the left side must meet the comparison.
  ///   - type: the operator.
  ///   - options: how strings are compared.
  public init(
    leftExpression: NSExpression, rightExpression: NSExpression, modifier: Modifier, type: Operator,
    options: Options = []
  ) {
    self.leftExpression = leftExpression
    self.rightExpression = rightExpression
    comparisonPredicateModifier = modifier
    predicateOperatorType = type
    self.options = options
    customSelector = nil
    super.init(block: Self.neverCalled)
  }

  /// A comparison by a method of the left value. Kept for the sake of formats that name one.
  public init(leftExpression: NSExpression, rightExpression: NSExpression, customSelector: Selector) {
    self.leftExpression = leftExpression
    self.rightExpression = rightExpression
    comparisonPredicateModifier = .direct
    predicateOperatorType = .customSelector
    options = []
    self.customSelector = customSelector
    super.init(block: Self.neverCalled)
  }

  // A block, not a value: Foundation takes any two predicates made from the same value for equal.
  private static let neverCalled: @Sendable (Any?, [String: Any]?) -> Bool = { _, _ in false }

  open override func copy(with zone: NSZone? = nil) -> Any { self }

  open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
    evaluateOrStop(self, object: object, variables: bindings ?? [:])
  }

  open override var predicateFormat: String { PredicatePrinter.text(of: self) }

  open override var description: String { PredicatePrinter.text(of: self) }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPredicate else { return false }
    return isSamePredicate(self, other)
  }

  open override var hash: Int { leftExpression.hash &* 31 &+ Int(predicateOperatorType.rawValue) }
}
