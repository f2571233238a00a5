import Schema
import StoreContract

/// What the store keeps in indexes and how it finds it, worked out once from the schema.
///
/// An index belongs to the entity that declares the property, and holds the objects of every entity below it.
final class StorePlan: Sendable {
  struct Column: Hashable, Sendable {
    let entity: Int
    let property: Int
  }
  struct UniqueIndex: Hashable, Sendable {
    let entity: Int
    let properties: [Int]
  }
  struct FetchIndex: Hashable, Sendable {
    let entity: Int
    /// The first of its elements: the others only order what the first finds, and finding is all it is used for.
    let property: Int
  }

  let schema: Schema
  /// The store's number of each entity.
  let entityNumbers: [Int]
  private let indexByNumber: [Int32]
  /// To-one relationships by target.
  let columns: [Column]
  /// To-many relationships kept as links, by owner; each has a mirror by member.
  let linkTables: [Column]
  let uniques: [UniqueIndex]
  let fetches: [FetchIndex]
  let entities: [EntityPlan]
  /// By entity: derived properties of other objects that read its rows.
  let dependents: [[EntityPlan.Dependent]]
  /// Whether anything is derived from other objects.
  let derivesFromOthers: Bool

  init(schema: Schema, entityNumbers: [Int]) {
    self.schema = schema
    self.entityNumbers = entityNumbers
    var byNumber = [Int32](repeating: -1, count: (entityNumbers.max() ?? 0) + 1)
    for (index, number) in entityNumbers.enumerated() { byNumber[number] = Int32(index) }
    indexByNumber = byNumber
    let indexes = IndexList(schema: schema)
    columns = indexes.columns
    linkTables = indexes.linkTables
    uniques = indexes.uniques
    fetches = indexes.fetches
    let plans = schema.entities.map { EntityPlan(of: $0, number: entityNumbers[$0.index], indexes) }
    entities = plans
    dependents = indexes.dependents(plans)
    derivesFromOthers = plans.contains { $0.derivesFromOthers }
  }

  func entityIndex(ofNumber number: Int) -> Int? {
    guard number < indexByNumber.count, indexByNumber[number] >= 0 else { return nil }
    return Int(indexByNumber[number])
  }

  func entityIndex(of key: ObjectKey) -> Int? { entityIndex(ofNumber: key.entityNumber) }
}
