internal import Foundation
internal import Schema
package import StoreContract

extension NSPersistentStoreCoordinator {
  /// Commits the parts of one save, each to its store, on the coordinator's queue.
  ///
  /// A part that conflicts commits nothing, and no part after it is tried. With several stores, the versions of all
  /// parts are compared before any is committed; then parts are committed in the order given. When one fails, or
  /// violates a uniqueness constraint, after another was committed, that one stays committed.
  ///
  /// - Returns: one outcome for each part that was tried: all `.committed`, or the last one `.conflicted`. Where versions
  ///   of a later part conflict, the parts before it are `.conflicted` too, without conflicts of their own.
  /// - Throws: `NSPersistentStoreSaveError` and its kin, over the store's typed error; with several stores
  ///   `NSPersistentStoreIncompleteSaveError` when an earlier part is already durable.
  package func commit(_ parts: [(NSPersistentStore, ChangeSet)]) throws -> [CommitOutcome] {
    try performAndWait { () throws -> [CommitOutcome] in
      if parts.count > 1, let refused = try versionConflicts(parts) { return refused }
      var outcomes: [CommitOutcome] = []
      var written: [NSPersistentStore] = []
      for (store, changes) in parts {
        do {
          let outcome: CommitOutcome = try commit(changes, to: store)
          outcomes.append(outcome)
          guard case .committed = outcome else { return outcomes }
          written.append(store)
        } catch {
          throw written.isEmpty ? error : incompleteSave(error, failed: store, written: written)
        }
      }
      return outcomes
    }
  }

  /// Compares the versions of all parts of a save over several stores; `nil` when all agree.
  private func versionConflicts(_ parts: [(NSPersistentStore, ChangeSet)]) throws -> [CommitOutcome]? {
    let found: [[StoreConflict]] = try parts.map { store, changes in try versionConflicts(changes, in: store) }
    guard let last = found.lastIndex(where: { !$0.isEmpty }) else { return nil }
    return found[...last].map { CommitOutcome.conflicted($0) }
  }

  private func versionConflicts(_ changes: ChangeSet, in store: NSPersistentStore) throws -> [StoreConflict] {
    guard let backend = store.backend else { throw removedStoreError(store) }
    do {
      return try changes.versionConflicts(in: backend.currentView())
    } catch {
      throw GraphError.wrapping(error, during: .save, store: store.storeName)
    }
  }

  private func commit(_ changes: ChangeSet, to store: NSPersistentStore) throws -> CommitOutcome {
    guard let backend = store.sharedBackend else { throw removedStoreError(store) }
    let affected: [String: Any] = [NSAffectedStoresErrorKey: [store]]
    guard !store.isReadOnly else {
      throw GraphError.make(
        NSPersistentStoreSaveError,
        "The store \(store.storeName) is open for reading only: nothing was saved. Open it without the read-only option.",
        userInfo: affected)
    }
    var full: ChangeSet = changes
    let metadata: [String: String?] = store.metadataToCommit
    full.metadata.merge(metadata) { given, _ in given }
    let before: UInt64
    let outcome: CommitOutcome
    do {
      before = try backend.store.currentView().commitNumber
      outcome = try backend.store.commit(full)
    } catch {
      throw GraphError.wrapping(error, during: .save, store: store.storeName, userInfo: affected)
    }
    if case .committed(let receipt) = outcome {
      store.didCommitMetadata(metadata)
      if receipt.commitNumber > before { RemoteChanges.announce(receipt.commitNumber, of: backend) }
    }
    return outcome
  }

  private func incompleteSave(
    _ error: any Error, failed: NSPersistentStore, written: [NSPersistentStore]
  ) -> any Error {
    let names: String = written.map { $0.storeName }.joined(separator: ", ")
    return GraphError.make(
      NSPersistentStoreIncompleteSaveError,
      "The changes for \(names) are saved, those for \(failed.storeName) are not: \(error.localizedDescription)",
      underlying: error, userInfo: [NSAffectedStoresErrorKey: [failed]])
  }

  func removedStoreError(_ store: NSPersistentStore) -> any Error {
    GraphError.make(
      NSPersistentStoreOperationError,
      "The store \(store.storeName) was removed from its coordinator. Add it again, and fetch its objects anew.",
      userInfo: [NSAffectedStoresErrorKey: [store]])
  }
}
