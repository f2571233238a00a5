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
    public let author: String?

    public init(number: UInt64, timestamp: Double, author: String?) {
      self.number = number
      self.timestamp = timestamp
      self.author = author
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
  /// Files with what writers cut from the log's end: never acknowledged, kept for people, read by nobody.
  public let tornTails: [Segment]
  /// Caches that make opening fast, the newest first.
  public let checkpoints: [Checkpoint]

  /// A checkpoint beside the log.
  public struct Checkpoint: Sendable {
    public let fileName: String
    /// The record that it is as of.
    public let number: UInt64
    /// `nil` for one that can't be read.
    public let sizeBytes: UInt64?
    /// Why it is not opened from; `nil` when it is, as far as one can say without reading it all.
    public let fault: String?

    public init(fileName: String, number: UInt64, sizeBytes: UInt64?, fault: String?) {
      self.fileName = fileName
      self.number = number
      self.sizeBytes = sizeBytes
      self.fault = fault
    }
  }

  /// A file of the store.
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
  /// The record that holds it.
  public let record: InspectedRecord
}

/// Where a record is in the log, and how it is framed.
public struct InspectedRecord: Sendable {
  public struct Block: Sendable {
    public let tag: UInt32
    public let offsetBytes: UInt64
    public let rawBytes: Int
    public let storedBytes: Int
    public let isPacked: Bool

    public init(tag: UInt32, offsetBytes: UInt64, rawBytes: Int, storedBytes: Int, isPacked: Bool) {
      self.tag = tag
      self.offsetBytes = offsetBytes
      self.rawBytes = rawBytes
      self.storedBytes = storedBytes
      self.isPacked = isPacked
    }
  }

  public let kind: UInt8
  /// The segment's file name in the store's directory.
  public let segment: String
  /// Where the record starts in that file.
  public let offsetBytes: UInt64
  /// What it takes there, header and padding included.
  public let storedBytes: UInt64
  public let metaBytes: Int
  public let blocks: [Block]

  public init(
    kind: UInt8, segment: String, offsetBytes: UInt64, storedBytes: UInt64, metaBytes: Int, blocks: [Block]
  ) {
    self.kind = kind
    self.segment = segment
    self.offsetBytes = offsetBytes
    self.storedBytes = storedBytes
    self.metaBytes = metaBytes
    self.blocks = blocks
  }
}

/// What was found at the end of a store's log when it was opened.
public struct InspectedRecovery: Sendable {
  /// The last writer closed the store.
  public let closedCleanly: Bool
  /// Bytes of an unfinished record behind the last whole one; 0 when there are none. Nothing acknowledged is in them.
  public let tornBytes: UInt64
  /// The segment's file name and the place in it where they begin.
  public let tornSegment: String?
  public let tornOffsetBytes: UInt64?
  /// Damage to acknowledged records: what is read ends before it. Its `underlying` is the log's error.
  public let damage: StoreError?

  public init(
    closedCleanly: Bool, tornBytes: UInt64 = 0, tornSegment: String? = nil, tornOffsetBytes: UInt64? = nil,
    damage: StoreError? = nil
  ) {
    self.closedCleanly = closedCleanly
    self.tornBytes = tornBytes
    self.tornSegment = tornSegment
    self.tornOffsetBytes = tornOffsetBytes
    self.damage = damage
  }
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
