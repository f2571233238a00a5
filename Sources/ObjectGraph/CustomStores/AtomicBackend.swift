internal import Foundation
internal import Schema
internal import StoreContract

/// An atomic store as the graph sees it: its objects in a store in memory, and each commit also in its nodes, which are
/// written before the commit counts.
final class AtomicBackend: ObjectStore {
  let identifier: UUID
  private let memory: any ObjectStore
  // The store owns this.
  private unowned let store: NSAtomicStore

  init(identifier: UUID, _ memory: any ObjectStore, _ store: NSAtomicStore) {
    self.identifier = identifier
    self.memory = memory
    self.store = store
  }

  /// Puts what was loaded into memory.
  func take(_ nodes: [NSAtomicStoreCacheNode]) throws(StoreError) {
    guard !nodes.isEmpty else { return }
    var changes = ChangeSet(timestamp: Date().timeIntervalSinceReferenceDate)
    for node in nodes {
      let info: EntityInfo = node.objectID.info
      let key: ObjectKey = node.objectID.key
      let row: Int = try ProgramRows.encode(key, version: 0, info, into: changes.rows) { node.value(forKey: $0) }
      var links: [LinkChange] = []
      for property in info.toManyProperties where info.storage[property] == .links {
        let members: [ObjectKey] = ProgramRows.members(node.value(forKey: info.entity.properties[property].name))
        let isOrdered: Bool = info.entity.properties[property].relationship?.isOrdered ?? false
        let added: [LinkChange.Member] = members.enumerated().map { position, key in
          LinkChange.Member(key: key, position: isOrdered ? Double(position) : 0)
        }
        if !added.isEmpty { links.append(LinkChange(relationship: property, added: added, removed: [])) }
      }
      changes.changes.append(
        ObjectChange(key: key, operation: .insert, expectedVersion: 0, rowOffset: row, links: links))
    }
    guard case .committed = try memory.commit(changes) else {
      throw StoreError(
        .damaged, "What \(type(of: store)) loaded has several objects with the same values of a uniqueness constraint.")
    }
  }

  var schema: Schema { memory.schema }
  var entityNumbers: [Int] { memory.entityNumbers }
  func entityIndex(ofNumber number: Int) -> Int? { memory.entityIndex(ofNumber: number) }
  var isReadOnly: Bool { store.isReadOnly }
  func currentView() throws(StoreError) -> any StoreView { try memory.currentView() }
  var metadata: [String: String] { memory.metadata }
  var oldestTransactionNumber: UInt64 { memory.oldestTransactionNumber }

  func transactions(after number: UInt64, limit: Int) throws(StoreError) -> [StoreTransaction] {
    try memory.transactions(after: number, limit: limit)
  }

  func reserveKeys(entity index: Int, count: Int) throws(StoreError) -> ObjectKey { throw unsupported() }

  func commit(_ changes: ChangeSet) throws(StoreError) -> CommitOutcome {
    guard let saving = store.core.saving else { throw unsupported() }
    let conflicts: [StoreConflict] = try changes.versionConflicts(in: memory.currentView())
    guard conflicts.isEmpty else { return .conflicted(conflicts) }
    let before: NSAtomicStore.Nodes = store.apply(saving)
    try save(orReturnTo: before)
    let outcome: CommitOutcome
    do throws(StoreError) { outcome = try memory.commit(changes) } catch {
      try undo(before)
      throw error
    }
    // A uniqueness constraint, which memory alone knows.
    if case .conflicted = outcome { try undo(before) }
    return outcome
  }

  func close() throws(StoreError) { try memory.close() }

  private func save(orReturnTo before: NSAtomicStore.Nodes) throws(StoreError) {
    do { try store.save() } catch {
      store.restore(before)
      throw StoreError(program: error, store)
    }
  }

  private func undo(_ before: NSAtomicStore.Nodes) throws(StoreError) {
    store.restore(before)
    do { try store.save() } catch { throw StoreError(program: error, store) }
  }

  private func unsupported() -> StoreError {
    StoreError(
      .unsupported,
      "The store \(store.storeName) is a \(type(of: store)): it takes saves of contexts, no batch requests.")
  }
}
