import LogStore
public import Schema
public import StoreContract

/// Thrown by a visitor that has seen enough.
struct StopVisiting: Error {}

extension LogStore {
  /// Visits records behind a number until `visit` returns false.
  func visit(
    after number: UInt64, _ visit: (borrowing RecordReader) throws -> Bool
  ) throws(StoreError) {
    do throws(LogError) {
      try visitRecords(after: number) { record in
        guard try visit(record) else { throw StopVisiting() }
      }
    } catch {
      if error.code == .stoppedByVisitor, error.cause is StopVisiting { return }
      throw StoreError(error)
    }
  }
}

extension RecordStore {
  public func transactions(after number: UInt64, limit: Int) throws(StoreError) -> [StoreTransaction] {
    guard limit > 0, number < latest.commitNumber else { return [] }
    var found: [StoreTransaction] = []
    try core.log.visit(after: number) { record in
      if record.kind == RecordKind.transaction { found.append(try core.transaction(record)) }
      return found.count < limit
    }
    return found
  }
}

extension StoreCore {
  /// A transaction as history tells it: rows as they were written, without those that were only derived anew.
  func transaction(_ record: borrowing RecordReader) throws -> StoreTransaction {
    var changes: [StoreTransaction.Change] = []
    let header = try forEachChange(of: record) { change, row in
      guard let operation = change.operation.change else { return }
      changes.append(
        StoreTransaction.Change(
          key: change.key, operation: operation, changedProperties: change.changedProperties, row: row))
    }
    return StoreTransaction(
      number: header.number, timestamp: header.timestamp, author: header.author, contextName: header.contextName,
      processID: header.processID, changes: changes)
  }

  /// Reads a transaction record: calls `body` with each change and its row, which has been checked.
  @discardableResult
  func forEachChange(
    of record: borrowing RecordReader, _ body: (TransactionRecord.Change, Row?) -> Void
  ) throws -> TransactionRecord.Header {
    let number = record.number
    var reader: TransactionReader
    var changes: [TransactionRecord.Change] = []
    do throws(RecordFault) {
      reader = try TransactionReader(record.meta, number: number, blockCount: record.blocks.count)
      try reader.forEachChange { change throws(RecordFault) in changes.append(change) }
    } catch {
      throw StoreError(
        error.isNewerFormat ? .newerFormat : .damaged, "Transaction \(number) cannot be read: \(error.message).")
    }
    var block: (index: Int, block: Block)?
    for change in changes {
      guard let place = change.row else {
        body(change, nil)
        continue
      }
      if block?.index != place.block { block = (place.block, try record.block(place.block)) }
      guard let entity = plan.entityIndex(of: change.key), let block = block?.block else {
        throw StoreError(
          .damaged, "Transaction \(number) changes an object of unknown entity \(change.key.entityNumber).")
      }
      let location = RowLocation(block: place.block, offsetBytes: place.offsetBytes)
      let row = try blocks.checkedRow(at: location, key: change.key, plan.entities[entity], block: block)
      body(change, row)
    }
    return reader.header
  }
}
