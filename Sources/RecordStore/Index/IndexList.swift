import Schema
import StoreContract

/// The indexes that a schema calls for.
struct IndexList {
  typealias Column = StorePlan.Column
  typealias UniqueIndex = StorePlan.UniqueIndex
  typealias FetchIndex = StorePlan.FetchIndex

  let schema: Schema
  private(set) var columns: [Column] = []
  private(set) var linkTables: [Column] = []
  private(set) var uniques: [UniqueIndex] = []
  private(set) var fetches: [FetchIndex] = []

  init(schema: Schema) {
    self.schema = schema
    listIndexes()
  }

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

  /// By entity, what depends on its rows.
  func dependents(_ entities: [EntityPlan]) -> [[EntityPlan.Dependent]] {
    var dependents: [[EntityPlan.Dependent]] = entities.map { _ in [] }
    func add(_ dependent: EntityPlan.Dependent, below entity: Int) {
      for index in schema.descendants[entity] where !dependents[index].contains(dependent) {
        dependents[index].append(dependent)
      }
    }
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
          add(
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
          add(
            EntityPlan.Dependent(derived: property, watched: source, owners: owners), below: many.destination)
        }
      }
    }
    return dependents
  }
}
