import LogStore
import Schema
import StoreContract

/// Builds the state of a store from its log: one pass over the records' meta parts for places and links, and one over
/// the live rows for what is indexed by value.
struct StoreLoader {
  private(set) var stored: StoredSchema?
  private(set) var plan: StorePlan?
  private(set) var root: StoreRoot?
  /// The checkpoint that loading goes on from.
  private(set) var checkpoint: Checkpoint?
  private(set) var addresses: [BlockAddress] = []
  private(set) var metadata: [String: String] = [:]
  /// By the store's entity number: the highest ordinal ever inserted, and how many insertions there were.
  private(set) var highestOrdinals: [Int: UInt64] = [:]
  private(set) var insertedCounts: [Int: Int] = [:]
  private(set) var transactionCount = 0
  private(set) var first: (number: UInt64, timestamp: Double, author: String?)?
  private(set) var last: (number: UInt64, timestamp: Double, author: String?)?
  /// Bytes of all rows, unpacked.
  private(set) var rowBytes: UInt64 = 0
  /// Records visited, and their bytes.
  private(set) var recordCount = 0
  private(set) var recordBytes: UInt64 = 0
  /// With indexes over values that are as of a checkpoint: the objects changed since, and where their rows were then.
  /// `nil` when all is to be indexed.
  private(set) var moved: [UInt64: RowLocation]?

  private var blockCount: Int { (checkpoint?.blocks.count ?? 0) + addresses.count }

  /// Objects that were deleted, where somebody wants to know.
  var deleted: Set<ObjectKey>?

  /// All loading is one edit: nothing is published before it ends.
  static let edit: UInt64 = 1
  /// Indexing by value what came behind a checkpoint is another: pages that are made good meanwhile are nobody's.
  static let lastEdit: UInt64 = 2

  init() {}

  /// Goes on from a checkpoint: the records behind it are still to be visited.
  init(_ checkpoint: Checkpoint) {
    self.checkpoint = checkpoint
    stored = checkpoint.stored
    plan = checkpoint.plan
    root = checkpoint.root()
    moved = [:]
    let tally = checkpoint.directory.tally
    metadata = tally.metadata
    highestOrdinals = tally.highestOrdinals
    insertedCounts = tally.insertedCounts
    transactionCount = tally.transactionCount
    first = tally.first.map { ($0.number, $0.timestamp, $0.author) }
    last = tally.last.map { ($0.number, $0.timestamp, $0.author) }
    rowBytes = tally.rowBytes
  }

  /// What was counted, for the store to count on.
  var tally: StoreTally {
    StoreTally(
      metadata: metadata, highestOrdinals: highestOrdinals, insertedCounts: insertedCounts,
      transactionCount: transactionCount,
      first: first.map { StoreTally.Mark(number: $0.number, timestamp: $0.timestamp, author: $0.author) },
      last: last.map { StoreTally.Mark(number: $0.number, timestamp: $0.timestamp, author: $0.author) },
      rowBytes: rowBytes, blockCount: blockCount)
  }

  // Records.

  mutating func visit(_ record: borrowing RecordReader) throws(StoreError) {
    recordCount += 1
    recordBytes += record.storedBytes
    switch record.kind {
    case RecordKind.schema: try readSchema(record.meta, number: record.number)
    case RecordKind.transaction:
      let firstBlock = blockCount
      for block in record.blocks {
        addresses.append(block.address)
        rowBytes += UInt64(block.rawBytes)
      }
      try readTransaction(
        record.meta, number: record.number, firstBlock: firstBlock, sizes: record.blocks.map(\.rawBytes))
    default:
      throw StoreError(
        .newerFormat,
        "Record \(record.number) is of kind \(record.kind), which this version does not know. Open the store with a newer version."
      )
    }
  }

  private mutating func readSchema(_ meta: UnsafeRawBufferPointer, number: UInt64) throws(StoreError) {
    let schema: StoredSchema
    do throws(SchemaRecordFault) {
      schema = try StoredSchema(record: meta)
    } catch {
      throw StoreError(
        error.isNewerFormat ? .newerFormat : .damaged,
        "The schema in record \(number) cannot be read: \(error.message).")
    }
    use(schema)
  }

  /// Goes on with another schema, carrying over what was read so far.
  mutating func use(_ schema: StoredSchema) {
    let next = StorePlan(schema: schema.schema, entityNumbers: schema.entityNumbers)
    if let plan, let root {
      self.root = root.remapped(from: plan, to: next)
    } else {
      root = StoreRoot(plan: next)
    }
    stored = schema
    plan = next
    moved = nil
  }

  private mutating func readTransaction(
    _ meta: UnsafeRawBufferPointer, number: UInt64, firstBlock: Int, sizes: [Int]
  ) throws(StoreError) {
    guard let plan, var root else {
      throw StoreError(.damaged, "Record \(number) is a transaction, but no schema comes before it.")
    }
    self.root = nil
    do throws(RecordFault) {
      var reader = try TransactionReader(meta, number: number, blockCount: sizes.count)
      try reader.forEachChange { change throws(RecordFault) in
        try apply(change, plan, &root, firstBlock: firstBlock, sizes: sizes)
      }
      note(reader.header)
    } catch {
      self.root = root
      throw StoreError(
        error.isNewerFormat ? .newerFormat : .damaged, "Transaction \(number) cannot be read: \(error.message).")
    }
    root.commitNumber = number
    self.root = root
  }

  private mutating func note(_ header: TransactionRecord.Header) {
    transactionCount += 1
    last = (header.number, header.timestamp, header.author)
    if first == nil { first = last }
    for (name, value) in header.metadata { metadata[name] = value }
  }

  private mutating func apply(
    _ change: TransactionRecord.Change, _ plan: StorePlan, _ root: inout StoreRoot, firstBlock: Int, sizes: [Int]
  ) throws(RecordFault) {
    guard let entity = plan.entityIndex(of: change.key) else {
      throw RecordFault("it changes an object of unknown entity \(change.key.entityNumber)")
    }
    let number = change.key.entityNumber
    if moved != nil, moved?[change.key.rawValue] == nil {
      moved?[change.key.rawValue] = root.locations[entity][change.key.ordinal]
    }
    if change.operation == .insert {
      highestOrdinals[number] = max(highestOrdinals[number] ?? 0, change.key.ordinal)
      insertedCounts[number, default: 0] += 1
    }
    if change.operation == .delete {
      deleted?.insert(change.key)
      root.locations[entity].set(change.key.ordinal, .none, edit: Self.edit)
      root.removeLinks(of: change.key, plan.entities[entity], edit: Self.edit)
      return
    }
    if let row = change.row {
      guard row.offsetBytes < sizes[row.block] else { throw RecordFault("a row starts behind the end of its block") }
      let location = RowLocation(block: firstBlock + row.block, offsetBytes: row.offsetBytes)
      root.locations[entity].set(change.key.ordinal, location, edit: Self.edit)
    }
    for link in change.links {
      guard link.relationship < plan.entities[entity].members.count,
        case .links(let table) = plan.entities[entity].members[link.relationship]
      else { throw RecordFault("it has links of a relationship that keeps none") }
      for key in link.removed { root.removeLink(table, change.key, key, edit: Self.edit) }
      for member in link.added { root.addLink(table, change.key, member, edit: Self.edit) }
    }
  }
}

extension StoreLoader {
  /// Goes on as if an object's row lay in a block, though the record that says so is not whole.
  ///
  /// - Parameter isNew: whether the object was not known before.
  mutating func adopt(_ key: ObjectKey, in block: Int, at offsetBytes: Int, isNew: Bool) {
    guard let entity = plan?.entityIndex(of: key) else { return }
    root?.locations[entity].set(key.ordinal, RowLocation(block: block, offsetBytes: offsetBytes), edit: Self.edit)
    let number = key.entityNumber
    highestOrdinals[number] = max(highestOrdinals[number] ?? 0, key.ordinal)
    if isNew { insertedCounts[number, default: 0] += 1 }
  }

  /// Gives a block of a record that is not whole a number.
  mutating func adopt(_ block: BlockInfo) -> Int {
    addresses.append(block.address)
    rowBytes += UInt64(block.rawBytes)
    return addresses.count - 1
  }
}

extension StoreRoot {
  /// The same objects and links under a plan with its entities in another order. Values are to be indexed anew.
  func remapped(from old: StorePlan, to new: StorePlan) -> StoreRoot {
    var root = StoreRoot(plan: new)
    root.commitNumber = commitNumber
    for (index, number) in old.entityNumbers.enumerated() {
      if let place = new.entityIndex(ofNumber: number) { root.locations[place] = locations[index] }
    }
    for (index, table) in old.linkTables.enumerated() {
      guard let entity = new.entityIndex(ofNumber: old.entityNumbers[table.entity]),
        let place = new.linkTables.firstIndex(of: StorePlan.Column(entity: entity, property: table.property))
      else { continue }
      root.links[place] = links[index]
      root.mirrors[place] = mirrors[index]
    }
    return root
  }

  /// Brings what is indexed by value up to date for objects whose rows were elsewhere.
  mutating func indexRows(
    moved: [UInt64: RowLocation], _ plan: StorePlan, _ blocks: BlockTable, edit: UInt64
  ) throws(StoreError) {
    for (raw, before) in moved.sorted(by: { $0.key < $1.key }) {
      let key = ObjectKey(rawValue: raw)
      guard let entity = plan.entityIndex(of: key) else { continue }
      let entityPlan = plan.entities[entity]
      let old = try Self.row(key, at: before, entityPlan, blocks)
      let new = try Self.row(key, at: locations[entity][key.ordinal], entityPlan, blocks)
      reindex(key, from: old, to: new, entityPlan, edit: edit)
    }
  }

  private static func row(
    _ key: ObjectKey, at location: RowLocation, _ entity: EntityPlan, _ blocks: BlockTable
  ) throws(StoreError) -> Row? {
    if location == .none { return nil }
    return try blocks.checkedRow(at: location, key: key, entity, block: try blocks.block(location.block))
  }

  /// Builds what is indexed by value from the rows, which are checked on the way.
  mutating func indexRows(_ plan: StorePlan, _ blocks: BlockTable, edit: UInt64) throws(StoreError) {
    var columnEntries = plan.columns.map { _ in [IndexEntry]() }
    var uniqueEntries = plan.uniques.map { _ in [IndexEntry]() }
    var fetchEntries = plan.fetches.map { _ in [IndexEntry]() }
    for entity in plan.entities.indices {
      let entityPlan = plan.entities[entity]
      try forEachRow(entity, plan, blocks) { row in
        let key = row.key.rawValue
        for column in entityPlan.columns where !row.isNull(column.slot) {
          columnEntries[column.index].append(IndexEntry(row.reference(column.slot).rawValue, key))
        }
        for unique in entityPlan.uniques {
          guard let hash = IndexCode.hash(row, unique.slots) else { continue }
          uniqueEntries[unique.index].append(IndexEntry(hash, key))
        }
        for fetch in entityPlan.fetches {
          guard let code = IndexCode.ordered(row, fetch.slot) else { continue }
          fetchEntries[fetch.index].append(IndexEntry(code, key))
        }
      }
    }
    columns = columnEntries.map { SortedTree(sorted: $0.sorted(), edit: edit) }
    uniques = uniqueEntries.map { SortedTree(sorted: $0.sorted(), edit: edit) }
    fetches = fetchEntries.map { SortedTree(sorted: $0.sorted(), edit: edit) }
  }

  /// Calls `body` with every live row of one entity, in the order they are stored, each checked against its layout.
  func forEachRow(
    _ entity: Int, _ plan: StorePlan, _ blocks: BlockTable, _ body: (Row) -> Void
  ) throws(StoreError) {
    var places: [(location: UInt64, ordinal: UInt64)] = []
    places.reserveCapacity(locations[entity].count)
    try locations[entity].visitAll { ordinal, location in
      places.append((location.rawValue, ordinal))
      return true
    }
    var isSorted = true
    for index in places.indices.dropFirst() where places[index].location < places[index - 1].location {
      isSorted = false
      break
    }
    if !isSorted { places.sort { $0.location < $1.location } }
    let entityPlan = plan.entities[entity]
    for run in places.chunked(by: { RowLocation(rawValue: $0.location).block }) {
      let block = try blocks.block(RowLocation(rawValue: places[run.lowerBound].location).block)
      for place in places[run] {
        let key = ObjectKey(entityNumber: entityPlan.number, ordinal: place.ordinal)
        let location = RowLocation(rawValue: place.location)
        body(try blocks.checkedRow(at: location, key: key, entityPlan, block: block))
      }
    }
  }
}

extension Array {
  /// Ranges of neighbours for which `key` gives the same.
  func chunked(by key: (Element) -> Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    while start < count {
      let first = key(self[start])
      var end = start + 1
      while end < count, key(self[end]) == first { end += 1 }
      ranges.append(start..<end)
      start = end
    }
    return ranges
  }
}
