public import Foundation
public import Schema
public import StoreContract

/// What a store is and holds, at a glance.
public struct StoreInfo: Sendable {
  public struct Entity: Sendable {
    public let name: String
    /// The store's number for it, as in object keys.
    public let number: Int
    /// Objects there are now.
    public let liveCount: Int
    /// Objects that were ever inserted.
    public let insertedCount: Int

    public init(name: String, number: Int, liveCount: Int, insertedCount: Int) {
      self.name = name
      self.number = number
      self.liveCount = liveCount
      self.insertedCount = insertedCount
    }
  }

  public struct Transaction: Sendable {
    public let number: UInt64
    /// Seconds since 2001-01-01 UTC.
    public let timestamp: Double

    public init(number: UInt64, timestamp: Double) {
      self.number = number
      self.timestamp = timestamp
    }
  }

  public let formatVersion: String
  public let identifier: UUID
  public let schema: Schema
  public let entities: [Entity]
  public let transactionCount: Int
  public let firstTransaction: Transaction?
  public let lastTransaction: Transaction?
  /// Names of the store's own values, and the values.
  public let metadata: [String: String]
  /// Row bytes, unpacked, that the present state refers to.
  public let liveRowBytes: UInt64
  /// Row bytes, unpacked, that only history refers to.
  public let historyRowBytes: UInt64
  public let segments: [Segment]

  public struct Segment: Sendable {
    public let fileName: String
    public let sizeBytes: UInt64

    public init(fileName: String, sizeBytes: UInt64) {
      self.fileName = fileName
      self.sizeBytes = sizeBytes
    }
  }
}

/// A transaction with names instead of indexes: what `annals log` prints.
public struct InspectedTransaction: Sendable {
  public let number: UInt64
  /// Seconds since 2001-01-01 UTC.
  public let timestamp: Double
  public let author: String?
  public let contextName: String?
  public let processID: Int32
  public let changes: [InspectedChange]
  /// The store's own values that it set, or with nil removed; sorted by name.
  public let metadata: [(name: String, value: String?)]
}

/// One object's part in a transaction.
public struct InspectedChange: Sendable {
  /// What a transaction did to a row.
  public enum Operation: String, Sendable {
    case insert, update, delete
    /// The store wrote the row again because a value derived from other objects changed.
    case derive
  }

  public struct Links: Sendable {
    public let relationship: String
    public let added: [LinkChange.Member]
    public let removed: [ObjectKey]
  }

  public let entity: String
  public let key: ObjectKey
  public let operation: Operation
  /// For an update: names of what changed, in the order of the schema.
  public let changedProperties: [String]
  /// Stored properties by name, in the order of the schema; for a deletion only those that the model preserves.
  /// `nil` where no row was written.
  public let values: [(name: String, value: Value)]?
  public let links: [Links]
}

/// What verification found.
public struct VerificationReport: Sendable {
  public struct Finding: Sendable {
    public enum Severity: String, Sendable {
      /// Bytes or indexes contradict each other.
      case damage
      /// The data breaks a rule of the model, though every byte is as written.
      case warning
    }

    public let severity: Severity
    public let message: String
    public let path: String?
    public let offsetBytes: UInt64?

    public init(_ severity: Severity, _ message: String, path: String? = nil, offsetBytes: UInt64? = nil) {
      self.severity = severity
      self.message = message
      self.path = path
      self.offsetBytes = offsetBytes
    }
  }

  public internal(set) var recordsChecked = 0
  public internal(set) var transactionsChecked = 0
  public internal(set) var rowsChecked = 0
  public internal(set) var findings: [Finding] = []

  /// Whether nothing is damaged; warnings do not count.
  public var isSound: Bool { !findings.contains { $0.severity == .damage } }
}
