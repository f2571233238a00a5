public import Schema

/// What a bound predicate or sort reads, so that whoever holds pending changes knows which of them matter.
public struct PredicateDependencies: Sendable, Hashable {
  /// Properties of the row itself, to-many relationships included.
  public internal(set) var ownProperties = PropertySet()
  /// Properties read from other objects, by the schema index of the entity the path leads to (objects of entities
  /// below it are read as well). Empty when the row alone decides.
  public internal(set) var elsewhere: [Int: PropertySet] = [:]

  /// No dependencies.
  public init() {}

  /// Whether objects other than the row, or memberships of relationships, decide as well.
  public internal(set) var readsBeyondRow = false
}
