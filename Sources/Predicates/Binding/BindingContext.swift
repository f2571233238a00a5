internal import Foundation
internal import Schema

/// The work of binding one predicate, expression or sort descriptor.
///
/// Inside subqueries the innermost iterator variable is the row at hand, and the rows of the predicates around it are
/// reached by depth.
struct BindingContext {
  /// Something whose rows a key path can start from.
  struct Frame {
    /// The iterator variable; `nil` for the evaluated object.
    let variable: String?
    let entity: Int
  }

  let binder: PredicateBinder
  let variables: [String: Any]
  var frames: [Frame]
  var dependencies = PredicateDependencies()
  var nesting = 0
  /// Whether a path started from a row of a predicate around the one it stands in.
  var readsRowsAround = false

  /// Bounds recursion over trees that programs build; formats are bounded by the parser.
  static let nestingMax = 400

  init(_ binder: PredicateBinder, variables: [String: Any]) {
    self.binder = binder
    self.variables = variables
    frames = [Frame(variable: nil, entity: binder.entity)]
  }

  var schema: Schema { binder.schema }

  mutating func enter() throws(QueryError) {
    nesting += 1
    guard nesting <= Self.nestingMax else {
      throw QueryError(.tooComplex, "The predicate is nested more than \(Self.nestingMax) levels deep.")
    }
  }

  mutating func leave() { nesting -= 1 }

  /// How many predicates further out the frame of a variable is; `nil` for one that no subquery here defines.
  func depth(of variable: String) -> Int? {
    frames.lastIndex { $0.variable == variable }.map { frames.count - 1 - $0 }
  }

  /// How many predicates further out the evaluated object's row is.
  var selfDepth: Int { frames.count - 1 }

  // MARK: Constants

  /// Whether an expression has the same value for every row.
  func isConstant(_ expression: NSExpression) -> Bool {
    switch expression.kind {
    case .constant: true
    case .evaluatedObject, .anyKey, .block, .custom, .subquery: false
    case .variable(let name): depth(of: name) == nil
    case .keyPath(let base, _): base.map(isConstant) ?? false
    case .function(let name, let operand, let arguments):
      name != PredicateFunction.random.rawValue && name != PredicateFunction.randomBelow.rawValue
        && (operand.map(isConstant) ?? true) && arguments.allSatisfy(isConstant)
    case .set(_, let left, let right): isConstant(left) && isConstant(right)
    case .aggregate(let parts): parts.allSatisfy(isConstant)
    case .conditional(let predicate, let yes, let no):
      constantResult(of: predicate) != nil && isConstant(yes) && isConstant(no)
    }
  }

  func constantValue(_ expression: NSExpression) throws(QueryError) -> Operand {
    try DynamicEvaluator(object: nil, variables: variables).value(of: expression)
  }

  /// Replaces objects in a constant by their keys and other foreign values by what the caller makes of them.
  func stored(_ operand: Operand) throws(QueryError) -> Operand {
    switch operand {
    case .value: return operand
    case .many(let members):
      var result: [Operand] = []
      for member in members { result.append(try stored(member)) }
      return .many(result)
    case .other(let object):
      if object is IndexSymbol { return operand }
      if let object = object as? any ObjectKeyConvertible {
        return object.objectKey(inStore: binder.store).map { .value(.object($0)) } ?? .other(ForeignObject())
      }
      if let value = binder.convertConstant?(object) { return .value(value) }
      throw QueryError(
        .typeMismatch,
        "A constant of type \(type(of: object)) cannot be compared with stored values of \(entityName): \(object).",
        entity: entityName)
    }
  }

  var entityName: String { schema.entities[binder.entity].name }
}

/// An object of another store: equal to nothing in this one.
struct ForeignObject: Hashable, Sendable {}

/// A predicate, or part of one, compiled.
struct CompiledTest {
  let test: RowTest
  /// Conditions that every match meets.
  var terms: [BoundTerm] = []
  /// The answer, when it is the same for every row.
  var constant: Bool?

  init(_ test: RowTest, terms: [BoundTerm] = []) {
    self.test = test
    self.terms = terms
  }

  init(_ constant: Bool) {
    test = ConstantTest(constant)
    self.constant = constant
  }
}
