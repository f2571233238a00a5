import Schema
import StoreContract

/// What the store keeps in indexes and how it finds it, worked out once from the schema.
///
/// An index belongs to the entity that declares the property, and holds the objects of every entity below it.
struct StorePlan: Sendable {
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
  private(set) var columns: [Column] = []
  /// To-many relationships kept as links, by owner; each has a mirror by member.
  private(set) var linkTables: [Column] = []
  private(set) var uniques: [UniqueIndex] = []
  private(set) var fetches: [FetchIndex] = []
  private(set) var entities: [EntityPlan] = []

  init(schema: Schema, entityNumbers: [Int]) {
    self.schema = schema
    self.entityNumbers = entityNumbers
    var byNumber = [Int32](repeating: -1, count: (entityNumbers.max() ?? 0) + 1)
    for (index, number) in entityNumbers.enumerated() { byNumber[number] = Int32(index) }
    indexByNumber = byNumber
    listIndexes()
    entities = schema.entities.map { EntityPlan(of: $0, in: self) }
    listDependents()
  }

  func entityIndex(ofNumber number: Int) -> Int? {
    guard number < indexByNumber.count, indexByNumber[number] >= 0 else { return nil }
    return Int(indexByNumber[number])
  }

  func entityIndex(of key: ObjectKey) -> Int? { entityIndex(ofNumber: key.entityNumber) }

  /// The index or table of a property that an entity has or inherits.
  func column(_ property: Int, in entity: Int) -> Column {
    Column(entity: schema.declaringEntity(of: property, in: entity), property: property)
  }

  func columnIndex(_ property: Int, in entity: Int) -> Int? {
    columns.firstIndex(of: column(property, in: entity))
  }

  func linkTable(_ property: Int, in entity: Int) -> Int? {
    linkTables.firstIndex(of: column(property, in: entity))
  }

  /// The topmost entity from `entity` upwards that has a constraint too: there it is enforced.
  func uniqueIndex(_ properties: [Int], in entity: Int) -> UniqueIndex {
    var top = entity
    while let above = schema.entities[top].superentity, schema.entities[above].constraints.contains(properties) {
      top = above
    }
    return UniqueIndex(entity: top, properties: properties)
  }

  func fetchIndex(_ index: FetchIndexSchema, in entity: Int) -> FetchIndex? {
    guard let first = index.elements.first else { return nil }
    return FetchIndex(entity: column(first.property, in: entity).entity, property: first.property)
  }

  private mutating func listIndexes() {
    for entity in schema.entities {
      for (property, description) in entity.properties.enumerated() {
        guard let relationship = description.relationship, !description.isTransient else { continue }
        switch RelationshipStorage(schema: schema, entity: entity.index, property: property) {
        case .row, .inverseOfLinks: break
        case .links: note(&linkTables, column(property, in: entity.index))
        case .inverseOfRow:
          if let inverse = relationship.inverse { note(&columns, column(inverse, in: relationship.destination)) }
        }
      }
      for case .attribute(let attribute) in entity.properties.map(\.kind) {
        if case .related(let relationship, _, _)? = attribute.derivation {
          note(&columns, column(relationship, in: entity.index))
        }
      }
      for constraint in entity.constraints { note(&uniques, uniqueIndex(constraint, in: entity.index)) }
      for index in entity.fetchIndexes {
        guard let fetch = fetchIndex(index, in: entity.index) else { continue }
        if schema.entities[fetch.entity].layout.slots[fetch.property] != nil { note(&fetches, fetch) }
      }
    }
  }

  private func note<Item: Equatable>(_ list: inout [Item], _ item: Item) {
    if !list.contains(item) { list.append(item) }
  }

  private mutating func listDependents() {
    for owner in schema.entities {
      for (property, description) in owner.properties.enumerated() {
        guard let derivation = description.attribute?.derivation, !description.isTransient else { continue }
        switch derivation {
        case .own, .now: break
        case .related(let relationship, let source, _):
          guard let target = owner.properties[relationship].relationship,
            let column = columnIndex(
              relationship, in: owner.index)
          else { continue }
          addDependent(
            EntityPlan.Dependent(derived: property, watched: source, owners: .column(column)), below: target.destination
          )
        case .aggregate(let relationship, _, let source):
          guard let many = owner.properties[relationship].relationship else { continue }
          let owners: EntityPlan.Owners
          switch entities[owner.index].members[relationship] {
          case .column:
            guard let inverse = many.inverse else { continue }
            owners = .target(inverse)
          case .links(let table): owners = .mirror(table)
          case .mirror(let table): owners = .links(table)
          case .none, .toOne: continue
          }
          addDependent(
            EntityPlan.Dependent(derived: property, watched: source, owners: owners), below: many.destination)
        }
      }
    }
  }

  private mutating func addDependent(_ dependent: EntityPlan.Dependent, below entity: Int) {
    for index in schema.descendants[entity] where !entities[index].dependents.contains(dependent) {
      entities[index].dependents.append(dependent)
    }
  }
}
