public import Foundation
public import Schema

/// A row as it was in one state of a store. It never changes, may be kept and read from any thread, and keeps the block
/// of the log that it lies in in memory.
///
/// Values are read in place: asking for one column decodes that column. A name that is no column of the table stops the
/// program.
public struct StoredRow: Sendable {
  let row: Row
  let catalogue: TableCatalogue
  let tableIndex: Int

  /// Its identity: the same for all its states, never given to another row.
  public var key: ObjectKey { row.key }
  /// The number of the transaction that wrote this state; 0 for one that is not committed yet.
  public var version: UInt64 { row.version }
  /// The name of its table.
  public var table: String { catalogue.tables[tableIndex].name }

  /// The value of a column; a reference is the key that it leads to.
  public subscript(column: String) -> Value {
    let slot = slot(column)
    return row.isNull(slot) ? .null : row.value(slot)
  }

  public func string(_ column: String) -> String? {
    let slot = slot(column)
    guard !row.isNull(slot), slot.kind == .string || slot.kind == .url else { return nil }
    return row.string(slot)
  }

  /// A whole number of any width.
  public func integer(_ column: String) -> Int64? {
    if case .int(let number) = self[column] { return number }
    return nil
  }

  public func double(_ column: String) -> Double? {
    switch self[column] {
    case .double(let number): number
    case .float(let number): Double(number)
    case .int(let number): Double(number)
    default: nil
    }
  }

  public func bool(_ column: String) -> Bool? {
    if case .bool(let flag) = self[column] { return flag }
    return nil
  }

  public func date(_ column: String) -> Date? {
    if case .date(let seconds) = self[column] { return Date(timeIntervalSinceReferenceDate: seconds) }
    return nil
  }

  public func data(_ column: String) -> Data? {
    if case .data(let data) = self[column] { return data }
    return nil
  }

  public func uuid(_ column: String) -> UUID? {
    if case .uuid(let uuid) = self[column] { return uuid }
    return nil
  }

  /// Where a reference leads.
  public func key(_ column: String) -> ObjectKey? {
    if case .object(let key) = self[column] { return key }
    return nil
  }

  /// All columns that hold a value, by name.
  public var values: [String: Value] {
    var values: [String: Value] = [:]
    let entity = catalogue.schema.entities[tableIndex]
    for property in entity.layout.storedProperties {
      guard let slot = entity.layout.slots[property], !row.isNull(slot) else { continue }
      values[entity.properties[property].name] = row.value(slot)
    }
    return values
  }

  private func slot(_ column: String) -> RowSlot {
    let entity = catalogue.schema.entities[tableIndex]
    guard let property = entity.propertyIndexByName[column], let slot = entity.layout.slots[property] else {
      ProgrammerError.stop("A row of \(entity.name) was asked for “\(column)”, which is no column with a value.")
    }
    return slot
  }
}
