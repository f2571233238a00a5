import LogStore
import Schema
import StoreContract

/// Builds the last state of a store that can be told from what is whole in its log.
final class SalvageReader: LogSalvage.Visitor {
  private(set) var loader = StoreLoader()
  /// The first schema that could be read, wherever it was.
  private(set) var firstSchema: StoredSchema?
  /// Whether transactions were passed over since no schema came before them.
  private(set) var lacksSchema = false
  private(set) var lostRecords: [ClosedRange<UInt64>] = []
  private(set) var partial: [SalvageReport.PartialTransaction] = []
  private(set) var lastNumber: UInt64 = 0
  /// A schema of a format that this version does not know: nothing can be told then.
  private(set) var newerFormat: StoreError?
  private var damaged: [LogSalvage.DamagedRecord] = []

  /// - Parameter schema: what to read transactions by that come before the first schema record.
  init(startingWith schema: StoredSchema? = nil) {
    loader.deleted = []
    if let schema { loader.use(schema) }
  }

  func visit(_ record: borrowing RecordReader) {
    settle(before: record.number)
    if record.kind == RecordKind.transaction, loader.stored == nil {
      lacksSchema = true
      return
    }
    do throws(StoreError) {
      try loader.visit(record)
      if firstSchema == nil { firstSchema = loader.stored }
    } catch {
      if error.code == .newerFormat { newerFormat = error }
      partial.append(SalvageReport.PartialTransaction(number: record.number, rowCount: 0))
    }
  }

  func visit(_ record: LogSalvage.DamagedRecord) { damaged.append(record) }

  /// Takes over what damaged records have. Whether their numbers are right is only known with the next whole record.
  private func settle(before number: UInt64) {
    let seen = damaged
    damaged = []
    guard number > lastNumber + 1 else {
      lastNumber = max(lastNumber, number)
      return
    }
    var next = lastNumber + 1
    for record in seen where record.number >= next && record.number < number {
      if record.number > next { lostRecords.append(next...record.number - 1) }
      adopt(record)
      next = record.number + 1
    }
    if next < number { lostRecords.append(next...number - 1) }
    lastNumber = number
  }

  /// The end of the log: what was damaged there had no whole record behind it.
  func finish() {
    guard let last = damaged.map(\.number).max(), last > lastNumber else { return }
    settle(before: last + 1)
    lastNumber = last
  }

  private func adopt(_ record: LogSalvage.DamagedRecord) {
    var count = 0
    if record.kind == RecordKind.transaction, let plan = loader.plan {
      for (info, block) in record.blocks {
        guard let entity = plan.entityIndex(ofNumber: Int(info.tag)) else { continue }
        let number = loader.adopt(info)
        for row in Self.rows(of: block, plan.entities[entity]) where isNews(row.row, record.number, plan, entity) {
          let isNew = loader.root?.location(of: row.row.key, plan) == RowLocation.none
          loader.adopt(row.row.key, in: number, at: row.offsetBytes, isNew: isNew)
          count += 1
        }
      }
    }
    partial.append(SalvageReport.PartialTransaction(number: record.number, rowCount: count))
  }

  /// Whether a row is one that an insertion, an update or a derivation wrote. A deletion may leave a row too, of
  /// nothing but the values that the model wants kept.
  private func isNews(_ row: Row, _ number: UInt64, _ plan: StorePlan, _ entity: Int) -> Bool {
    guard row.version <= number else { return false }
    let entityPlan = plan.entities[entity]
    if entityPlan.preserved.isEmpty { return true }
    return entityPlan.layout.storedProperties.contains { property in
      guard !entityPlan.preserved.contains(property), let slot = entityPlan.layout.slots[property] else { return false }
      return !row.isNull(slot)
    }
  }

  /// The rows of a block, one after another, as far as they are rows of the entity.
  static func rows(of block: Block, _ entity: EntityPlan) -> [(row: Row, offsetBytes: Int)] {
    var rows: [(row: Row, offsetBytes: Int)] = []
    var offset = 0
    while offset < block.count, block.fault(at: offset, entity.layout) == nil {
      let row = block.row(at: offset)
      guard row.key.entityNumber == entity.number, !row.key.isTemporary else { break }
      rows.append((row, offset))
      offset += row.lengthBytes
    }
    return rows
  }
}
