public import Schema

/// What became of a change set.
public enum CommitOutcome: Sendable {
  case committed(CommitReceipt)
  /// Nothing was written; all conflicts at once.
  case conflicted([StoreConflict])
}

public struct CommitReceipt: Sendable {
  /// The transaction's number: the version of every row it wrote. The same as before when there was nothing to write.
  public let commitNumber: UInt64
  /// The state after the commit: where a context takes its new snapshots from, derived values included.
  public let view: any StoreView

  public init(commitNumber: UInt64, view: any StoreView) {
    self.commitNumber = commitNumber
    self.view = view
  }
}

public enum StoreConflict: Sendable {
  /// The stored row is not at the version the change was made on.
  case version(key: ObjectKey, expectedVersion: UInt64, storedRow: Row?)
  /// Objects that would share the values of a uniqueness constraint: `stored` is the holder in the store, if any.
  case constraint(entity: Int, properties: [Int], keys: [ObjectKey], stored: ObjectKey?)
}
