import LogStore
import Schema
import StoreContract

/// One committed state. Its trees never change, its blocks stay: it may be kept as long as anyone likes.
final class RecordView: StoreView {
  let core: StoreCore
  let root: StoreRoot

  init(core: StoreCore, root: StoreRoot) {
    self.core = core
    self.root = root
  }

  var schema: Schema { core.plan.schema }
  var commitNumber: UInt64 { root.commitNumber }

  func row(for key: ObjectKey) throws(StoreError) -> Row? {
    let location = root.location(of: key, core.plan)
    if core.pages != nil { return try rowFromPages(for: key, at: location) }
    if location == .none { return nil }
    return try core.blocks.row(at: location)
  }

  /// As `row(for:)`, where places come from a checkpoint: one that leads to another object's row is not believed.
  private func rowFromPages(for key: ObjectKey, at location: RowLocation) throws(StoreError) -> Row? {
    try core.checkIndexes()
    if location == .none { return nil }
    let block = try core.blocks.block(location.block)
    if block.hasRow(of: key, at: location.offsetBytes) { return block.row(at: location.offsetBytes) }
    guard let entity = core.plan.entityIndex(of: key) else { return nil }
    return try core.blocks.checkedRow(at: location, key: key, core.plan.entities[entity], block: block)
  }

  /// A key that this store never gave out is of no entity; callers only ask about keys they got from it.
  func entityIndex(of key: ObjectKey) -> Int { core.plan.entityIndex(of: key) ?? 0 }

  func forEachMember(
    of key: ObjectKey, relationship property: Int, _ body: (ObjectKey) throws(StoreError) -> Bool
  ) throws(StoreError) {
    try root.forEachMember(of: key, property, core.plan, row: { key throws(StoreError) in try row(for: key) }, body)
    try core.checkIndexes()
  }

  func memberCount(of key: ObjectKey, relationship property: Int) throws(StoreError) -> Int {
    guard let entity = core.plan.entityIndex(of: key), property < core.plan.entities[entity].members.count else {
      return 0
    }
    switch core.plan.entities[entity].members[property] {
    case .none: return 0
    case .toOne(let slot):
      guard let row = try row(for: key) else { return 0 }
      return row.isNull(slot) ? 0 : 1
    case .column(let index): return root.columns[index].count(major: key.rawValue)
    case .links(let table): return root.links[table].count(major: key.rawValue)
    case .mirror(let table): return root.mirrors[table].count(major: key.rawValue)
    }
  }

  /// Whether a relationship leads from one object to another. Costs a lookup.
  func isMember(_ member: ObjectKey, of key: ObjectKey, relationship property: Int) throws(StoreError) -> Bool {
    guard let entity = core.plan.entityIndex(of: key), property < core.plan.entities[entity].members.count else {
      return false
    }
    let entry = IndexEntry(key, member)
    switch core.plan.entities[entity].members[property] {
    case .none: return false
    case .toOne(let slot):
      guard let row = try row(for: key) else { return false }
      return !row.isNull(slot) && row.reference(slot) == member
    case .column(let index): return root.columns[index].contains(entry)
    case .links(let table): return root.links[table].contains(entry)
    case .mirror(let table): return root.mirrors[table].contains(entry)
    }
  }

  func keys(
    for plan: FetchPlan, overlay: (any PendingOverlay)?, report: FetchReport?
  ) throws(StoreError) -> [ObjectKey] {
    let keys = try FetchExecutor(view: self, plan: plan, overlay: overlay, report: report).keys()
    try core.checkIndexes()
    report?.rowsReturned = keys.count
    return keys
  }

  func count(for plan: FetchPlan) throws(StoreError) -> Int {
    let count = try FetchExecutor(view: self, plan: plan, overlay: nil, report: nil).count()
    try core.checkIndexes()
    return count
  }
}

extension StoreRoot {
  /// Members of a relationship: by position, then by key.
  ///
  /// - Parameter row: finds the object's own row, for a to-one relationship.
  func forEachMember(
    of key: ObjectKey, _ property: Int, _ plan: StorePlan, row: (ObjectKey) throws(StoreError) -> Row?,
    _ body: (ObjectKey) throws(StoreError) -> Bool
  ) throws(StoreError) {
    guard let entity = plan.entityIndex(of: key), property < plan.entities[entity].members.count else { return }
    switch plan.entities[entity].members[property] {
    case .none: return
    case .toOne(let slot):
      guard let row = try row(key), !row.isNull(slot) else { return }
      _ = try body(row.reference(slot))
    case .column(let index):
      try columns[index].forEach(major: key.rawValue) { entry, _ throws(StoreError) in try body(entry.key) }
    case .mirror(let table):
      try mirrors[table].forEach(major: key.rawValue) { entry, _ throws(StoreError) in try body(entry.key) }
    case .links(let table):
      guard plan.entities[entity].isOrdered[property] else {
        try links[table].forEach(major: key.rawValue) { entry, _ throws(StoreError) in try body(entry.key) }
        return
      }
      var members: [LinkChange.Member] = []
      try links[table].forEach(major: key.rawValue) { entry, position in
        members.append(LinkChange.Member(key: entry.key, position: Double(bitPattern: position)))
        return true
      }
      members.sort { ($0.position, $0.key) < ($1.position, $1.key) }
      for member in members { guard try body(member.key) else { return } }
    }
  }
}
