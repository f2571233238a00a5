import Schema
import StoreContract

/// The whole state of a store after one commit: a handful of persistent trees. Copying it is what starting a commit,
/// or keeping a generation, costs.
struct StoreRoot: Sendable {
  var commitNumber: UInt64 = 0
  /// By schema entity.
  var locations: [LocationIndex]
  var columns: [SortedTree]
  var links: [SortedTree]
  var mirrors: [SortedTree]
  var uniques: [SortedTree]
  var fetches: [SortedTree]

  init(plan: StorePlan) {
    locations = plan.schema.entities.map { _ in LocationIndex() }
    columns = plan.columns.map { _ in SortedTree() }
    links = plan.linkTables.map { _ in SortedTree(hasPayloads: true) }
    mirrors = plan.linkTables.map { _ in SortedTree() }
    uniques = plan.uniques.map { _ in SortedTree() }
    fetches = plan.fetches.map { _ in SortedTree() }
  }

  func location(of key: ObjectKey, _ plan: StorePlan) -> RowLocation {
    guard !key.isTemporary, let entity = plan.entityIndex(of: key) else { return .none }
    return locations[entity][key.ordinal]
  }

  // Rows.

  /// Brings the indexes over values from an object's old row to its new one; `nil` where there is none.
  mutating func reindex(_ key: ObjectKey, from old: Row?, to new: Row?, _ entity: EntityPlan, edit: UInt64) {
    for column in entity.columns {
      let before = old.flatMap { $0.isNull(column.slot) ? nil : $0.reference(column.slot).rawValue }
      let after = new.flatMap { $0.isNull(column.slot) ? nil : $0.reference(column.slot).rawValue }
      Self.move(&columns[column.index], key, before, after, edit)
    }
    for unique in entity.uniques {
      let before = old.flatMap { IndexCode.hash($0, unique.slots) }
      let after = new.flatMap { IndexCode.hash($0, unique.slots) }
      Self.move(&uniques[unique.index], key, before, after, edit)
    }
    for fetch in entity.fetches {
      let before = old.flatMap { IndexCode.ordered($0, fetch.slot) }
      let after = new.flatMap { IndexCode.ordered($0, fetch.slot) }
      Self.move(&fetches[fetch.index], key, before, after, edit)
    }
  }

  private static func move(
    _ tree: inout SortedTree, _ key: ObjectKey, _ before: UInt64?, _ after: UInt64?, _ edit: UInt64
  ) {
    guard before != after else { return }
    if let before { tree.remove(IndexEntry(before, key.rawValue), edit: edit) }
    if let after { tree.insert(IndexEntry(after, key.rawValue), edit: edit) }
  }

  // Links.

  mutating func addLink(_ table: Int, _ owner: ObjectKey, _ member: LinkChange.Member, edit: UInt64) {
    links[table].insert(IndexEntry(owner, member.key), payload: member.position.bitPattern, edit: edit)
    mirrors[table].insert(IndexEntry(member.key, owner), edit: edit)
  }

  mutating func removeLink(_ table: Int, _ owner: ObjectKey, _ member: ObjectKey, edit: UInt64) {
    links[table].remove(IndexEntry(owner, member), edit: edit)
    mirrors[table].remove(IndexEntry(member, owner), edit: edit)
  }

  /// A deleted object is linked to nothing, from either end.
  mutating func removeLinks(of key: ObjectKey, _ entity: EntityPlan, edit: UInt64) {
    for table in entity.ownedTables {
      for member in links[table].keys(major: key.rawValue) { removeLink(table, key, member, edit: edit) }
    }
    for table in entity.memberTables {
      for owner in mirrors[table].keys(major: key.rawValue) { removeLink(table, owner, key, edit: edit) }
    }
  }

  /// Bytes of memory that the indexes take, and the objects they are of.
  var memory: (bytes: Int, objects: Int) {
    let trees = [columns, links, mirrors, uniques, fetches].joined()
    return (
      locations.reduce(0) { $0 + $1.memoryBytes } + trees.reduce(0) { $0 + $1.memoryBytes },
      locations.reduce(0) { $0 + $1.count }
    )
  }
}
