import FileSystem
import LogStore
public import Schema

extension RecordStore {
  /// Writes a checkpoint of the present state now, and returns when it is durable. Commits go on meanwhile.
  ///
  /// There is seldom a need: one is written in the background when the log has grown enough, and when the store is
  /// closed. Costs time linear in the number of objects.
  /// - Throws: `StoreError` with `readOnly`, `noSpace` or `inputOutput`; the store is as good as before.
  public func writeCheckpoint() throws(StoreError) {
    guard !isReadOnly else {
      throw StoreError(.readOnly, "The store was opened for reading only. Open it for writing to write a checkpoint.")
    }
    checkpoints.wait()
    do {
      try checkpoints.write { try snapshot() }
    } catch let error as FileError {
      throw StoreError(
        error.code == .noSpace ? .noSpace : .inputOutput, "The checkpoint could not be written: \(error)",
        path: error.path, errorNumber: error.errorNumber)
    } catch {
      throw StoreError(any: error)
    }
  }

  func startCheckpoint() {
    do throws(StoreError) {
      checkpoints.writeInBackground(try snapshot())
    } catch {
      checkpoints.skip()
    }
  }

  /// The present state, with the place in the log that it is as of.
  func snapshot() throws(StoreError) -> CheckpointSnapshot {
    let (view, tally) = published.withLock { ($0.view, $0.tally) }
    do throws(LogError) {
      let position = try core.log.position(after: max(view.commitNumber, openedNumber))
      return CheckpointSnapshot(
        position: position, stored: core.stored, plan: core.plan, root: view.root, tally: tally,
        addresses: core.blocks.addresses, pages: core.pages)
    } catch {
      throw StoreError(error)
    }
  }
}

extension CheckpointContents {
  /// Works out from the log what a checkpoint of it says. Costs a pass over the log.
  init(of log: LogStore, upTo number: UInt64) throws(StoreError) {
    var loader = StoreLoader()
    try log.visit(after: 0) { record in
      guard record.number <= number else { return false }
      try loader.visit(record)
      return true
    }
    guard let plan = loader.plan, var root = loader.root else {
      throw StoreError(.notAStore, "There is no schema in the log.")
    }
    let blocks = BlockTable(log: log, addresses: BlockAddresses(nil, loader.addresses), cacheBytesMax: 1 << 20)
    try root.indexRows(plan, blocks, edit: StoreLoader.edit)
    // In full nodes, as they are in a checkpoint.
    for index in root.links.indices {
      root.links[index] = try root.links[index].packed(edit: StoreLoader.edit)
      root.mirrors[index] = try root.mirrors[index].packed(edit: StoreLoader.edit)
    }
    self.init(root: root, addresses: loader.addresses)
  }
}
