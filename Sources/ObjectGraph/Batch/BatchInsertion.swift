internal import Foundation
internal import Schema
internal import StoreContract

/// One batch insert on its way into a store.
struct BatchInsertion {
  /// A row to be inserted, or to be laid over a stored one.
  private struct NewRow {
    let key: ObjectKey
    /// What it names, by property.
    var values: [Int: Value]
    /// The stored object that it updates instead of being inserted.
    var target: Row?
    var isDropped = false
  }

  private let request: NSBatchInsertRequest
  private let common: BatchCommit
  private let info: EntityInfo
  private let place: StorePlaceInContext

  init(
    _ request: NSBatchInsertRequest, _ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    self.request = request
    common = BatchCommit(context: context, coordinator: coordinator)
    info = try common.entity(request.entity, request.entityName)
    guard !info.entity.isAbstract else {
      throw BatchCommit.error("inserts '\(info.entity.name)', which is abstract: use one of its sub-entities.")
    }
    let wanted: NSPersistentStore? = request.affectedStores?.first
    let store: NSPersistentStore = try wanted ?? coordinator.store(forInsertionOf: info.index)
    guard let place = context.place(for: store) else { throw coordinator.removedStoreError(store) }
    self.place = place
  }

  func execute() throws -> BatchOutcome {
    var rows: [NewRow] = try keyed(try collect())
    for _ in 0..<BatchCommit.roundsMax {
      let conflicts: [StoreConflict]? = try common.commit([(place.store, try changes(rows))])
      guard let conflicts else { return outcome(rows) }
      try settle(conflicts, &rows)
    }
    throw BatchCommit.busy("The batch insert of \(info.entity.name)")
  }

  // MARK: what to insert

  private func collect() throws -> [[Int: Value]] {
    if let dictionaries = request.objectsToInsert { return try dictionaries.map { try values($0) } }
    var rows: [[Int: Value]] = []
    if let handler = request.dictionaryHandler {
      while true {
        let dictionary = NSMutableDictionary()
        if handler(dictionary) { return rows }
        var named: [String: Any] = [:]
        for (key, value) in dictionary { named[key as? String ?? "\(key)"] = value }
        rows.append(try values(named))
      }
    }
    guard let handler = request.managedObjectHandler else {
      throw BatchCommit.error("inserts \(info.entity.name) and has neither objects nor a handler that gives them.")
    }
    while true {
      let object: NSManagedObject = info.objectClass.init(entity: info.description, insertInto: nil)
      if handler(object) { return rows }
      rows.append(try values(of: object))
    }
  }

  private func values(_ dictionary: [String: Any]) throws -> [Int: Value] {
    var values: [Int: Value] = [:]
    for (name, value) in dictionary {
      guard let property = info.property(named: name) else {
        throw BatchCommit.error("inserts \(info.entity.name) with the key '\(name)', which the entity does not have.")
      }
      try refuseUnwritable(property)
      values[property] = try BatchCommit.value(value, for: property, of: info)
    }
    return values
  }

  private func values(of object: NSManagedObject) throws -> [Int: Value] {
    var values: [Int: Value] = [:]
    guard let state = object.state else { return values }
    for property in info.entity.properties.indices where state.touched.contains(property) {
      if info.transients.contains(property) { continue }
      try refuseUnwritable(property)
      values[property] = object.currentValue(property)
    }
    return values
  }

  private func refuseUnwritable(_ property: Int) throws {
    let schema: PropertySchema = info.entity.properties[property]
    guard schema.attribute != nil else {
      throw BatchCommit.error(
        "sets the relationship \(info.entity.name).\(schema.name), which batch inserts can't set.")
    }
    guard info.hasSlot[property] else {
      throw BatchCommit.error("sets \(info.entity.name).\(schema.name), which is not stored.")
    }
  }

  private func keyed(_ values: [[Int: Value]]) throws -> [NewRow] {
    guard !values.isEmpty else { return [] }
    guard let backend = place.store.backend else { throw common.coordinator.removedStoreError(place.store) }
    do {
      let first: ObjectKey = try backend.reserveKeys(entity: info.index, count: values.count)
      return values.enumerated().map { index, values in
        NewRow(key: ObjectKey(rawValue: first.rawValue + UInt64(index)), values: values)
      }
    } catch {
      throw GraphError.wrapping(error, during: .save, store: place.store.storeName)
    }
  }

  // MARK: writing

  private func changes(_ rows: [NewRow]) throws -> ChangeSet {
    var changes: ChangeSet = common.changeSet()
    changes.changes.reserveCapacity(rows.count)
    for row in rows where !row.isDropped {
      do {
        changes.changes.append(
          try row.target.map { try update($0, row.values, changes.rows) } ?? insert(row, changes.rows))
      } catch let error as StoreError {
        throw GraphError.wrapping(error, during: .save, store: place.store.storeName)
      }
    }
    return changes
  }

  private func insert(_ row: NewRow, _ rows: RowBuffer) throws -> ObjectChange {
    let start: Int = try info.entity.layout.encode(key: row.key, version: 0, into: rows) { property in
      row.values[property] ?? info.defaults[property] ?? .null
    }
    return ObjectChange(key: row.key, operation: .insert, expectedVersion: 0, rowOffset: start)
  }

  /// What the row names, laid over a stored object; all else stays.
  private func update(_ stored: Row, _ values: [Int: Value], _ rows: RowBuffer) throws -> ObjectChange {
    let target: EntityInfo = place.info(of: stored.key) ?? info
    let start: Int = try target.entity.layout.encode(key: stored.key, version: stored.version, into: rows) { property in
      values[property] ?? (target.hasSlot[property] ? stored.value(target.slots[property]) : .null)
    }
    var changed = PropertySet()
    for property in values.keys { changed.insert(property) }
    return ObjectChange(
      key: stored.key, operation: .update, expectedVersion: stored.version, changedProperties: changed,
      rowOffset: start)
  }

  private func outcome(_ rows: [NewRow]) -> BatchOutcome {
    var outcome = BatchOutcome()
    for row in rows where !row.isDropped {
      if let id = common.id(row.target?.key ?? row.key, in: place) { outcome.ids.append(id) }
    }
    return outcome
  }

  // MARK: constraints

  /// Does what the merge policy says about rows that are not unique.
  private func settle(_ conflicts: [StoreConflict], _ rows: inout [NewRow]) throws {
    let policy: NSMergePolicyType = (common.context.mergePolicy as? NSMergePolicy)?.mergeType ?? .errorMergePolicyType
    if policy == .errorMergePolicyType { try common.refuse(conflicts, "The batch insert of \(info.entity.name)") }
    let isRowWinning: Bool = policy == .mergeByPropertyObjectTrumpMergePolicyType || policy == .overwriteMergePolicyType
    guard let backend = place.store.backend else { throw common.coordinator.removedStoreError(place.store) }
    let view: any StoreView
    do { view = try backend.currentView() } catch {
      throw GraphError.wrapping(error, during: .save, store: place.store.storeName)
    }
    var placeOfKey: [ObjectKey: Int] = [:]
    for (index, row) in rows.enumerated() { placeOfKey[row.target?.key ?? row.key] = index }
    for conflict in conflicts {
      switch conflict {
      case .version(let key, _, let storedRow):
        // Another save came between reading the stored object and writing it.
        if let index = placeOfKey[key] { rows[index].target = storedRow }
      case .constraint(_, _, let keys, let stored):
        let indexes: [Int] = keys.compactMap { placeOfKey[$0] }.filter { !rows[$0].isDropped }.sorted()
        settle(indexes, stored, try stored.flatMap { try view.row(for: $0) }, isRowWinning, &rows)
      }
    }
  }

  private func settle(
    _ indexes: [Int], _ stored: ObjectKey?, _ row: Row?, _ isRowWinning: Bool, _ rows: inout [NewRow]
  ) {
    guard let first = indexes.first else { return }
    if stored != nil, !isRowWinning {
      for index in indexes { rows[index].isDropped = true }
      return
    }
    // Of several rows with the same values one stays: the first, with what the later ones name laid over it if rows win.
    for index in indexes.dropFirst() {
      if isRowWinning { rows[first].values.merge(rows[index].values) { _, later in later } }
      rows[index].isDropped = true
    }
    if let row { rows[first].target = row }
  }
}
