internal import Foundation
internal import Schema
internal import StoreContract
internal import Synchronization

/// An incremental store as the graph sees it: every question is put to it anew.
final class IncrementalBackend: ObjectStore {
  let identifier: UUID
  let schema: Schema
  let entityNumbers: [Int]
  // The store owns this.
  private unowned let store: NSIncrementalStore
  private let commits = Atomic<UInt64>(0)

  init(identifier: UUID, _ schema: Schema, _ store: NSIncrementalStore) {
    self.identifier = identifier
    self.schema = schema
    self.store = store
    entityNumbers = store.core.entityNumbers
  }

  func entityIndex(ofNumber number: Int) -> Int? { entityNumbers.firstIndex(of: number) }
  var isReadOnly: Bool { store.isReadOnly }
  var metadata: [String: String] { [:] }
  var oldestTransactionNumber: UInt64 { commits.load(ordering: .acquiring) + 1 }
  func transactions(after number: UInt64, limit: Int) throws(StoreError) -> [StoreTransaction] { [] }
  func close() throws(StoreError) {}

  func view(for context: NSManagedObjectContext?) -> IncrementalView {
    IncrementalView(store, context, schema, commitNumber: commits.load(ordering: .acquiring))
  }

  func currentView() throws(StoreError) -> any StoreView { view(for: store.core.saving?.context) }

  func reserveKeys(entity index: Int, count: Int) throws(StoreError) -> ObjectKey { throw unsupported() }

  func commit(_ changes: ChangeSet) throws(StoreError) -> CommitOutcome {
    guard let saving = store.core.saving else { throw unsupported() }
    let conflicts: [StoreConflict] = try changes.versionConflicts(in: view(for: saving.context))
    guard conflicts.isEmpty else { return .conflicted(conflicts) }
    let request = NSSaveChangesRequest(
      inserted: Set(saving.inserted), updated: Set(saving.updated), deleted: Set(saving.deleted),
      locked: Set(saving.locked))
    do { _ = try store.execute(request, with: saving.context) } catch {
      throw StoreError(program: error, store)
    }
    let number: UInt64 = commits.add(1, ordering: .acquiringAndReleasing).newValue
    return .committed(CommitReceipt(commitNumber: number, view: view(for: saving.context)))
  }

  private func unsupported() -> StoreError {
    StoreError(
      .unsupported,
      "The store \(store.storeName) is a \(type(of: store)): it takes saves of contexts, no batch requests.")
  }
}
