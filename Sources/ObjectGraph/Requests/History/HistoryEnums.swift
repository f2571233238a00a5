/// What a history request returns.
public enum NSPersistentHistoryResultType: Int, Sendable {
  /// `true`: only whether it could be done.
  case statusOnly = 0
  /// The ids of the objects changed, each once: `[NSManagedObjectID]`.
  case objectIDs
  /// How many transactions: a number.
  case count
  /// `[NSPersistentHistoryTransaction]` without their changes.
  case transactionsOnly
  /// `[NSPersistentHistoryChange]`.
  case changesOnly
  /// `[NSPersistentHistoryTransaction]` with their changes: the default.
  case transactionsAndChanges
}

/// What happened to an object in a transaction.
public enum NSPersistentHistoryChangeType: Int, Sendable {
  case insert = 0
  case update
  case delete
}
