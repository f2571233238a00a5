internal import Schema

/// A column of a store's table, looked up once, for reading many rows: see `RowStore.column`.
public struct RowColumn: Sendable {
  let table: Int
  let slot: RowSlot
}
