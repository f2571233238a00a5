public import FileSystem
public import Schema

/// A store, read without its model, without a lock and without writing: what the command line stands on. It may look
/// at a store while another process writes to it, and sees the transactions that were there when it was opened.
public final class StoreInspection: Sendable {
  /// Opens a damaged store too, up to the damage: see `recovery`.
  /// - Throws: `StoreError`: not a store, damaged before the first record, of a newer format, or the file system refused.
  public init(directory: String, in fileSystem: any FileSystem) throws(StoreError) {
    throw StoreError(.unsupported, "Inspecting stores is not built yet.")
  }

  /// The schema that the store was last written with.
  public var schema: Schema { preconditionFailure("no inspection was made") }

  /// What was found at the end of the log.
  public var recovery: InspectedRecovery { preconditionFailure("no inspection was made") }

  /// The name of the entity that object keys hold a number of, also of one that the present schema no longer has.
  public func entityName(ofNumber number: Int) -> String? { preconditionFailure("no inspection was made") }

  /// Costs a pass over the blocks that hold live rows.
  public func info() throws(StoreError) -> StoreInfo {
    throw StoreError(.unsupported, "Inspecting stores is not built yet.")
  }

  /// Calls `body` with each transaction after one with a number, oldest first, until it returns false.
  public func forEachTransaction(
    after number: UInt64 = 0, _ body: (InspectedTransaction) throws -> Bool
  ) throws {
    throw StoreError(.unsupported, "Inspecting stores is not built yet.")
  }

  /// Checks every record's checksum, every row against its layout, and that relationships, unique values and derived
  /// values agree with the rows. Costs a pass over the whole store.
  public func verify() throws(StoreError) -> VerificationReport {
    throw StoreError(.unsupported, "Inspecting stores is not built yet.")
  }
}
