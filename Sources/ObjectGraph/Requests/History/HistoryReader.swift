internal import Foundation
internal import Model
internal import Schema
internal import StoreContract

/// Answers history requests from the logs of a coordinator's stores.
///
/// Stores are gone through one after another, in the order they were added; inside a store, transactions ascend by
/// number. Each transaction's token covers all that comes before it in the answer, so that any prefix of it can be
/// consumed and its last token kept.
struct HistoryReader {
  let coordinator: NSPersistentStoreCoordinator
  let request: NSPersistentHistoryChangeRequest

  /// How many transactions are read at a time: bounds the memory that filtering needs.
  private static let batchMax = 512

  func execute() throws -> NSPersistentHistoryResult {
    guard request.verb == .fetch else {
      throw GraphError.make(
        NSPersistentStoreUnsupportedRequestTypeError,
        "deleteHistory(before:) is not available yet: history is kept whole. Leave the request out.")
    }
    let filter = try HistoryFilter(request.fetchRequest)
    if request.resultType == .statusOnly {
      _ = try starts()
      return NSPersistentHistoryResult(NSNumber(value: true), .statusOnly)
    }
    let wantsChanges: Bool = filter.needsChanges || Self.needsChanges(request.resultType)
    var transactions: [NSPersistentHistoryTransaction] = []
    var passed: [String: UInt64] = try starts()
    for store in stores {
      try read(store, passed: &passed, wantsChanges: wantsChanges) { transaction in
        if filter.accepts(transaction) { transactions.append(transaction) }
      }
    }
    return result(filter.window(transactions), filter)
  }

  private static func needsChanges(_ type: NSPersistentHistoryResultType) -> Bool {
    switch type {
    case .statusOnly, .count, .transactionsOnly: false
    case .objectIDs, .changesOnly, .transactionsAndChanges: true
    }
  }

  private func result(
    _ transactions: [NSPersistentHistoryTransaction], _ filter: HistoryFilter
  ) -> NSPersistentHistoryResult {
    var changes: [NSPersistentHistoryChange] = []
    for transaction in transactions {
      for change in transaction.changes ?? [] where filter.accepts(change) { changes.append(change) }
    }
    if filter.isOverChanges { changes = filter.window(changes) }
    let type: NSPersistentHistoryResultType = request.resultType
    switch type {
    case .statusOnly: return NSPersistentHistoryResult(NSNumber(value: true), type)
    case .count:
      return NSPersistentHistoryResult(
        NSNumber(value: filter.isOverChanges ? changes.count : transactions.count), type)
    case .objectIDs:
      var seen: Set<NSManagedObjectID> = []
      let ids: [NSManagedObjectID] = changes.map { $0.changedObjectID }.filter { seen.insert($0).inserted }
      return NSPersistentHistoryResult(ids, type)
    case .changesOnly: return NSPersistentHistoryResult(changes, type)
    case .transactionsOnly, .transactionsAndChanges:
      // A request over the entity of changes asks for changes, whatever else is set.
      return filter.isOverChanges
        ? NSPersistentHistoryResult(changes, .changesOnly) : NSPersistentHistoryResult(transactions, type)
    }
  }

  // MARK: where to start

  private var stores: [NSPersistentStore] {
    let open: [NSPersistentStore] = coordinator.persistentStores
    guard let affected = request.affectedStores else { return open }
    return open.filter { store in affected.contains { $0 === store } }
  }

  /// The number after which each store is read.
  ///
  /// - Throws: `NSPersistentHistoryTokenExpiredError` over a `HistoryTokenError`.
  private func starts() throws -> [String: UInt64] {
    guard !stores.isEmpty else { throw coordinator.noStoreError() }
    let given: [String: UInt64]
    switch request.start {
    case .date, .token(nil), .transaction(nil): given = [:]
    case .token(.some(let token)): given = token.numbers
    case .transaction(.some(let transaction)): given = [transaction.header.storeID: transaction.header.number]
    }
    let open: [String] = stores.map { $0.identifier }
    if !given.isEmpty, !open.contains(where: { given[$0] != nil }) {
      throw Self.tokenError(.otherStore(tokenStores: given.keys.sorted(), openStores: open))
    }
    var starts: [String: UInt64] = [:]
    for store in stores {
      let number: UInt64 = given[store.identifier] ?? 0
      if given[store.identifier] != nil { try check(number, in: store) }
      starts[store.identifier] = number
    }
    return starts
  }

  private func check(_ number: UInt64, in store: NSPersistentStore) throws {
    guard let backend = store.backend else { throw coordinator.removedStoreError(store) }
    let newest: UInt64
    do { newest = try backend.currentView().commitNumber } catch {
      throw GraphError.wrapping(error, during: .history, store: store.storeName)
    }
    let identifier: String = store.identifier
    if number > newest {
      throw Self.tokenError(.fromTheFuture(store: identifier, number: number, newest: newest))
    }
    let oldest: UInt64 = backend.oldestTransactionNumber
    if number + 1 < oldest {
      throw Self.tokenError(
        .expired(store: identifier, number: number, oldest: oldest),
        oldestToken: NSPersistentHistoryToken(numbers: [identifier: oldest - 1]))
    }
  }

  private static func tokenError(
    _ error: HistoryTokenError, oldestToken: NSPersistentHistoryToken? = nil
  ) -> any Error {
    var info: [String: Any] = [:]
    if let oldestToken { info[NSPersistentHistoryTokenKey] = oldestToken }
    return GraphError.make(
      NSPersistentHistoryTokenExpiredError, error.localizedDescription, underlying: error, userInfo: info)
  }

  // MARK: reading

  private func read(
    _ store: NSPersistentStore, passed: inout [String: UInt64], wantsChanges: Bool,
    _ body: (NSPersistentHistoryTransaction) -> Void
  ) throws {
    guard let backend = store.backend else { throw coordinator.removedStoreError(store) }
    let identifier: String = store.identifier
    var earliest = -Double.infinity
    if case .date(let date) = request.start { earliest = date.timeIntervalSinceReferenceDate }
    while true {
      let batch: [StoreTransaction]
      do {
        batch = try backend.transactions(after: passed[identifier] ?? 0, limit: Self.batchMax)
      } catch {
        throw GraphError.wrapping(error, during: .history, store: store.storeName)
      }
      for transaction in batch {
        passed[identifier] = transaction.number
        guard transaction.timestamp > earliest else { continue }
        let header = HistoryHeader(
          number: transaction.number, timestamp: transaction.timestamp, author: transaction.author,
          contextName: transaction.contextName, processID: transaction.processID, storeID: identifier,
          token: NSPersistentHistoryToken(numbers: passed))
        let changes = wantsChanges ? changes(of: transaction, header, store, backend) : nil
        body(NSPersistentHistoryTransaction(header, changes: changes))
      }
      if batch.count < Self.batchMax { return }
    }
  }

  private func changes(
    of transaction: StoreTransaction, _ header: HistoryHeader, _ store: NSPersistentStore, _ backend: any ObjectStore
  ) -> [NSPersistentHistoryChange] {
    var changes: [NSPersistentHistoryChange] = []
    changes.reserveCapacity(transaction.changes.count)
    for (position, change) in transaction.changes.enumerated() {
      // An entity that the model no longer has: its objects have no ids here.
      guard let entityIndex = backend.entityIndex(ofNumber: change.key.entityNumber) else { continue }
      let entity: NSEntityDescription = coordinator.entityDescription(at: entityIndex)
      let id = NSManagedObjectID(key: change.key, info: ModelInfo.entity(of: entity), store: store)
      let schema: EntitySchema = coordinator.schema.entities[entityIndex]
      changes.append(
        NSPersistentHistoryChange(
          header: header, position: position, id: id, type: Self.type(change.operation),
          tombstone: change.operation == .delete ? Self.tombstone(change.row, schema) : nil,
          updatedProperties: change.operation == .update ? Self.properties(change.changedProperties, entity) : nil))
    }
    return changes
  }

  private static func type(_ operation: ChangeOperation) -> NSPersistentHistoryChangeType {
    switch operation {
    case .insert: .insert
    case .update: .update
    case .delete: .delete
    }
  }

  private static func properties(_ set: PropertySet, _ entity: NSEntityDescription) -> Set<NSPropertyDescription> {
    let descriptions: [NSPropertyDescription] = entity.propertyDescriptions
    let changed: [NSPropertyDescription] = set.indexes.filter { $0 < descriptions.count }.map { descriptions[$0] }
    let elements = Set(changed.filter { $0.owner == nil })
    guard !elements.isEmpty else { return Set(changed) }
    // An element changes its composite, which is what the entity has.
    let composites: [NSPropertyDescription] = descriptions.filter { description in
      (description as? NSCompositeAttributeDescription)?.holds(anyOf: elements) == true && description.owner != nil
    }
    return Set(changed.filter { $0.owner != nil } + composites)
  }

  /// The values that the model preserves, boxed as key-value access boxes them.
  private static func tombstone(_ row: Row?, _ entity: EntitySchema) -> [AnyHashable: Any]? {
    guard let row else { return nil }
    var values: [AnyHashable: Any] = [:]
    for (index, property) in entity.properties.enumerated() {
      guard property.attribute?.preservesValueOnDeletion == true, let slot = entity.layout.slots[index] else {
        continue
      }
      if let value = boxed(row.value(slot)) { values[property.name] = value }
    }
    return values.isEmpty ? nil : values
  }

  private static func boxed(_ value: Value) -> Any? {
    switch value {
    case .null, .object: nil
    case .bool(let value): NSNumber(value: value)
    case .int(let value): NSNumber(value: value)
    case .float(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .decimal(let value): NSDecimalNumber(decimal: value)
    case .string(let value): value
    case .date(let value): Date(timeIntervalSinceReferenceDate: value)
    case .data(let value): value
    case .uuid(let value): value
    case .url(let value): URL(string: value) ?? value
    }
  }
}
