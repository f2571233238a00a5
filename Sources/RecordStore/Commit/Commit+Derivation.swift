import Schema
import StoreContract

/// Objects whose derived values have to be looked at again.
private struct DirtyKeys {
  private var waiting: Set<ObjectKey> = []
  private var list: [ObjectKey] = []
  /// Keys taken so far, again and again counted.
  private(set) var takenCount = 0
  private(set) var distinctCount = 0

  mutating func insert(_ key: ObjectKey) {
    if list.last != key, waiting.insert(key).inserted {
      list.append(key)
      distinctCount += 1
    }
  }

  mutating func take() -> ObjectKey? {
    guard let key = list.popLast() else { return nil }
    waiting.remove(key)
    takenCount += 1
    return key
  }
}

extension Commit {
  /// How often, on average, an object may be derived anew in one commit: derivations that feed each other in a circle
  /// would go on for ever.
  private static let roundsMax = 64

  /// Brings values that are derived from other objects up to date: of objects that changed, and of those that depend
  /// on what changed, however it changed.
  mutating func deriveFromOthers() throws(StoreError) {
    guard plan.derivesFromOthers else { return }
    var dirty = DirtyKeys()
    for index in pending.indices {
      let change = pending[index]
      let entityPlan = plan.entities[change.entity]
      if change.operation != .delete, change.hasNew, entityPlan.derivesFromOthers { dirty.insert(change.key) }
      if !plan.dependents[change.entity].isEmpty {
        let after = change.operation == .delete ? nil : change.new ?? change.old
        try markDependents(of: change.key, change.entity, from: change.old, to: after, &dirty)
      }
      markLinked(change, entityPlan, &dirty)
    }
    while let key = dirty.take() {
      guard dirty.takenCount <= (dirty.distinctCount + pending.count + 16) * Self.roundsMax else {
        throw StoreError(
          .unsupported,
          "Derived values depend on each other in a circle, at object \(key). Break the circle in the model.")
      }
      try derive(key, &dirty)
    }
  }

  /// Derives an object's values anew without any change: it becomes pending if what is stored is not right.
  mutating func rederive(_ key: ObjectKey) throws(StoreError) {
    var dirty = DirtyKeys()
    try derive(key, &dirty)
  }

  private mutating func markDependents(
    of key: ObjectKey, _ entity: Int, from old: Row?, to new: Row?, _ dirty: inout DirtyKeys
  ) throws(StoreError) {
    let entityPlan = plan.entities[entity]
    for dependent in plan.dependents[entity] {
      let isWatchedChanged: Bool
      if let watched = dependent.watched, let slot = entityPlan.layout.slots[watched], let old, let new {
        isWatchedChanged = old.base != new.base && !DerivedValue.areSame(old.value(slot), new.value(slot))
      } else {
        isWatchedChanged = (old == nil) != (new == nil)
      }
      switch dependent.owners {
      case .target(let inverse):
        guard let slot = entityPlan.layout.slots[inverse] else { continue }
        let before = old.flatMap { $0.isNull(slot) ? nil : $0.reference(slot) }
        let after = new.flatMap { $0.isNull(slot) ? nil : $0.reference(slot) }
        guard before != after || isWatchedChanged else { continue }
        if let before { dirty.insert(before) }
        if let after { dirty.insert(after) }
      case .column(let index):
        guard isWatchedChanged else { continue }
        for owner in root.columns[index].keys(major: key.rawValue) { dirty.insert(owner) }
      case .mirror(let table):
        // The trees before the commit know whom a deleted object was linked to.
        guard isWatchedChanged else { continue }
        for owner in root.mirrors[table].keys(major: key.rawValue) { dirty.insert(owner) }
        for owner in before.root.mirrors[table].keys(major: key.rawValue) { dirty.insert(owner) }
      case .links(let table):
        guard isWatchedChanged else { continue }
        for member in root.links[table].keys(major: key.rawValue) { dirty.insert(member) }
        for member in before.root.links[table].keys(major: key.rawValue) { dirty.insert(member) }
      }
    }
  }

  /// Both ends of a link that came or went may count or sum over it.
  private func markLinked(_ change: Pending, _ entityPlan: EntityPlan, _ dirty: inout DirtyKeys) {
    guard change.linkList >= 0 else { return }
    if entityPlan.derivesFromOthers { dirty.insert(change.key) }
    for link in links(of: change) {
      for member in link.added { dirty.insert(member.key) }
      for key in link.removed { dirty.insert(key) }
    }
  }

  /// Computes an object's derived values again, and writes its row if one differs.
  private mutating func derive(_ key: ObjectKey, _ dirty: inout DirtyKeys) throws(StoreError) {
    guard let entity = plan.entityIndex(of: key), plan.entities[entity].derivesFromOthers,
      let row = try currentRow(key)
    else { return }
    let entityPlan = plan.entities[entity]
    var patches: [RowPatch] = []
    for derived in entityPlan.derived {
      let value: Value
      switch derived.derivation {
      case .own, .now: continue
      case .related(let relationship, let property, let transform):
        value = try related(row, entityPlan, relationship, property, transform, derived.slot.kind)
      case .aggregate(let relationship, let aggregate, let property):
        value = try self.aggregate(key, entityPlan, relationship, aggregate, property, derived.slot.kind)
      }
      if !DerivedValue.areSame(value, row.value(derived.slot)) { patches.append(RowPatch(derived.slot, value)) }
    }
    guard !patches.isEmpty else { return }
    let fresh = try arena.copy(row, entityPlan.layout, setting: patches)
    root.reindex(key, from: row, to: fresh, entityPlan, edit: edit)
    if let index = table[key] {
      // An update of links only leaves the version alone; the row it now has to write keeps it too.
      pending[index].new = fresh
    } else {
      _ = table.insert(key, pending.count)
      keepAlive(row)
      pending.append(
        Pending(
          key: key, entity: entity, operation: .derive, source: -1, old: row, new: fresh, takesVersion: false))
    }
    try markDependents(of: key, entity, from: row, to: fresh, &dirty)
  }

  private func related(
    _ row: Row, _ entityPlan: EntityPlan, _ relationship: Int, _ property: Int, _ transform: Derivation.Transform,
    _ kind: SlotKind
  ) throws(StoreError) -> Value {
    guard let slot = entityPlan.layout.slots[relationship], !row.isNull(slot) else { return .null }
    let key = row.reference(slot)
    guard let entity = plan.entityIndex(of: key), let target = try currentRow(key),
      let source = plan.entities[entity].layout.slots[property]
    else { return .null }
    return DerivedValue.transform(target.value(source), transform, to: kind)
  }

  private func aggregate(
    _ key: ObjectKey, _ entityPlan: EntityPlan, _ relationship: Int, _ aggregate: Derivation.Aggregate,
    _ property: Int?, _ kind: SlotKind
  ) throws(StoreError) -> Value {
    guard let property, aggregate != .count else {
      let count: Int
      switch entityPlan.members[relationship] {
      case .column(let index): count = root.columns[index].count(major: key.rawValue)
      case .links(let table): count = root.links[table].count(major: key.rawValue)
      case .mirror(let table): count = root.mirrors[table].count(major: key.rawValue)
      case .none, .toOne: count = 0
      }
      return DerivedValue.fit(.int(Int64(count)), to: kind)
    }
    var accumulator = DerivedValue.Accumulator(aggregate)
    let ownRow: (ObjectKey) throws(StoreError) -> Row? = { key throws(StoreError) in try currentRow(key) }
    try root.forEachMember(
      of: key, relationship, plan, row: ownRow,
      { member throws(StoreError) -> Bool in
        if let entity = plan.entityIndex(of: member), let row = try currentRow(member),
          let slot = plan.entities[entity].layout.slots[property]
        {
          accumulator.add(row.value(slot))
        }
        return true
      })
    return accumulator.value(for: kind)
  }
}
