public import Schema

/// A committed transaction, as history tells it.
public struct StoreTransaction: Sendable {
  public struct Change: Sendable {
    public let key: ObjectKey
    public let operation: ChangeOperation
    /// For an update: what changed. Indexes of the store's present schema; properties it no longer has are left out.
    public let changedProperties: PropertySet
    /// For an insert or update the row as written, while history keeps values; for a delete the values that the
    /// model says to preserve, when it says so.
    public let row: Row?

    public init(key: ObjectKey, operation: ChangeOperation, changedProperties: PropertySet, row: Row?) {
      self.key = key
      self.operation = operation
      self.changedProperties = changedProperties
      self.row = row
    }
  }

  public let number: UInt64
  /// Seconds since 2001-01-01 UTC.
  public let timestamp: Double
  public let author: String?
  public let contextName: String?
  public let processID: Int32
  public let changes: [Change]

  public init(
    number: UInt64, timestamp: Double, author: String?, contextName: String?, processID: Int32, changes: [Change]
  ) {
    self.number = number
    self.timestamp = timestamp
    self.author = author
    self.contextName = contextName
    self.processID = processID
    self.changes = changes
  }
}
