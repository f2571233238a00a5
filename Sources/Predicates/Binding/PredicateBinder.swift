public import Foundation
public import Schema

/// Turns predicates, expressions and sort descriptors into values that a store can plan with and evaluate: key paths
/// become property indexes, constants stored values. Key paths are checked against the schema here, so that nothing
/// is looked up by name afterwards.
public struct PredicateBinder {
  /// The schema whose names predicates are bound to.
  public let schema: Schema
  /// Schema index of the entity that is asked for.
  public let entity: Int
  /// Objects in constants are compared by their key in this store.
  public let store: UUID
  let convertConstant: ((Any) -> Value?)?

  /// - Parameters:
  ///   - schema: of the rows.
  ///   - entity: schema index of the entity that is asked for.
  ///   - store: identifier of the store whose rows will be read.
  ///   - constants: values for constants of types that this module does not know; asked only about those.
  public init(schema: Schema, entity: Int, store: UUID, constants: ((Any) -> Value?)? = nil) {
    self.schema = schema
    self.entity = entity
    self.store = store
    convertConstant = constants
  }

  /// - Parameters:
  ///   - predicate: what rows are to meet.
  ///   - variables: values of the `$variables` it contains.
  /// - Throws: `QueryError` naming entity and key for a key path the schema does not have, for a transient
  ///   attribute, a block, a form that stores cannot evaluate, or a constant of the wrong type.
  public func bind(_ predicate: NSPredicate, variables: [String: Any] = [:]) throws(QueryError) -> BoundPredicate {
    var context = BindingContext(self, variables: variables)
    let compiled: CompiledTest = try context.compile(predicate)
    return BoundPredicate(entity: entity, compiled, context.dependencies)
  }

  /// Binds an expression, such as a column of a dictionary result or the new value of a batch update.
  public func bind(
    _ expression: NSExpression, variables: [String: Any] = [:]
  ) throws(QueryError) -> BoundExpression {
    var context = BindingContext(self, variables: variables)
    let (compiled, _) = try context.compile(expression)
    return BoundExpression(compiled, context.dependencies)
  }

  /// - Throws: `QueryError` for an unknown or transient key, a to-many step, or a comparator that is a closure or
  ///   a selector other than the five that string and number attributes have.
  public func bind(_ sort: NSSortDescriptor) throws(QueryError) -> BoundSort {
    let entityName = schema.entities[entity].name
    guard let key = sort.key else {
      throw QueryError(
        .unknownKey,
        "A sort descriptor on \(entityName) was made from a Swift key path whose name is not known: \(sort.keyPath). Give the key as a string.",
        entity: entityName)
    }
    guard let comparison = BoundSort.Comparison(selector: sort.selector?.name ?? "compare:"), !sort.hasOwnComparator
    else {
      throw QueryError(
        .unsupported,
        "A store cannot sort \(entityName) by “\(key)” with \(sort.selector?.name ?? "a closure"): it knows compare:, caseInsensitiveCompare:, localizedCompare:, localizedCaseInsensitiveCompare: and localizedStandardCompare:.",
        entity: entityName, key: key)
    }
    var context = BindingContext(self, variables: [:])
    guard let path = try context.path(of: NSExpression(forKeyPath: key)) else {
      throw QueryError(.unsupported, "“\(key)” is not a key path to sort by.", entity: entityName, key: key)
    }
    context.note(path)
    var accesses: [SlotAccess] = []
    for step in path.steps {
      switch step {
      case .attribute(let access), .toOne(let access): accesses.append(access)
      default:
        throw QueryError(
          .unsupported,
          "A store cannot sort \(entityName) by “\(key)”: only to-one relationships may lead to the value.",
          entity: entityName, key: key)
      }
    }
    let last = accesses.popLast()
    return BoundSort(
      isAscending: sort.ascending, comparison: comparison, hops: accesses, access: last,
      dependencies: context.dependencies)
  }
}
