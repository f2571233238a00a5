public import FileSystem
public import Foundation
internal import RecordStore
internal import Schema
internal import StoreContract
internal import Synchronization

/// Typed rows in tables on a log: the store beneath the object graph, for programs that want no graph.
///
/// Open it with tables, write in transactions, read from snapshots. A transaction is one record of the log: durable as a
/// whole when `write` returns. Every method may be called from any thread.
///
///     let store = try RowStore(
///       directory: "Library.rows",
///       tables: [Table("Book", [.string("title", required: true), .integer("year")], unique: [["title"]])])
///     try store.write { transaction in
///       try transaction.insert("Book", ["title": "The Dispossessed", "year": 1974])
///     }
///     let old = try store.snapshot().rows("Book", where: "year < %@", [1980], orderBy: ["title"])
public final class RowStore: Sendable {
  private struct State {
    var isWriting = false
    var listeners: [UInt64: AsyncStream<UInt64>.Continuation] = [:]
    var nextListener: UInt64 = 0
  }

  /// How a store of rows is opened.
  public struct Options: Sendable {
    /// Takes no lock and writes nothing; sees the transactions that were there at opening.
    public var isReadOnly: Bool
    /// Where the directory is: the disk, or for tests a `MemoryFileSystem` or a simulated disk.
    public var fileSystem: any FileSystem
    /// Bound of the memory for unpacked blocks.
    public var cacheBytesMax: Int

    public init(
      isReadOnly: Bool = false, fileSystem: any FileSystem = DiskFileSystem(), cacheBytesMax: Int = 64 << 20
    ) {
      self.isReadOnly = isReadOnly
      self.fileSystem = fileSystem
      self.cacheBytesMax = cacheBytesMax
    }
  }

  let catalogue: TableCatalogue
  let store: RecordStore
  private let state = Mutex(State())
  /// Held over a transaction: those of one store follow one another, so that none is tried twice for another's sake.
  private let writing = NSRecursiveLock()
  private static let attemptsMax = 16

  /// Opens the store in a directory, making it when there is none (unless read only).
  ///
  /// - Throws: `RowStoreError` for tables that make no sense; `StoreError` with `incompatibleSchema` for a store that
  ///   was made with other tables (each difference is named), `locked`, `damaged`, `notAStore`, `readOnly` and others.
  public init(directory: String, tables: [Table], options: Options = Options()) throws {
    let drafts = try TableDrafts(tables)
    store = try RecordStore.open(
      directory: directory, in: options.fileSystem, schema: drafts.schema,
      options: RecordStoreOptions(isReadOnly: options.isReadOnly, cacheBytesMax: options.cacheBytesMax))
    catalogue = TableCatalogue(drafts, numbers: store.entityNumbers)
  }

  /// The tables that it was opened with.
  public var tables: [Table] { catalogue.tables }
  /// Fixed when the store was made.
  public var identifier: UUID { store.identifier }
  /// Text by name that belongs to the store itself: see `RowTransaction.setMetadata`.
  public var metadata: [String: String] { store.metadata }

  /// A column for reading many rows: `row[column]` and `row.string(column)` look nothing up by name.
  ///
  /// - Throws: `RowStoreError` with `unknownTable` or `unknownColumn`, which a column of links is as well.
  public func column(_ name: String, of table: String) throws -> RowColumn {
    let index = try catalogue.table(table)
    let property = try catalogue.property(name, index)
    guard let slot = catalogue.schema.entities[index].layout.slots[property] else {
      throw RowStoreError(
        .unknownColumn, "\(table).\(name) holds links, and no value in the row.", table: table, column: name)
    }
    return RowColumn(table: index, slot: slot)
  }

  /// The newest committed state.
  public func snapshot() throws -> RowSnapshot {
    RowSnapshot(view: try store.currentView(), catalogue: catalogue, identifier: store.identifier)
  }

  /// Runs a transaction and makes it durable, whole or not at all.
  ///
  /// - Parameters:
  ///   - author: kept in the log, for people and `transactions(after:)`.
  ///   - body: makes the changes. If it throws, nothing is changed. When another process has changed the same rows
  ///     meanwhile, it is run again on the newest state, so it should do nothing but change rows.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws; `RowStoreError`, among them `notUnique` with the rows concerned; `StoreError`.
  @discardableResult
  public func write<T>(author: String? = nil, _ body: (RowTransaction) throws -> T) throws -> T {
    writing.lock()
    defer { writing.unlock() }
    let isNested = state.withLock { state in
      defer { state.isWriting = true }
      return state.isWriting
    }
    guard !isNested else {
      throw RowStoreError(
        .nested, "A transaction was begun within another one of the same store. Use the outer one's methods.")
    }
    defer { state.withLock { $0.isWriting = false } }
    for _ in 0..<Self.attemptsMax {
      let transaction = RowTransaction(self, on: try snapshot(), author: author)
      let result = try transaction.run(body)
      if let number = try transaction.commit() {
        announce(number)
        return result
      }
    }
    throw RowStoreError(
      .conflict, "Others changed the same rows each of the \(Self.attemptsMax) times that the transaction was tried.")
  }

  /// Transactions behind one with a number, oldest first, with each row as it was written.
  ///
  /// - Parameter number: 0 for all that are kept.
  public func transactions(after number: UInt64, limit: Int = .max) throws -> [CommittedTransaction] {
    try store.transactions(after: number, limit: limit).map { CommittedTransaction($0, catalogue) }
  }

  /// The numbers of transactions as they are committed through this store; one who is slow hears of the newest only.
  /// Ends when the store is closed.
  public func commits() -> AsyncStream<UInt64> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let listener = state.withLock { state in
        state.nextListener += 1
        state.listeners[state.nextListener] = continuation
        return state.nextListener
      }
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { _ = $0.listeners.removeValue(forKey: listener) }
      }
    }
  }

  private func announce(_ number: UInt64) {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(number) }
  }

  /// Releases the lock and the files. Snapshots stay readable. Closing again is fine.
  public func close() throws {
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
    try store.close()
  }
}
