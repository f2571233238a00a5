public import FileSystem
public import Schema
public import StoreContract

/// How a store is opened.
public struct RecordStoreOptions: Sendable {
  /// Takes no lock and writes nothing; sees the transactions that were there at opening.
  public var isReadOnly: Bool
  /// A log segment is sealed when it reaches this.
  public var segmentBytesMax: UInt64
  /// Bound of the cache of unpacked blocks.
  public var cacheBytesMax: Int

  public init(isReadOnly: Bool = false, segmentBytesMax: UInt64 = 64 << 20, cacheBytesMax: Int = 64 << 20) {
    self.isReadOnly = isReadOnly
    self.segmentBytesMax = segmentBytesMax
    self.cacheBytesMax = cacheBytesMax
  }
}

/// Entity rows on a log: the store behind the object graph.
public final class RecordStore: Sendable {
  /// Opens the store in a directory, making it when there is none (unless read only).
  ///
  /// - Parameters:
  ///   - schema: what the rows are read and written by; `nil` takes the one that the store was written with.
  /// - Throws: `StoreError` with `locked` (and the process), `incompatibleSchema` (and each difference), `damaged` (and
  ///   where), `notAStore`, `newerFormat`, `readOnly`, `noSpace` or `inputOutput`.
  public static func open(
    directory: String, in fileSystem: any FileSystem, schema: Schema?,
    options: RecordStoreOptions = RecordStoreOptions()
  ) throws(StoreError) -> any ObjectStore {
    throw StoreError(.unsupported, "Opening stores is not built yet.")
  }
}
