import LogStore
import Schema
import StoreContract

/// Writes what was salvaged into a new store: first decides which objects are there, then writes their rows, then links.
struct SalvageWriter {
  private(set) var report: SalvageReport
  private let loader: StoreLoader
  private let log: LogSalvage
  private let store: RecordStore
  private let plan: StorePlan
  private let root: StoreRoot
  private let timestamp: Double
  /// Objects whose rows are there and are not taken over.
  private var dropped: Set<ObjectKey> = []
  private var lost: [ObjectKey: SalvageReport.LostObject.Reason] = [:]
  private var block: (number: Int, block: Block)?

  private static let author = "annals salvage"
  private static let batchCount = 4096
  private static let batchBytes = 4 << 20

  init(_ reader: SalvageReader, _ log: LogSalvage, _ store: RecordStore, timestamp: Double) {
    loader = reader.loader
    self.log = log
    self.store = store
    self.timestamp = timestamp
    plan = store.core.plan
    // `StoreSalvage` has made sure that there is a schema, and with it a root.
    root = reader.loader.root ?? StoreRoot(plan: store.core.plan)
    report = SalvageReport(identifier: store.identifier)
    report.lostRecords = reader.lostRecords
    report.partial = reader.partial
    report.transactionCount = reader.loader.transactionCount
    report.lastNumber = reader.lastNumber
    report.badPlaces = log.report.badPlaces
    report.tornBytes = log.report.tornBytes
    report.entities = store.schema.entities.map { SalvageReport.Entity(name: $0.name) }
  }

  mutating func run() throws(StoreError) {
    try commit(ChangeSet(author: Self.author, timestamp: timestamp, metadata: metadata(isFinished: false)))
    try choose()
    for entity in plan.entities.indices { try writeRows(of: entity) }
    for table in plan.linkTables.indices { try writeLinks(of: table) }
    countUnseen()
    for (key, reason) in lost {
      guard let entity = plan.entityIndex(of: key) else { continue }
      report.entities[entity].lostCount += 1
      report.lost.append(
        SalvageReport.LostObject(entity: store.schema.entities[entity].name, key: key, reason: reason))
    }
    report.lost.sort { $0.key < $1.key }
    for entity in store.schema.entities.reversed() where entity.isAbstract { report.entities.remove(at: entity.index) }
    try commit(ChangeSet(author: Self.author, timestamp: timestamp, metadata: metadata(isFinished: true)))
  }

  private func metadata(isFinished: Bool) -> [String: String?] {
    if isFinished { return [StoreSalvage.unfinishedName: String?.none] }
    var metadata: [String: String?] = loader.metadata.mapValues { $0 }
    metadata[StoreSalvage.unfinishedName] = String?.some("true")
    return metadata
  }

  // Deciding.

  /// Finds rows that can't be read, and objects that would share unique values: an older one of them was deleted or
  /// changed in what is lost.
  private mutating func choose() throws(StoreError) {
    var places: [(location: UInt64, key: UInt64)] = []
    for entity in plan.entities.indices {
      let number = plan.entityNumbers[entity]
      try root.locations[entity].visitAll { ordinal, location in
        places.append((location.rawValue, ObjectKey(entityNumber: number, ordinal: ordinal).rawValue))
        return true
      }
    }
    // Newest first: the log's order is that of time.
    places.sort { $0.location > $1.location }
    let mayClash = !plan.uniques.isEmpty && !(report.badPlaces.isEmpty && report.lostRecords.isEmpty)
    var holders = plan.uniques.map { _ in [UInt64: [ObjectKey]]() }
    for place in places {
      let key = ObjectKey(rawValue: place.key)
      guard let entity = plan.entityIndex(of: key) else { continue }
      guard let row = row(key, entity) else {
        lose(key, .unreadable)
        continue
      }
      if mayClash, clashes(row, entity, holders) {
        lose(key, .superseded)
        continue
      }
      guard mayClash else { continue }
      for unique in plan.entities[entity].uniques {
        if let hash = IndexCode.hash(row, unique.slots) { holders[unique.index][hash, default: []].append(key) }
      }
    }
  }

  private mutating func lose(_ key: ObjectKey, _ reason: SalvageReport.LostObject.Reason) {
    dropped.insert(key)
    if lost[key] == nil { lost[key] = reason }
  }

  private mutating func clashes(_ row: Row, _ entity: Int, _ holders: [[UInt64: [ObjectKey]]]) -> Bool {
    for unique in plan.entities[entity].uniques {
      guard let hash = IndexCode.hash(row, unique.slots) else { continue }
      for other in holders[unique.index][hash] ?? [] {
        guard let otherEntity = plan.entityIndex(of: other), let otherRow = self.row(other, otherEntity),
          let slots = plan.entities[otherEntity].uniques.first(where: { $0.index == unique.index })?.slots
        else { continue }
        if IndexCode.areSame(row, unique.slots, otherRow, slots) { return true }
      }
    }
    return false
  }

  /// The row where the index says that it is, if it is one.
  private mutating func row(_ key: ObjectKey, _ entity: Int) -> Row? {
    let location = root.locations[entity][key.ordinal]
    guard location != .none, location.block < loader.addresses.count else { return nil }
    if block?.number != location.block {
      guard let read = try? log.block(at: loader.addresses[location.block]) else { return nil }
      block = (location.block, read)
    }
    let entityPlan = plan.entities[entity]
    guard let found = block?.block, Int(found.tag) == entityPlan.number,
      found.fault(at: location.offsetBytes, entityPlan.layout) == nil
    else { return nil }
    let row = found.row(at: location.offsetBytes)
    return row.key == key ? row : nil
  }

  private func isKept(_ key: ObjectKey) -> Bool {
    !dropped.contains(key) && root.location(of: key, plan) != .none
  }

  /// Whether the other end of a reference or link may stay; one that may not is noted as lost. References to objects
  /// whose deletion is readable stay as they are: it was the old store's state, and no loss.
  private mutating func isKeptEnd(_ key: ObjectKey) -> Bool {
    if isKept(key) || loader.deleted?.contains(key) == true { return true }
    if lost[key] == nil { lost[key] = .unreadable }
    return false
  }

  // Writing.

  private mutating func writeRows(of entity: Int) throws(StoreError) {
    let number = plan.entityNumbers[entity]
    let layout = plan.entities[entity].layout
    var batch = ChangeSet(author: Self.author, timestamp: timestamp)
    var ordinals: [UInt64] = []
    try root.locations[entity].visitAll { ordinal, _ in
      ordinals.append(ordinal)
      return true
    }
    for ordinal in ordinals {
      let key = ObjectKey(entityNumber: number, ordinal: ordinal)
      guard !dropped.contains(key), var row = row(key, entity) else { continue }
      var patches: [RowPatch] = []
      for slot in plan.entities[entity].references where !row.isNull(slot) && !isKeptEnd(row.reference(slot)) {
        patches.append(RowPatch(slot, .null))
      }
      if !patches.isEmpty { row = try RowArena().copy(row, layout, setting: patches) }
      report.entities[entity].clearedReferenceCount += patches.count
      report.entities[entity].keptCount += 1
      let offset = batch.rows.append(row.bytes)
      batch.changes.append(ObjectChange(key: key, operation: .insert, expectedVersion: 0, rowOffset: offset))
      if batch.changes.count >= Self.batchCount || batch.rows.count >= Self.batchBytes { try flush(&batch) }
    }
    try flush(&batch)
  }

  private mutating func writeLinks(of table: Int) throws(StoreError) {
    let property = plan.linkTables[table].property
    var entries: [(entry: IndexEntry, position: UInt64)] = []
    try root.links[table].forEach(from: IndexEntry(0, 0), through: IndexEntry(.max, .max)) { entry, position in
      entries.append((entry, position))
      return true
    }
    var batch = ChangeSet(author: Self.author, timestamp: timestamp)
    var batchLinks = 0
    for run in entries.chunked(by: { Int($0.entry.major) }) {
      let owner = ObjectKey(rawValue: entries[run.lowerBound].entry.major)
      guard let entity = plan.entityIndex(of: owner) else { continue }
      var added: [LinkChange.Member] = []
      for (entry, position) in entries[run] {
        let isKept = isKeptEnd(owner) && isKeptEnd(entry.key)
        guard isKept else { continue }
        added.append(LinkChange.Member(key: entry.key, position: Double(bitPattern: position)))
      }
      report.entities[entity].linkCount += added.count
      report.entities[entity].lostLinkCount += run.count - added.count
      guard !added.isEmpty else { continue }
      batch.changes.append(
        ObjectChange(
          key: owner, operation: .update, expectedVersion: 0, changedProperties: PropertySet([property]),
          links: [LinkChange(relationship: property, added: added, removed: [])]))
      batchLinks += added.count
      if batchLinks >= Self.batchCount * 8 || batch.changes.count >= Self.batchCount {
        try flush(&batch)
        batchLinks = 0
      }
    }
    try flush(&batch)
  }

  private mutating func flush(_ batch: inout ChangeSet) throws(StoreError) {
    guard !batch.changes.isEmpty else { return }
    try commit(batch)
    batch = ChangeSet(author: Self.author, timestamp: timestamp)
  }

  private func commit(_ changes: ChangeSet) throws(StoreError) {
    guard case .conflicted(let conflicts) = try store.commit(changes) else { return }
    throw StoreError(
      .unsupported, "What was salvaged contradicts itself: \(conflicts.count) conflicts in the new store.")
  }

  private mutating func countUnseen() {
    guard !report.lostRecords.isEmpty || !report.partial.isEmpty else { return }
    for entity in plan.entities.indices {
      let number = plan.entityNumbers[entity]
      let highest = Int(clamping: loader.highestOrdinals[number] ?? 0)
      let known = lost.keys.count { $0.entityNumber == number && root.locations[entity][$0.ordinal] == .none }
      report.entities[entity].unseenCount = max(0, highest - (loader.insertedCounts[number] ?? 0) - known)
    }
  }
}
