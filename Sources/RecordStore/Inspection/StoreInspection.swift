public import FileSystem
import LogStore
public import Schema
import StoreContract

/// A store, read without its model, without a lock and without writing: what the command line stands on. It may look
/// at a store while another process writes to it, and sees the transactions that were there when it was opened.
public final class StoreInspection: Sendable {
  let directory: String
  let fileSystem: any FileSystem
  let core: StoreCore
  let loader: StoreLoader
  let root: StoreRoot
  /// Looked for before the log was read: what is there in a sound store is not ahead of it.
  let foundCheckpoints: (usable: [Checkpoint], refused: [IgnoredCheckpoint])

  /// Opens a damaged store too, up to the damage: see `recovery`. Costs a pass over the log.
  /// - Throws: `StoreError`: not a store, damaged before the first record, of a newer format, or the file system refused.
  public init(directory: String, in fileSystem: any FileSystem) throws(StoreError) {
    var loader = StoreLoader()
    foundCheckpoints = Checkpoint.list(directory, in: fileSystem)
    let log: LogStore
    do throws(LogError) {
      log = try LogStore.open(directory, in: fileSystem, options: LogStore.Options(mode: .readOnly)) { record in
        try loader.visit(record)
      }
    } catch {
      throw StoreError(error)
    }
    guard let stored = loader.stored, let root = loader.root else {
      if let damage = log.recovery.damage { throw StoreError(damage) }
      throw StoreError(
        .notAStore, "There is no schema in the log: nothing was ever stored there.", path: directory)
    }
    self.directory = directory
    self.fileSystem = fileSystem
    self.loader = loader
    self.root = root
    let options = RecordStoreOptions()
    let blocks = BlockTable(
      log: log, addresses: BlockAddresses(nil, loader.addresses), cacheBytesMax: options.cacheBytesMax)
    core = StoreCore(stored: stored, log: log, blocks: blocks)
  }

  /// The schema that the store was last written with.
  public var schema: Schema { core.plan.schema }

  /// What was found at the end of the log.
  public var recovery: InspectedRecovery {
    let report = core.log.recovery
    return InspectedRecovery(
      closedCleanly: report.closedCleanly, tornBytes: report.tornBytes,
      tornSegment: report.tornLocation.map { fileName(ofSegment: $0.segment) },
      tornOffsetBytes: report.tornLocation?.offsetBytes, damage: report.damage.map { StoreError($0) })
  }

  /// The name of the entity that object keys hold a number of, also of one that the present schema no longer has.
  public func entityName(ofNumber number: Int) -> String? {
    core.plan.entityIndex(ofNumber: number).map { schema.entities[$0].name }
  }

  /// An object as people name it, "Package/42"; "#7/42" where the schema has no entity of that number.
  public func name(of key: ObjectKey) -> String {
    "\(entityName(ofNumber: key.entityNumber) ?? "#\(key.entityNumber)")/\(key.ordinal)"
  }

  /// Costs a pass over the blocks that hold live rows.
  public func info() throws(StoreError) -> StoreInfo {
    var liveBytes: UInt64 = 0
    for entity in schema.entities.indices {
      try root.forEachRow(entity, core.plan, core.blocks) { liveBytes += UInt64($0.lengthBytes) }
    }
    let entities = schema.entities.map { entity in
      let number = core.plan.entityNumbers[entity.index]
      return StoreInfo.Entity(
        name: entity.name, number: number, liveCount: root.locations[entity.index].count,
        insertedCount: loader.insertedCounts[number] ?? 0)
    }
    let segments = core.log.segments.map { segment in
      StoreInfo.Segment(fileName: Self.lastPart(of: segment.path), sizeBytes: segment.fileBytes)
    }
    let tails: [TornTail]
    do throws(LogError) {
      tails = try LogStore.tornTails(directory, in: fileSystem)
    } catch {
      throw StoreError(error)
    }
    let first = loader.first.map {
      StoreInfo.Transaction(number: $0.number, timestamp: $0.timestamp, author: $0.author)
    }
    let last = loader.last.map {
      StoreInfo.Transaction(number: $0.number, timestamp: $0.timestamp, author: $0.author)
    }
    return StoreInfo(
      formatVersion: "\(StoredSchema.formatNumber)", identifier: core.log.storeUUID, schema: schema, entities: entities,
      transactionCount: loader.transactionCount, firstTransaction: first, lastTransaction: last,
      metadata: loader.metadata, liveRowBytes: liveBytes,
      historyRowBytes: loader.rowBytes - min(liveBytes, loader.rowBytes),
      segments: segments,
      tornTails: tails.map { StoreInfo.Segment(fileName: Self.lastPart(of: $0.path), sizeBytes: $0.sizeBytes) },
      checkpoints: checkpoints)
  }

  /// Calls `body` with each transaction after one with a number, oldest first, until it returns false.
  /// - Throws: `StoreError`, or what `body` throws.
  public func forEachTransaction(
    after number: UInt64 = 0, _ body: (InspectedTransaction) throws -> Bool
  ) throws {
    try core.log.visit(after: number) { record in
      guard record.kind == RecordKind.transaction else { return true }
      return try body(try transaction(record))
    }
  }

  private func transaction(_ record: borrowing RecordReader) throws -> InspectedTransaction {
    var changes: [InspectedChange] = []
    let header = try core.forEachChange(of: record) { change, row in
      changes.append(inspected(change, row))
    }
    let metadata: [(name: String, value: String?)] = header.metadata.sorted { $0.name < $1.name }
    return InspectedTransaction(
      number: header.number, timestamp: header.timestamp, author: header.author, contextName: header.contextName,
      processID: header.processID, changes: changes, metadata: metadata, record: inspected(record))
  }

  private func inspected(_ record: borrowing RecordReader) -> InspectedRecord {
    let blocks = record.blocks.map { block in
      InspectedRecord.Block(
        tag: block.tag, offsetBytes: block.address.offsetBytes, rawBytes: block.rawBytes,
        storedBytes: block.storedBytes, isPacked: block.codec != .none)
    }
    return InspectedRecord(
      kind: record.kind, segment: fileName(ofSegment: record.location.segment),
      offsetBytes: record.location.offsetBytes, storedBytes: record.storedBytes, metaBytes: record.meta.count,
      blocks: blocks)
  }

  private func inspected(_ change: TransactionRecord.Change, _ row: Row?) -> InspectedChange {
    let entity = schema.entities[core.plan.entityIndex(of: change.key) ?? 0]
    let operation: InspectedChange.Operation
    switch change.operation {
    case .derive: operation = .derive
    case .insert: operation = .insert
    case .update: operation = .update
    case .delete: operation = .delete
    }
    var values: [(name: String, value: Value)]?
    if let row {
      let preserved = core.plan.entities[entity.index].preserved
      let kept = entity.layout.storedProperties.filter { operation != .delete || preserved.contains($0) }
      values = kept.compactMap { property in
        entity.layout.slots[property].map { (entity.properties[property].name, row.value($0)) }
      }
    }
    let changed = change.changedProperties.indexes.filter { $0 < entity.properties.count }
    return InspectedChange(
      entity: entity.name, key: change.key, operation: operation,
      changedProperties: changed.map { entity.properties[$0].name }, values: values,
      links: change.links.filter { $0.relationship < entity.properties.count }.map { link in
        InspectedChange.Links(
          relationship: entity.properties[link.relationship].name, added: link.added, removed: link.removed)
      })
  }

  private func fileName(ofSegment sequence: UInt64) -> String {
    let segment = core.log.segments.first { $0.sequence == sequence }
    return segment.map { Self.lastPart(of: $0.path) } ?? "segment \(sequence)"
  }

  static func lastPart(of path: String) -> String {
    path.split(separator: "/").last.map { String($0) } ?? path
  }
}
