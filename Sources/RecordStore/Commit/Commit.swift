import Schema
import StoreContract

/// One change set on its way into the store: the state after it is built beside the one before, checked, and thrown
/// away if anything is wrong. Used under the writer's lock.
struct Commit {
  /// An object that the commit writes, or only counts as changed.
  ///
  /// There is one for each row, and each is looked at and moved many times: it holds nothing that is counted. Its rows
  /// are kept alive by the commit, see `keepAlive`.
  struct Pending {
    let key: ObjectKey
    let entity: Int
    var operation: TransactionRecord.Operation
    /// Whether the row gets the commit's number as its version: not one that is only written for derived values.
    let takesVersion: Bool
    /// Which change of the change set it is; -1 for one that only derives.
    let source: Int32
    /// Where its links are in the commit's list; -1 where it has none.
    var linkList: Int32 = -1
    private let oldRow: LooseRow
    private var newRow = LooseRow(nil)

    /// The row in the store before.
    var old: Row? { oldRow.row }
    /// The row to be written; `nil` if there is none to write.
    var new: Row? {
      get { newRow.row }
      set { newRow = LooseRow(newValue) }
    }
    var hasOld: Bool { oldRow.base != nil }
    var hasNew: Bool { newRow.base != nil }

    init(
      key: ObjectKey, entity: Int, operation: TransactionRecord.Operation, source: Int32, old: Row?, new: Row?,
      takesVersion: Bool
    ) {
      self.key = key
      self.entity = entity
      self.operation = operation
      self.source = source
      self.takesVersion = takesVersion
      oldRow = LooseRow(old)
      newRow = LooseRow(new)
    }
  }

  /// A row that somebody else keeps.
  private struct LooseRow {
    let base: UnsafeRawPointer?
    private let owner: Unmanaged<AnyObject>?

    init(_ row: Row?) {
      base = row?.base
      owner = row.map { Unmanaged.passUnretained($0.owner) }
    }

    // unsafe: the commit holds the owners of all rows that it looks at until it is done.
    var row: Row? {
      guard let base, let owner else { return nil }
      return Row(base: base, owner: owner.takeUnretainedValue())
    }
  }

  let core: StoreCore
  let before: RecordView
  let changes: ChangeSet
  /// Marks the nodes of the indexes that this attempt made.
  let edit: UInt64
  let arena = RowArena()
  var root: StoreRoot
  var pending: [Pending] = []
  var linkLists: [[LinkChange]] = []
  /// What holds the rows that were there before: mostly a few blocks, one after the other. The new ones are in the
  /// change set or the arena.
  private var owners: [AnyObject] = []
  var table: KeyTable
  var conflicts: [StoreConflict] = []

  var plan: StorePlan { core.plan }

  init(core: StoreCore, before: RecordView, changes: ChangeSet, edit: UInt64) {
    self.core = core
    self.before = before
    self.changes = changes
    self.edit = edit
    root = before.root
    table = KeyTable(capacity: changes.changes.count)
    pending.reserveCapacity(changes.changes.count)
  }

  /// Applies the changes to the state and finds all conflicts.
  mutating func prepare() throws(StoreError) {
    for index in changes.changes.indices { try take(changes.changes[index], Int32(index)) }
    for (key, version) in changes.lockedObjects { try checkLocked(key, version) }
    try filterLinks()
    try applyRows()
    try applyLinks()
    try deriveFromOthers()
    try findConstraintConflicts()
  }

  mutating func keepAlive(_ row: Row?) {
    guard let row, owners.last !== row.owner else { return }
    owners.append(row.owner)
  }

  func links(of change: Pending) -> [LinkChange] { change.linkList < 0 ? [] : linkLists[Int(change.linkList)] }

  func changedProperties(of change: Pending) -> PropertySet {
    change.source < 0 ? PropertySet() : changes.changes[Int(change.source)].changedProperties
  }

  /// The row an object has after the commit.
  func currentRow(_ key: ObjectKey) throws(StoreError) -> Row? {
    if let index = table[key] {
      if pending[index].operation == .delete { return nil }
      return pending[index].new ?? pending[index].old
    }
    return try before.row(for: key)
  }

  func exists(_ key: ObjectKey) -> Bool {
    if let index = table[key] {
      return pending[index].operation != .delete && (pending[index].hasNew || pending[index].hasOld)
    }
    return before.root.location(of: key, plan) != .none
  }

  // Taking changes in.

  private mutating func take(_ change: ObjectChange, _ source: Int32) throws(StoreError) {
    let key = change.key
    guard !key.isTemporary else {
      throw StoreError(
        .unsupported, "The object \(key) has a temporary key. Reserve a key for it before it is committed.")
    }
    guard let entity = plan.entityIndex(of: key) else {
      throw StoreError(.unsupported, "The object \(key) is of an entity that the store does not have.")
    }
    guard table.insert(key, pending.count) else {
      throw StoreError(.unsupported, "The object \(key) is changed twice in one change set.")
    }
    let old = try before.row(for: key)
    let new = change.operation == .delete ? nil : try row(of: change, entity)
    if change.operation == .insert {
      guard old == nil else {
        throw StoreError(.unsupported, "The object \(key) is inserted, but the store has it already.")
      }
      guard new != nil else { throw StoreError(.unsupported, "The object \(key) is inserted without a row.") }
    } else if change.operation == .delete || new != nil {
      noteConflict(key, expected: change.expectedVersion, stored: old)
    }
    keepAlive(old)
    var next = Pending(
      key: key, entity: entity, operation: TransactionRecord.Operation(change.operation), source: source, old: old,
      new: new, takesVersion: change.operation == .delete || new != nil)
    if change.operation != .delete, !change.links.isEmpty {
      next.linkList = Int32(linkLists.count)
      linkLists.append(change.links)
    }
    pending.append(next)
  }

  private func row(of change: ObjectChange, _ entity: Int) throws(StoreError) -> Row? {
    guard let offset = change.rowOffset else { return nil }
    let entityPlan = plan.entities[entity]
    guard offset >= 0, offset + RowLayout.headerBytes <= changes.rows.count, offset % 8 == 0 else {
      throw StoreError(.unsupported, "The object \(change.key) has no row at byte \(offset) of its change set.")
    }
    let row = changes.rows.row(at: offset)
    guard row.lengthBytes <= changes.rows.count - offset, row.key == change.key else {
      throw StoreError(.unsupported, "The row at byte \(offset) of the change set is not of object \(change.key).")
    }
    if let fault = entityPlan.layout.fault(in: row.bytes) {
      throw StoreError(.unsupported, "The row of object \(change.key) is not of its entity's layout: \(fault).")
    }
    for slot in entityPlan.references where !row.isNull(slot) && row.reference(slot).isTemporary {
      throw StoreError(
        .unsupported, "The object \(change.key) refers to \(row.reference(slot)), which has a temporary key.")
    }
    return row
  }

  private mutating func noteConflict(_ key: ObjectKey, expected: UInt64, stored: Row?) {
    if stored?.version != expected {
      conflicts.append(.version(key: key, expectedVersion: expected, storedRow: stored))
    }
  }

  private mutating func checkLocked(_ key: ObjectKey, _ version: UInt64) throws(StoreError) {
    // An object that is written as well has been checked with its change.
    if let index = table[key], pending[index].operation == .delete || pending[index].hasNew { return }
    noteConflict(key, expected: version, stored: try before.row(for: key))
  }

  /// Leaves out links from and to objects that are not there any more: somebody else deleted them, and a deletion ends
  /// links anyway. Changes of nothing but links to objects that are gone disappear with them.
  private mutating func filterLinks() throws(StoreError) {
    for index in pending.indices where pending[index].operation != .delete {
      guard pending[index].linkList >= 0 else { continue }
      if !pending[index].hasNew, !pending[index].hasOld {
        pending[index].linkList = -1
        continue
      }
      let entityPlan = plan.entities[pending[index].entity]
      var kept: [LinkChange] = []
      for link in links(of: pending[index]) {
        guard link.relationship < entityPlan.members.count, case .links = entityPlan.members[link.relationship] else {
          throw StoreError(
            .unsupported,
            "Object \(pending[index].key) has links of property \(link.relationship), which the store does not keep there."
          )
        }
        let temporary = link.added.first(where: { $0.key.isTemporary })
        if let temporary {
          throw StoreError(
            .unsupported, "Object \(pending[index].key) links to \(temporary.key), which has a temporary key.")
        }
        let added = link.added.filter { exists($0.key) }
        if !added.isEmpty || !link.removed.isEmpty {
          kept.append(LinkChange(relationship: link.relationship, added: added, removed: link.removed))
        }
      }
      linkLists[Int(pending[index].linkList)] = kept
      if kept.isEmpty { pending[index].linkList = -1 }
    }
  }

  // Applying them to the indexes.

  private mutating func applyRows() throws(StoreError) {
    for index in pending.indices {
      let change = pending[index]
      let entityPlan = plan.entities[change.entity]
      if change.operation == .delete {
        if change.old != nil { root.reindex(change.key, from: change.old, to: nil, entityPlan, edit: edit) }
        pending[index].new = try preservedRow(of: change, entityPlan)
      } else if let row = change.new {
        let final = entityPlan.derived.isEmpty ? row : try deriveFromOwn(row, entityPlan)
        pending[index].new = final
        root.reindex(change.key, from: change.old, to: final, entityPlan, edit: edit)
      }
    }
  }

  /// A row that keeps what the model wants to be known of a deleted object.
  private func preservedRow(of change: Pending, _ entityPlan: EntityPlan) throws(StoreError) -> Row? {
    guard !entityPlan.preserved.isEmpty, let old = change.old else { return nil }
    var patches: [RowPatch] = []
    for property in entityPlan.layout.storedProperties where !entityPlan.preserved.contains(property) {
      if let slot = entityPlan.layout.slots[property] { patches.append(RowPatch(slot, .null)) }
    }
    return try arena.copy(old, entityPlan.layout, setting: patches)
  }

  /// Values derived from the row itself, and the time.
  func deriveFromOwn(_ row: Row, _ entityPlan: EntityPlan) throws(StoreError) -> Row {
    var patches: [RowPatch] = []
    for derived in entityPlan.derived {
      let value: Value
      switch derived.derivation {
      case .own(let property, let transform):
        guard let slot = entityPlan.layout.slots[property] else { continue }
        if slot.kind == .string, derived.slot.kind == .string, !row.isNull(slot) {
          let text = DerivedValue.transform(row.variableBytes(slot), transform)
          let isSame = !row.isNull(derived.slot) && row.variableBytes(derived.slot).elementsEqual(text)
          if !isSame { patches.append(RowPatch(derived.slot, utf8: text)) }
          continue
        }
        value = DerivedValue.transform(row.value(slot), transform, to: derived.slot.kind)
      case .now: value = DerivedValue.fit(.date(changes.timestamp), to: derived.slot.kind)
      case .related, .aggregate: continue
      }
      if !DerivedValue.areSame(value, row.value(derived.slot)) { patches.append(RowPatch(derived.slot, value)) }
    }
    return patches.isEmpty ? row : try arena.copy(row, entityPlan.layout, setting: patches)
  }

  private mutating func applyLinks() throws(StoreError) {
    for index in pending.indices {
      let change = pending[index]
      guard change.linkList >= 0 else { continue }
      let entityPlan = plan.entities[change.entity]
      for link in links(of: change) {
        guard case .links(let table) = entityPlan.members[link.relationship] else { continue }
        for key in link.removed { root.removeLink(table, change.key, key, edit: edit) }
        for member in link.added { root.addLink(table, change.key, member, edit: edit) }
      }
    }
    for change in pending where change.operation == .delete {
      root.removeLinks(of: change.key, plan.entities[change.entity], edit: edit)
    }
  }
}
