internal import Foundation
package import StoreContract

extension NSPersistentStoreCoordinator {
  /// Commits the parts of one save, each to its store, on the coordinator's queue.
  ///
  /// A part that conflicts commits nothing, and no part after it is tried. With several stores, parts are committed
  /// in the order given; when one fails after another was committed, the error says which.
  ///
  /// - Returns: one outcome for each part that was tried: all `.committed`, or the last one `.conflicted`.
  /// - Throws: `NSPersistentStoreSaveError` and its kin, over the store's typed error; with several stores
  ///   `NSPersistentStoreIncompleteSaveError` when an earlier part is already durable.
  package func commit(_ parts: [(NSPersistentStore, ChangeSet)]) throws -> [CommitOutcome] {
    try performAndWait { () throws -> [CommitOutcome] in
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
