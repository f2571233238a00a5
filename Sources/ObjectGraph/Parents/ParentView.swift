internal import Foundation
internal import Schema
internal import StoreContract

/// What lies below a child context, as its parent had it at one moment: the parent's pending changes over what lies
/// below the parent. Made on the parent's queue, then read from any thread, so that a child fetches without holding the
/// parent up.
final class ParentView: StoreView, PendingOverlay {
  /// How a to-many relationship differs from the one below.
  struct Members: Sendable {
    let added: Set<ObjectKey>
    let removed: Set<ObjectKey>
    /// All members, of an ordered relationship.
    let order: [ObjectKey]?
  }

  struct Relationship: Hashable, Sendable {
    let owner: ObjectKey
    let property: Int
  }

  let schema: Schema
  private let base: any StoreView
  /// Objects with pending changes: `nil` for those deleted.
  private let rows: [ObjectKey: Row?]
  private let members: [Relationship: Members]

  init(base: any StoreView, rows: [ObjectKey: Row?], members: [Relationship: Members]) {
    schema = base.schema
    self.base = base
    self.rows = rows
    self.members = members
  }

  var commitNumber: UInt64 { base.commitNumber }

  func isChanged(_ key: ObjectKey) -> Bool { rows[key] != nil }

  func row(for key: ObjectKey) throws(StoreError) -> Row? {
    if let pending = rows[key] { return pending }
    return try base.row(for: key)
  }

  func entityIndex(of key: ObjectKey) -> Int { base.entityIndex(of: key) }

  func forEachMember(
    of key: ObjectKey, relationship property: Int, _ body: (ObjectKey) throws(StoreError) -> Bool
  ) throws(StoreError) {
    guard let changed = members[Relationship(owner: key, property: property)] else {
      return try base.forEachMember(of: key, relationship: property, body)
    }
    if let order = changed.order {
      for member in order where try !body(member) { return }
      return
    }
    var stopped = false
    try base.forEachMember(of: key, relationship: property) { (member: ObjectKey) throws(StoreError) -> Bool in
      if changed.removed.contains(member) || changed.added.contains(member) { return true }
      stopped = try !body(member)
      return !stopped
    }
    if stopped { return }
    for member in changed.added.sorted() where try !body(member) { return }
  }

  func memberCount(of key: ObjectKey, relationship property: Int) throws(StoreError) -> Int {
    guard members[Relationship(owner: key, property: property)] != nil else {
      return try base.memberCount(of: key, relationship: property)
    }
    var count: Int = 0
    try forEachMember(of: key, relationship: property) { (_: ObjectKey) throws(StoreError) -> Bool in
      count += 1
      return true
    }
    return count
  }

  func count(for plan: FetchPlan) throws(StoreError) -> Int { try keys(for: plan, overlay: nil).count }

  func keys(
    for plan: FetchPlan, overlay: (any PendingOverlay)?, report: FetchReport?
  ) throws(StoreError) -> [ObjectKey] {
    var readsBeyond: Bool = plan.predicate?.dependencies.readsBeyondRow ?? false
    for sort in plan.sort where sort.dependencies.readsBeyondRow { readsBeyond = true }
    let source: any PendingOverlay = overlay.map { LayeredOverlay(upper: $0, lower: self) } ?? self
    var wide: FetchPlan = plan
    wide.offset = 0
    // As many more as pending changes could push out.
    if plan.limit > 0 { wide.limit = plan.offset + plan.limit + rows.count }
    let isLaidOver: Bool = readsBeyond || overlay != nil
    var keys: [ObjectKey] = try base.keys(for: wide, overlay: isLaidOver ? source : nil, report: report)
    if !isLaidOver { keys.removeAll { rows[$0] != nil } }
    let order = RowOrder(sort: plan.sort, source: source)
    for (key, row) in rows {
      guard let row, takes(key, plan), overlay?.isChanged(key) != true else { continue }
      if let predicate = plan.predicate, try !predicate.matches(row, in: source) { continue }
      keys.insert(key, at: try order.position(of: row, in: keys))
    }
    let start: Int = min(plan.offset, keys.count)
    let end: Int = plan.limit == 0 ? keys.count : min(start + plan.limit, keys.count)
    report?.rowsReturned = end - start
    return start == 0 && end == keys.count ? keys : Array(keys[start..<end])
  }

  private func takes(_ key: ObjectKey, _ plan: FetchPlan) -> Bool {
    let entity: Int = entityIndex(of: key)
    return plan.includesSubentities ? schema.isKind(entity, of: plan.entity) : entity == plan.entity
  }
}

/// A child's pending changes over those of its parent.
private final class LayeredOverlay: PendingOverlay {
  private let upper: any PendingOverlay
  private let lower: ParentView

  init(upper: any PendingOverlay, lower: ParentView) {
    self.upper = upper
    self.lower = lower
  }

  var schema: Schema { upper.schema }
  func isChanged(_ key: ObjectKey) -> Bool { upper.isChanged(key) || lower.isChanged(key) }
  // The upper one asks the lower one where it knows nothing itself.
  func row(for key: ObjectKey) throws(StoreError) -> Row? { try upper.row(for: key) }
  func entityIndex(of key: ObjectKey) -> Int { upper.entityIndex(of: key) }
  func forEachMember(
    of key: ObjectKey, relationship property: Int, _ body: (ObjectKey) throws(StoreError) -> Bool
  ) throws(StoreError) { try upper.forEachMember(of: key, relationship: property, body) }
  func memberCount(of key: ObjectKey, relationship property: Int) throws(StoreError) -> Int {
    try upper.memberCount(of: key, relationship: property)
  }
}
