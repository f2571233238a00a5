internal import Foundation
internal import RecordStore
public import Schema
internal import StoreContract

/// Changes in the making, within `RowStore.write`. Reading through it sees them. It belongs to its block, and refuses to
/// be used afterwards.
public final class RowTransaction {
  struct Entry {
    let key: ObjectKey
    let table: Int
    var operation: ChangeOperation
    let expectedVersion: UInt64
    /// Where the row as it is to be starts in the transaction's rows; `nil` while only links changed.
    var offsetBytes: Int?
    var changed = PropertySet()
    /// By property: links to add, and to remove.
    var links: [Int: (added: Set<ObjectKey>, removed: Set<ObjectKey>)] = [:]
    /// A row that was inserted and deleted again is as if it had never been.
    var isVoid = false
  }

  private let store: RowStore
  /// The state that the changes are made on.
  public let snapshot: RowSnapshot
  private let author: String?
  private let rows = RowBuffer(capacityBytes: 16 << 10)
  private var entries: [Entry] = []
  private var places: [ObjectKey: Int] = [:]
  /// By row: entries that refer to it, or did.
  private var referrers: [ObjectKey: [ObjectKey]] = [:]
  private var metadata: [String: String?] = [:]
  private var hasEnded = false

  init(_ store: RowStore, on snapshot: RowSnapshot, author: String?) {
    self.store = store
    self.snapshot = snapshot
    self.author = author
  }

  private var catalogue: TableCatalogue { store.catalogue }

  // Reading.

  /// A row as the transaction has it by now; `nil` if there is none.
  public func row(_ key: ObjectKey) throws -> StoredRow? {
    try checkOpen()
    guard let row = try current(key) else { return nil }
    return StoredRow(row: row, catalogue: catalogue, tableIndex: snapshot.view.entityIndex(of: key))
  }

  private func current(_ key: ObjectKey) throws -> Row? {
    if let place = places[key] {
      if entries[place].operation == .delete || entries[place].isVoid { return nil }
      if let offset = entries[place].offsetBytes { return copy(offset) }
    }
    guard !key.isTemporary else { return nil }
    return try snapshot.view.row(for: key)
  }

  /// A row of the transaction's own, in memory of its own: the transaction's moves when it grows.
  private func copy(_ offsetBytes: Int) -> Row {
    let row = rows.row(at: offsetBytes)
    let copy = RowBuffer(capacityBytes: row.lengthBytes)
    return copy.row(at: copy.append(row.bytes))
  }

  // Writing.

  /// Adds a row. Columns that are not named get their default.
  ///
  /// - Returns: its key, which it keeps for ever.
  /// - Throws: `RowStoreError` with `unknownTable`, `unknownColumn`, `wrongType`, `missingValue`, or `missingRow` for a
  ///   reference to a row that is not there.
  @discardableResult
  public func insert(_ table: String, _ values: KeyValuePairs<String, Value>) throws -> ObjectKey {
    try checkOpen()
    let index = try catalogue.table(table)
    let given = try settle(values, index)
    let key = try store.store.reserveKeys(entity: index, count: 1)
    let columns = catalogue.tables[index].columns
    let offset = try encode(key, index) { property in
      given[property] ?? columns[property].defaultValue
    }
    append(Entry(key: key, table: index, operation: .insert, expectedVersion: 0, offsetBytes: offset))
    return key
  }

  /// What many rows of one table are inserted by: their columns are looked up once.
  ///
  /// - Parameter columns: what values will be given for; the others get their default.
  public func inserter(_ table: String, _ columns: [String]) throws -> RowInserter {
    try checkOpen()
    let index = try catalogue.table(table)
    var positions = [Int](repeating: -1, count: catalogue.tables[index].columns.count)
    for (position, name) in columns.enumerated() {
      let property = try catalogue.property(name, index)
      try checkHoldsValues(name, property, index)
      positions[property] = position
    }
    return RowInserter(transaction: self, table: index, columnCount: columns.count, positions: positions)
  }

  func insert(_ values: [Value], _ inserter: RowInserter) throws -> ObjectKey {
    try checkOpen()
    let columns = catalogue.tables[inserter.table].columns
    var settled = values
    for (property, position) in inserter.positions.enumerated() where position >= 0 {
      settled[position] = try settle(values[position], columns[property], inserter.table)
    }
    let key = try store.store.reserveKeys(entity: inserter.table, count: 1)
    let offset = try encode(key, inserter.table) { property in
      let position = inserter.positions[property]
      return position < 0 ? columns[property].defaultValue : settled[position]
    }
    append(Entry(key: key, table: inserter.table, operation: .insert, expectedVersion: 0, offsetBytes: offset))
    return key
  }

  /// Changes columns of a row; those that are not named stay.
  public func update(_ key: ObjectKey, _ values: KeyValuePairs<String, Value>) throws {
    try checkOpen()
    let old = try existing(key)
    let table = snapshot.view.entityIndex(of: key)
    let given = try settle(values, table)
    let layout = catalogue.schema.entities[table].layout
    let offset = try encode(key, table) { property in
      if let value = given[property] { return value }
      return layout.slots[property].map { old.value($0) } ?? .null
    }
    let place = place(of: key, table, old)
    entries[place].offsetBytes = offset
    for property in given.keys { entries[place].changed.insert(property) }
  }

  /// Deletes a row. What refers to it is emptied, deleted or stands in the way, as the columns say; its links end.
  ///
  /// - Throws: `RowStoreError` with `missingRow`, or with `stillReferenced` and the rows that refer to it; then the
  ///   transaction is as it was before.
  public func delete(_ key: ObjectKey) throws {
    try checkOpen()
    _ = try existing(key)
    let fate = try fate(of: key)
    for (holder, properties) in fate.cleared where !fate.deleted.contains(holder) {
      try clear(holder, properties)
    }
    for key in fate.deleted { try remove(key) }
  }

  /// What a deletion brings about.
  private struct Fate {
    var deleted: Set<ObjectKey> = []
    /// By row: references to be emptied.
    var cleared: [ObjectKey: [Int]] = [:]
    /// References that stand in the way, unless the row that has them goes as well.
    var refusals: [(reference: TableCatalogue.Reference, holders: [ObjectKey])] = []
  }

  /// Looks before anything is changed, so that a deletion that is refused leaves no trace.
  private func fate(of first: ObjectKey) throws -> Fate {
    var fate = Fate(deleted: [first])
    var unseen = [first]
    while let key = unseen.popLast() {
      for reference in catalogue.incoming[snapshot.view.entityIndex(of: key)] {
        let holders = try holders(of: key, reference)
        switch reference.rule {
        case .delete: for holder in holders where fate.deleted.insert(holder).inserted { unseen.append(holder) }
        case .clear where !reference.isRequired:
          for holder in holders { fate.cleared[holder, default: []].append(reference.property) }
        case .clear, .refuse: fate.refusals.append((reference, holders))
        }
      }
    }
    for (reference, holders) in fate.refusals {
      let left = holders.filter { !fate.deleted.contains($0) }
      if !left.isEmpty { throw stillReferenced(first, reference, left) }
    }
    return fate
  }

  private func stillReferenced(
    _ key: ObjectKey, _ reference: TableCatalogue.Reference, _ holders: [ObjectKey]
  ) -> RowStoreError {
    let table = catalogue.tables[reference.table]
    let column = table.columns[reference.property].name
    return RowStoreError(
      .stillReferenced,
      "The row \(key) of \(catalogue.tables[snapshot.view.entityIndex(of: key)].name) cannot be deleted: "
        + "\(table.name).\(column) of \(holders.map(\.description).joined(separator: ", ")) stands in the way.",
      table: table.name, column: column, keys: holders)
  }

  private func clear(_ holder: ObjectKey, _ properties: [Int]) throws {
    let old = try existing(holder)
    let table = snapshot.view.entityIndex(of: holder)
    let layout = catalogue.schema.entities[table].layout
    let offset = try encode(holder, table) { property in
      guard !properties.contains(property), let slot = layout.slots[property] else { return .null }
      return old.value(slot)
    }
    let place = place(of: holder, table, old)
    entries[place].offsetBytes = offset
    for property in properties { entries[place].changed.insert(property) }
  }

  private func remove(_ key: ObjectKey) throws {
    let place = place(of: key, snapshot.view.entityIndex(of: key), try existing(key))
    entries[place].isVoid = entries[place].operation == .insert
    entries[place].operation = .delete
    entries[place].offsetBytes = nil
    entries[place].links = [:]
  }

  /// Adds links from a row to others, by a column of links or by the name of the other end of one. Links that are there
  /// stay.
  public func link(_ key: ObjectKey, _ column: String, to members: [ObjectKey]) throws {
    try change(key, column, members) {
      $0.added.insert($1)
      $0.removed.remove($1)
    }
  }

  /// Ends links from a row to others.
  public func unlink(_ key: ObjectKey, _ column: String, from members: [ObjectKey]) throws {
    try change(key, column, members) {
      $0.removed.insert($1)
      $0.added.remove($1)
    }
  }

  /// Sets (or with `nil` removes) text that belongs to the store itself.
  public func setMetadata(_ name: String, _ value: String?) throws {
    try checkOpen()
    metadata[name] = .some(value)
  }

  // Running.

  func run<T>(_ body: (RowTransaction) throws -> T) throws -> T {
    defer { hasEnded = true }
    return try body(self)
  }

  /// The number of the transaction; `nil` when somebody else has changed the same rows.
  func commit() throws -> UInt64? {
    var changes: [ObjectChange] = []
    changes.reserveCapacity(entries.count)
    for entry in entries where !entry.isVoid {
      var links: [LinkChange] = []
      for (property, change) in entry.links.sorted(by: { $0.key < $1.key }) {
        links.append(
          LinkChange(
            relationship: property, added: change.added.sorted().map { LinkChange.Member(key: $0) },
            removed: change.removed.sorted()))
      }
      var changed = entry.changed
      for link in links { changed.insert(link.relationship) }
      changes.append(
        ObjectChange(
          key: entry.key, operation: entry.operation, expectedVersion: entry.expectedVersion,
          changedProperties: entry.operation == .update ? changed : PropertySet(), rowOffset: entry.offsetBytes,
          links: links))
    }
    let set = ChangeSet(
      author: author, timestamp: Date().timeIntervalSinceReferenceDate, changes: changes, rows: rows,
      metadata: metadata)
    switch try store.store.commit(set) {
    case .committed(let receipt): return receipt.commitNumber
    case .conflicted(let conflicts):
      for case .constraint(let table, let properties, let keys, let stored) in conflicts {
        throw notUnique(table, properties, keys + (stored.map { [$0] } ?? []))
      }
      return nil
    }
  }

  private func notUnique(_ table: Int, _ properties: [Int], _ keys: [ObjectKey]) -> RowStoreError {
    let names = properties.map { catalogue.schema.entities[table].properties[$0].name }
    return RowStoreError(
      .notUnique,
      "Rows \(keys.map(\.description).joined(separator: ", ")) of \(catalogue.tables[table].name) would have the same "
        + "\(names.joined(separator: ", ")).", table: catalogue.tables[table].name, column: names.first, keys: keys)
  }

  // Helpers.

  private func checkOpen() throws {
    if hasEnded {
      throw RowStoreError(.ended, "A transaction was used after its block had ended. Begin another with `write`.")
    }
  }

  private func existing(_ key: ObjectKey) throws -> Row {
    if let row = try current(key) { return row }
    throw RowStoreError(.missingRow, "There is no row \(key), or not any more.", keys: [key])
  }

  private func append(_ entry: Entry) {
    places[entry.key] = entries.count
    entries.append(entry)
  }

  private func place(of key: ObjectKey, _ table: Int, _ old: Row) -> Int {
    if let place = places[key] { return place }
    append(Entry(key: key, table: table, operation: .update, expectedVersion: old.version))
    return entries.count - 1
  }

  /// The given values by property, each as its column keeps it.
  private func settle(_ values: KeyValuePairs<String, Value>, _ table: Int) throws -> [Int: Value] {
    var given: [Int: Value] = [:]
    for (name, value) in values {
      let property = try catalogue.property(name, table)
      try checkHoldsValues(name, property, table)
      given[property] = try settle(value, catalogue.tables[table].columns[property], table)
    }
    return given
  }

  /// A value as its column keeps it.
  private func settle(_ value: Value, _ column: Column, _ table: Int) throws -> Value {
    switch column.kind {
    case .value(let type):
      try ColumnValue.fit(value, type, table: catalogue.tables[table].name, column: column.name)
    case .reference(let target, _, _): try reference(value, target, catalogue.tables[table].name, column.name)
    case .links: value
    }
  }

  private func checkHoldsValues(_ name: String, _ property: Int, _ table: Int) throws {
    let definition = catalogue.tables[table]
    guard property < definition.columns.count else {
      throw RowStoreError(
        .unknownColumn, "\(definition.name).\(name) is the other end of a reference. Set the reference instead.",
        table: definition.name, column: name)
    }
    if case .links = definition.columns[property].kind {
      throw RowStoreError(
        .wrongType, "\(definition.name).\(name) holds links. Use link and unlink.", table: definition.name, column: name
      )
    }
  }

  private func reference(_ value: Value, _ target: String, _ table: String, _ column: String) throws -> Value {
    if value.isNull { return value }
    guard case .object(let key) = value, catalogue.tableIndex(of: key) == (try catalogue.table(target)) else {
      throw RowStoreError(
        .wrongType, "\(table).\(column) refers to rows of \(target); \(value) is none.", table: table, column: column)
    }
    _ = try existing(key)
    return value
  }

  /// Adds a row to the transaction's rows, and returns where it starts.
  private func encode(_ key: ObjectKey, _ table: Int, _ value: (Int) -> Value) throws -> Int {
    let columns = catalogue.tables[table].columns
    let layout = catalogue.schema.entities[table].layout
    let offset = try layout.encode(key: key, version: 0, into: rows, value: value)
    let row = rows.row(at: offset)
    for property in layout.storedProperties {
      guard let slot = layout.slots[property] else { continue }
      if slot.kind == .reference, !row.isNull(slot) {
        referrers[row.reference(slot), default: []].append(key)
      } else if columns[property].isRequired, row.isNull(slot) {
        throw RowStoreError(
          .missingValue, "\(catalogue.tables[table].name).\(columns[property].name) is required and has no value.",
          table: catalogue.tables[table].name, column: columns[property].name, keys: [key])
      }
    }
    return offset
  }

  /// The rows that refer to one by a reference, changes counted in.
  private func holders(of key: ObjectKey, _ reference: TableCatalogue.Reference) throws -> [ObjectKey] {
    guard let slot = catalogue.schema.entities[reference.table].layout.slots[reference.property] else { return [] }
    var candidates: Set<ObjectKey> = []
    try snapshot.view.forEachMember(of: key, relationship: reference.inverse) { member in
      candidates.insert(member)
      return true
    }
    for referrer in referrers[key] ?? [] where catalogue.tableIndex(of: referrer) == reference.table {
      candidates.insert(referrer)
    }
    return try candidates.filter { candidate in
      guard candidate != key, let row = try current(candidate) else { return false }
      return !row.isNull(slot) && row.reference(slot) == key
    }.sorted()
  }

  private func change(
    _ key: ObjectKey, _ column: String, _ members: [ObjectKey],
    _ apply: (inout (added: Set<ObjectKey>, removed: Set<ObjectKey>), ObjectKey) -> Void
  ) throws {
    try checkOpen()
    let old = try existing(key)
    let table = snapshot.view.entityIndex(of: key)
    let property = try catalogue.property(column, table)
    let name = catalogue.tables[table].name
    guard let relationship = catalogue.schema.entities[table].properties[property].relationship,
      relationship.isToMany, let inverse = relationship.inverse
    else {
      throw RowStoreError(.wrongType, "\(name).\(column) does not hold links.", table: name, column: column)
    }
    let storage = RelationshipStorage(schema: catalogue.schema, entity: table, property: property)
    if storage == .inverseOfRow {
      throw RowStoreError(
        .wrongType, "\(name).\(column) is the other end of a reference. Set the reference instead.", table: name,
        column: column)
    }
    for member in members {
      guard catalogue.tableIndex(of: member) == relationship.destination else {
        throw RowStoreError(
          .wrongType, "\(name).\(column) links to rows of \(catalogue.tables[relationship.destination].name).",
          table: name, column: column, keys: [member])
      }
      let other = try existing(member)
      if storage == .inverseOfLinks {
        let place = place(of: member, relationship.destination, other)
        apply(&entries[place].links[inverse, default: ([], [])], key)
      } else {
        let place = place(of: key, table, old)
        apply(&entries[place].links[property, default: ([], [])], member)
      }
    }
  }
}
