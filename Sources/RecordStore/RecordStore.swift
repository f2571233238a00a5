public import FileSystem
public import Foundation
import LogStore
public import Schema
public import StoreContract
import Synchronization

/// How a store is opened.
public struct RecordStoreOptions: Sendable {
  /// Takes no lock and writes nothing; sees the transactions that were there at opening.
  public var isReadOnly: Bool
  /// A log segment is sealed when it reaches this.
  public var segmentBytesMax: UInt64
  /// Bound of the cache of unpacked blocks.
  public var cacheBytesMax: Int
  /// With `isReadOnly`: opens a damaged store up to the damage instead of refusing it.
  public var acceptsDamage: Bool
  /// How many bytes the log may grow behind the last checkpoint before the next is written, in the background. After a
  /// crash about as much is read at opening. Stores whose checkpoints are larger may grow by as much, up to 32 MiB.
  /// Zero writes none, neither then nor when the store is closed.
  public var checkpointTailBytes: UInt64 = 8 << 20
  /// The identity of a store that is made.
  public var createUUID: @Sendable () -> UUID
  var checkpointFaults = CheckpointFaults()

  public init(
    isReadOnly: Bool = false, acceptsDamage: Bool = false, segmentBytesMax: UInt64 = 64 << 20,
    cacheBytesMax: Int = 64 << 20,
    createUUID: @escaping @Sendable () -> UUID = { UUID() }
  ) {
    self.isReadOnly = isReadOnly
    self.acceptsDamage = acceptsDamage
    self.segmentBytesMax = segmentBytesMax
    self.cacheBytesMax = cacheBytesMax
    self.createUUID = createUUID
  }

  var logOptions: LogStore.Options {
    LogStore.Options(
      mode: isReadOnly ? .readOnly : .readWrite, segmentBytesMax: segmentBytesMax, cacheBytesMax: cacheBytesMax,
      createUUID: createUUID)
  }
}

/// Entity rows on a log: the store behind the object graph.
///
/// One commit at a time; readers never wait for it. What is committed is one record of the log, and the indexes in
/// memory are those of the newest checkpoint and what the log got since.
public final class RecordStore: ObjectStore {
  private struct Writer {
    /// Marks what the current attempt to commit changes in the indexes.
    var edit: UInt64
    var isClosed = false
  }
  struct Published {
    var view: RecordView
    var tally: StoreTally
  }

  let core: StoreCore
  public let identifier: UUID
  public let isReadOnly: Bool
  /// How the store was opened: from a checkpoint, or from the whole log.
  public let opening: OpeningReport
  let checkpoints: CheckpointKeeper
  /// The last record of the log when the store was opened.
  let openedNumber: UInt64
  private let writer: Mutex<Writer>
  let published: Mutex<Published>
  /// By schema entity: the ordinal that the next object gets.
  private let nextOrdinals: Mutex<[UInt64]>

  private init(
    core: StoreCore, loader: StoreLoader, root: StoreRoot, isReadOnly: Bool, opening: OpeningReport,
    checkpoints: CheckpointKeeper
  ) {
    self.core = core
    self.opening = opening
    self.checkpoints = checkpoints
    openedNumber = core.log.lastNumber
    self.isReadOnly = isReadOnly
    identifier = core.log.storeUUID
    writer = Mutex(Writer(edit: StoreLoader.lastEdit))
    published = Mutex(Published(view: RecordView(core: core, root: root), tally: loader.tally))
    nextOrdinals = Mutex(core.plan.entityNumbers.map { (loader.highestOrdinals[$0] ?? 0) + 1 })
  }

  /// Opens the store in a directory, making it when there is none (unless read only).
  ///
  /// Costs a look at the newest checkpoint and a pass over what the log got since, at most about as much as
  /// `RecordStoreOptions.checkpointTailBytes`; without a checkpoint that can be used, a pass over the log.
  ///
  /// - Parameters:
  ///   - schema: what the rows are read and written by; `nil` takes the one that the store was written with.
  /// - Throws: `StoreError` with `locked` (and the process), `incompatibleSchema` (and each difference), `damaged` (and
  ///   where), `notAStore`, `newerFormat`, `readOnly`, `noSpace` or `inputOutput`.
  public static func open(
    directory: String, in fileSystem: any FileSystem, schema: Schema?,
    options: RecordStoreOptions = RecordStoreOptions()
  ) throws(StoreError) -> RecordStore {
    let (log, opened, report) = try openLog(directory, in: fileSystem, options)
    var loader = opened
    do throws(StoreError) {
      if let damage = log.recovery.damage, !(options.isReadOnly && options.acceptsDamage) { throw StoreError(damage) }
      try settleSchema(schema, log, &loader, directory: directory, isReadOnly: options.isReadOnly)
      let keeper = CheckpointKeeper(
        directory: directory, fileSystem: fileSystem, options: options, checkpoint: loader.checkpoint,
        tailBytes: loader.recordBytes)
      return try make(log, loader, options, report, keeper)
    } catch {
      try? log.close()
      throw error
    }
  }

  /// Opens the log from the newest checkpoint that it agrees with, else from its start.
  private static func openLog(
    _ directory: String, in fileSystem: any FileSystem, _ options: RecordStoreOptions
  ) throws(StoreError) -> (LogStore, StoreLoader, OpeningReport) {
    let (usable, refused) = Checkpoint.list(directory, in: fileSystem)
    var report = OpeningReport()
    report.ignoredCheckpoints = refused
    do throws(LogError) {
      for checkpoint in usable {
        var loader = StoreLoader(checkpoint)
        let position = checkpoint.directory.position
        let log = try LogStore.open(directory, in: fileSystem, options: options.logOptions, from: position) { record in
          try loader.visit(record)
        }
        let reason: String
        if let log, checkpoint.pages.failure == nil {
          report.checkpointNumber = checkpoint.number
          report.replayedRecords = loader.recordCount
          return (log, loader, report)
        } else if let log {
          try log.close()
          reason = "a page of it is damaged"
        } else {
          reason = "the log does not have the place that it names"
        }
        report.ignoredCheckpoints.append(IgnoredCheckpoint(path: checkpoint.path, reason: reason))
      }
      var loader = StoreLoader()
      let log = try LogStore.open(directory, in: fileSystem, options: options.logOptions) { record in
        try loader.visit(record)
      }
      report.replayedRecords = loader.recordCount
      return (log, loader, report)
    } catch {
      throw StoreError(error)
    }
  }

  /// Decides which schema the store is used with, and writes it down if it is not the last one in the log.
  private static func settleSchema(
    _ schema: Schema?, _ log: LogStore, _ loader: inout StoreLoader, directory: String, isReadOnly: Bool
  ) throws(StoreError) {
    guard let stored = loader.stored else {
      guard let schema, !isReadOnly else {
        throw StoreError(
          .notAStore, "There is no schema in the log: nothing was ever stored there. Open it with a model first.",
          path: directory)
      }
      let new = StoredSchema(new: schema)
      try append(new, to: log)
      loader.use(new)
      return
    }
    guard let schema else { return }
    let differences = stored.difference(from: schema)
    guard differences.isEmpty else {
      throw StoreError(
        .incompatibleSchema,
        "The store was written with another model, and migration is not supported yet. Open it with the model it was "
          + "written with, or use a new store. Differences: \(differences.joined(separator: "; ")).", path: directory)
    }
    let renumbered = stored.renumbered(for: schema)
    if renumbered.json != stored.json {
      if !isReadOnly { try append(renumbered, to: log) }
      loader.use(renumbered)
    }
  }

  private static func append(_ schema: StoredSchema, to log: LogStore) throws(StoreError) {
    do {
      try log.append(kind: RecordKind.schema) { _ in RecordContent(meta: Array(schema.json.text.utf8)) }
    } catch {
      throw StoreError(any: error)
    }
  }

  private static func make(
    _ log: LogStore, _ loader: StoreLoader, _ options: RecordStoreOptions, _ report: OpeningReport,
    _ keeper: CheckpointKeeper
  ) throws(StoreError) -> RecordStore {
    guard let stored = loader.stored, var root = loader.root else {
      throw StoreError(.notAStore, "There is no schema in the log.")
    }
    let pages = loader.checkpoint?.pages
    let addresses = BlockAddresses(loader.checkpoint?.blocks, loader.addresses)
    let blocks = BlockTable(log: log, addresses: addresses, cacheBytesMax: options.cacheBytesMax)
    let core = StoreCore(stored: stored, log: log, blocks: blocks, pages: pages)
    if let checkpoint = loader.checkpoint {
      let number = checkpoint.number
      pages?.setRepair { () throws(StoreError) in try CheckpointContents(of: log, upTo: number) }
    }
    if let moved = loader.moved {
      try root.indexRows(moved: moved, core.plan, blocks, edit: StoreLoader.lastEdit)
    } else {
      try root.indexRows(core.plan, blocks, edit: StoreLoader.edit)
    }
    try core.checkIndexes()
    return RecordStore(
      core: core, loader: loader, root: root, isReadOnly: options.isReadOnly, opening: report, checkpoints: keeper)
  }

  public var schema: Schema { core.plan.schema }
  public var entityNumbers: [Int] { core.plan.entityNumbers }
  public func entityIndex(ofNumber number: Int) -> Int? { core.plan.entityIndex(ofNumber: number) }
  public var metadata: [String: String] { published.withLock { $0.tally.metadata } }
  public var oldestTransactionNumber: UInt64 { 1 }

  public func currentView() throws(StoreError) -> any StoreView { latest }

  var latest: RecordView { published.withLock { $0.view } }

  public func reserveKeys(entity index: Int, count: Int) throws(StoreError) -> ObjectKey {
    guard core.plan.entities.indices.contains(index), count >= 0 else {
      throw StoreError(.unsupported, "Keys were asked for entity \(index), which the store does not have.")
    }
    let first = nextOrdinals.withLock { ordinals -> UInt64? in
      let first = ordinals[index]
      guard UInt64(count) <= ObjectKey.ordinalMax - first else { return nil }
      ordinals[index] += UInt64(count)
      return first
    }
    guard let first else {
      throw StoreError(.limitExceeded, "The entity \(schema.entities[index].name) has no ordinals left.")
    }
    return ObjectKey(entityNumber: entityNumbers[index], ordinal: first)
  }

  public func commit(_ changes: ChangeSet) throws(StoreError) -> CommitOutcome {
    try writer.withLock { writer throws(StoreError) -> CommitOutcome in
      guard !writer.isClosed else {
        throw StoreError(.closedAfterFailure, "The store was closed. Open it again to save.")
      }
      writer.edit += 1
      let before = latest
      var commit = Commit(core: core, before: before, changes: changes, edit: writer.edit)
      try commit.prepare()
      guard commit.conflicts.isEmpty else { return .conflicted(commit.conflicts) }
      commit.arrange()
      try core.checkIndexes()
      if commit.isEmpty { return .committed(CommitReceipt(commitNumber: before.commitNumber, view: before)) }
      guard !isReadOnly else {
        throw StoreError(.readOnly, "The store was opened for reading only. Open it for writing to save.")
      }
      let view = try write(commit)
      return .committed(CommitReceipt(commitNumber: view.commitNumber, view: view))
    }
  }

  /// Appends the record and publishes the state after it. Only the append can fail, and it leaves nothing behind.
  private func write(_ commit: Commit) throws(StoreError) -> RecordView {
    let firstBlock = core.blocks.count
    var written: CommitRecord?
    let appended: AppendedRecord
    do {
      appended = try core.log.append(kind: RecordKind.transaction) { number in
        let record = commit.record(number: number, firstBlock: firstBlock, processID: Self.processID)
        written = record
        let blocks = record.blocks.map { block in
          BlockContent(tag: block.tag, memory: UnsafeRawBufferPointer(rebasing: record.rows.bytes[block.range]))
        }
        return RecordContent(meta: record.meta, blocks: blocks)
      }
    } catch {
      throw StoreError(any: error)
    }
    core.blocks.append(appended.blocks)
    let root = commit.finishedRoot(number: appended.number, places: written?.places ?? [])
    let view = RecordView(core: core, root: root)
    noteOrdinals(of: commit)
    let rowBytes = (written?.blocks ?? []).reduce(0) { $0 + UInt64($1.range.count) }
    published.withLock { published in
      published.view = view
      published.tally.note(
        commit, number: appended.number, blockCount: firstBlock + appended.blocks.count, rowBytes: rowBytes)
    }
    if checkpoints.note(recordBytes: appended.storedBytes) { startCheckpoint() }
    return view
  }

  /// Keys that were made elsewhere (a copy of another store) must not be given out again.
  private func noteOrdinals(of commit: Commit) {
    nextOrdinals.withLock { ordinals in
      for change in commit.pending where change.operation == .insert && change.key.ordinal >= ordinals[change.entity] {
        ordinals[change.entity] = change.key.ordinal + 1
      }
    }
  }

  private static let processID = ProcessInfo.processInfo.processIdentifier

  public func close() throws(StoreError) {
    try writer.withLock { writer throws(StoreError) in
      guard !writer.isClosed else { return }
      writer.isClosed = true
      checkpoints.wait()
      // It is only a cache: the log is closed all the same.
      if !isReadOnly, checkpoints.isWantedAtClose { try? checkpoints.write { try snapshot() } }
      do throws(LogError) {
        try core.log.close()
      } catch {
        throw StoreError(error)
      }
    }
  }
}
