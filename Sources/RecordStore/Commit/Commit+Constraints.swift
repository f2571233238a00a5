import Schema
import StoreContract

extension Commit {
  /// Finds objects that would share unique values. The indexes already hold the state after the commit, so values that
  /// are swapped, or freed by a deletion, are no conflict.
  mutating func findConstraintConflicts() throws(StoreError) {
    guard !plan.uniques.isEmpty else { return }
    var reported: Set<IndexEntry> = []
    for index in pending.indices where pending[index].operation != .delete {
      let uniques = plan.entities[pending[index].entity].uniques
      guard !uniques.isEmpty, let row = pending[index].new else { continue }
      for unique in uniques {
        guard let hash = IndexCode.hash(row, unique.slots) else { continue }
        if let old = pending[index].old, IndexCode.areSame(old, unique.slots, row, unique.slots) { continue }
        var holders = 0
        try root.uniques[unique.index].forEach(major: hash) { _, _ in
          holders += 1
          return holders < 2
        }
        guard holders > 1 else { continue }
        try noteConflict(unique, row, hash, &reported)
      }
    }
  }

  private mutating func noteConflict(
    _ unique: EntityPlan.Unique, _ row: Row, _ hash: UInt64, _ reported: inout Set<IndexEntry>
  ) throws(StoreError) {
    var changed: [ObjectKey] = []
    var stored: ObjectKey?
    for key in root.uniques[unique.index].keys(major: hash) {
      guard let entity = plan.entityIndex(of: key), let other = try currentRow(key),
        let otherUnique = plan.entities[entity].uniques.first(where: { $0.index == unique.index }),
        IndexCode.areSame(row, unique.slots, other, otherUnique.slots)
      else { continue }
      // Who had the values before, and keeps them, is the holder.
      if let old = try before.row(for: key), IndexCode.areSame(old, otherUnique.slots, other, otherUnique.slots) {
        stored = key
      } else {
        changed.append(key)
      }
    }
    guard changed.count + (stored == nil ? 0 : 1) > 1, let first = changed.first,
      reported.insert(IndexEntry(UInt64(unique.index), first.rawValue)).inserted
    else { return }
    conflicts.append(
      .constraint(
        entity: plan.uniques[unique.index].entity, properties: unique.properties, keys: changed, stored: stored))
  }
}
