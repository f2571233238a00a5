import Schema
import StoreContract

/// What the store does with the rows of one entity.
final class EntityPlan: Sendable {
  /// A slot whose values an index holds.
  struct Indexed: Sendable {
    let property: Int
    let slot: RowSlot
    /// Position in `StorePlan.columns` or `.fetches`.
    let index: Int
  }
  struct Unique: Sendable {
    let properties: [Int]
    let slots: [RowSlot]
    let index: Int
  }
  /// Where the members of a relationship are found.
  enum Members: Sendable {
    case none
    case toOne(RowSlot)
    case column(Int)
    case links(Int)
    case mirror(Int)
  }
  struct Derived: Sendable {
    let property: Int
    let slot: RowSlot
    let derivation: Derivation
  }
  /// How to find the objects whose derived values depend on an object.
  enum Owners: Hashable, Sendable {
    /// Those that the column index finds for it.
    case column(Int)
    /// The one that its own to-one relationship leads to.
    case target(Int)
    /// The owners that link to it.
    case mirror(Int)
    /// The members that it links to.
    case links(Int)
  }
  /// A derived property of other objects that reads this entity's rows.
  struct Dependent: Hashable, Sendable {
    let derived: Int
    /// The property it reads; `nil` when it only counts.
    let watched: Int?
    let owners: Owners
  }

  let number: Int
  let layout: RowLayout
  let columns: [Indexed]
  let fetches: [Indexed]
  let uniques: [Unique]
  /// By property.
  let members: [Members]
  let isOrdered: [Bool]
  /// Tables whose owners, and those whose members, may be objects of this entity.
  let ownedTables: [Int]
  let memberTables: [Int]
  let derived: [Derived]
  let preserved: [Int]
  /// Whether it has derived values that depend on other objects.
  let derivesFromOthers: Bool
  let references: [RowSlot]

  init(of entity: EntitySchema, number: Int, _ plan: IndexList) {
    let schema = plan.schema
    self.number = number
    layout = entity.layout
    let slots = entity.layout.slots
    columns = entity.properties.indices.compactMap { property in
      guard let slot = slots[property], entity.properties[property].relationship != nil,
        let index = plan.columnIndex(property, in: entity.index)
      else { return nil }
      return Indexed(property: property, slot: slot, index: index)
    }
    fetches = plan.fetches.enumerated().compactMap { index, fetch in
      guard schema.isKind(entity.index, of: fetch.entity), let slot = slots[fetch.property] else { return nil }
      return Indexed(property: fetch.property, slot: slot, index: index)
    }
    uniques = plan.uniques.enumerated().compactMap { index, unique in
      guard schema.isKind(entity.index, of: unique.entity) else { return nil }
      let found = unique.properties.compactMap { slots[$0] }
      guard found.count == unique.properties.count else { return nil }
      return Unique(properties: unique.properties, slots: found, index: index)
    }
    members = entity.properties.indices.map { EntityPlan.members(of: $0, in: entity, plan) }
    isOrdered = entity.properties.map { $0.relationship?.isOrdered ?? false }
    ownedTables = plan.linkTables.indices.filter { schema.isKind(entity.index, of: plan.linkTables[$0].entity) }
    memberTables = plan.linkTables.indices.filter { index in
      let table = plan.linkTables[index]
      guard let relationship = schema.entities[table.entity].properties[table.property].relationship else {
        return false
      }
      return schema.isKind(entity.index, of: relationship.destination)
    }
    let derived = entity.properties.indices.compactMap { property -> Derived? in
      guard let derivation = entity.properties[property].attribute?.derivation, let slot = slots[property] else {
        return nil
      }
      return Derived(property: property, slot: slot, derivation: derivation)
    }
    self.derived = derived
    derivesFromOthers = derived.contains { derived in
      switch derived.derivation {
      case .related, .aggregate: true
      case .own, .now: false
      }
    }
    preserved = entity.properties.indices.filter {
      entity.properties[$0].attribute?.preservesValueOnDeletion == true && slots[$0] != nil
    }
    references = slots.compactMap { slot in slot.flatMap { $0.kind == .reference ? $0 : nil } }
  }

  private static func members(of property: Int, in entity: EntitySchema, _ plan: IndexList) -> Members {
    guard let relationship = entity.properties[property].relationship, !entity.properties[property].isTransient else {
      return .none
    }
    switch RelationshipStorage(schema: plan.schema, entity: entity.index, property: property) {
    case .row: return entity.layout.slots[property].map { .toOne($0) } ?? .none
    case .links: return plan.linkTable(property, in: entity.index).map { .links($0) } ?? .none
    case .inverseOfRow:
      guard let inverse = relationship.inverse else { return .none }
      return plan.columnIndex(inverse, in: relationship.destination).map { .column($0) } ?? .none
    case .inverseOfLinks:
      guard let inverse = relationship.inverse else { return .none }
      return plan.linkTable(inverse, in: relationship.destination).map { .mirror($0) } ?? .none
    }
  }
}
