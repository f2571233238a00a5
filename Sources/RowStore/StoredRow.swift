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
  public subscript(column: String) -> Value { value(slot(column)) }
  /// The value of a column that was looked up before.
  public subscript(column: RowColumn) -> Value { value(slot(column)) }

  /// Text, or the text of a URL.
  public func string(_ column: String) -> String? { string(at: slot(column)) }
  /// Text, or the text of a URL.
  public func string(_ column: RowColumn) -> String? { string(at: slot(column)) }

  /// A whole number of any width.
  public func integer(_ column: String) -> Int64? { integer(at: slot(column)) }
  /// A whole number of any width.
  public func integer(_ column: RowColumn) -> Int64? { integer(at: slot(column)) }

  /// A number of any kind that a `Double` holds exactly, or nearly.
  public func double(_ column: String) -> Double? { double(at: slot(column)) }
  /// A number of any kind that a `Double` holds exactly, or nearly.
  public func double(_ column: RowColumn) -> Double? { double(at: slot(column)) }

  public func bool(_ column: String) -> Bool? { bool(at: slot(column)) }
  public func bool(_ column: RowColumn) -> Bool? { bool(at: slot(column)) }

  public func date(_ column: String) -> Date? { date(at: slot(column)) }
  public func date(_ column: RowColumn) -> Date? { date(at: slot(column)) }

  public func data(_ column: String) -> Data? { data(at: slot(column)) }
  public func data(_ column: RowColumn) -> Data? { data(at: slot(column)) }

  public func uuid(_ column: String) -> UUID? { uuid(at: slot(column)) }
  public func uuid(_ column: RowColumn) -> UUID? { uuid(at: slot(column)) }

  /// Where a reference leads.
  public func key(_ column: String) -> ObjectKey? { key(at: slot(column)) }
  /// Where a reference leads.
  public func key(_ column: RowColumn) -> ObjectKey? { key(at: slot(column)) }

  /// Calls `body` with the bytes of a text, URL or data column, where they lie; `nil` where there is no value. They are
  /// valid only within it.
  public func withBytes<T>(_ column: RowColumn, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T? {
    let slot = slot(column)
    guard slot.kind.isVariable, !row.isNull(slot) else { return nil }
    return try body(row.variableBytes(slot))
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

  private func value(_ slot: RowSlot) -> Value { row.isNull(slot) ? .null : row.value(slot) }

  private func string(at slot: RowSlot) -> String? {
    guard slot.kind == .string || slot.kind == .url, !row.isNull(slot) else { return nil }
    return row.string(slot)
  }

  private func integer(at slot: RowSlot) -> Int64? {
    if row.isNull(slot) { return nil }
    return switch slot.kind {
    case .int64: row.int64(slot)
    case .int32: Int64(row.int32(slot))
    case .int16: Int64(row.int16(slot))
    default: nil
    }
  }

  private func double(at slot: RowSlot) -> Double? {
    if row.isNull(slot) { return nil }
    return switch slot.kind {
    case .double: row.double(slot)
    case .float: Double(row.float(slot))
    default: integer(at: slot).map { Double($0) }
    }
  }

  private func bool(at slot: RowSlot) -> Bool? {
    slot.kind == .bool && !row.isNull(slot) ? row.bool(slot) : nil
  }

  private func date(at slot: RowSlot) -> Date? {
    slot.kind == .date && !row.isNull(slot) ? Date(timeIntervalSinceReferenceDate: row.double(slot)) : nil
  }

  private func data(at slot: RowSlot) -> Data? {
    slot.kind == .data && !row.isNull(slot) ? row.data(slot) : nil
  }

  private func uuid(at slot: RowSlot) -> UUID? {
    slot.kind == .uuid && !row.isNull(slot) ? row.uuid(slot) : nil
  }

  private func key(at slot: RowSlot) -> ObjectKey? {
    slot.kind == .reference && !row.isNull(slot) ? row.reference(slot) : nil
  }

  private func slot(_ column: RowColumn) -> RowSlot {
    if column.table != tableIndex { stopOverTable(column) }
    return column.slot
  }

  private func stopOverTable(_ column: RowColumn) -> Never {
    ProgrammerError.stop("A row of \(table) was asked for a column of \(catalogue.tables[column.table].name).")
  }

  private func slot(_ column: String) -> RowSlot {
    let entity = catalogue.schema.entities[tableIndex]
    guard let property = entity.propertyIndexByName[column], let slot = entity.layout.slots[property] else {
      ProgrammerError.stop("A row of \(entity.name) was asked for “\(column)”, which is no column with a value.")
    }
    return slot
  }
}
