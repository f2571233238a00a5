public import Foundation
public import LogStore
public import Schema

/// What salvage took over from a damaged store, and what it could not.
public struct SalvageReport: Sendable {
  /// One entity's part.
  public struct Entity: Sendable {
    public let name: String
    /// Objects in the new store.
    public var keptCount = 0
    /// Objects that are known to have been there and are not in the new store: see `lost`.
    public var lostCount = 0
    /// Ordinals that no readable record gave an object: objects of lost transactions, or keys that were never used.
    /// 0 where no transaction is lost.
    public var unseenCount = 0
    /// To-one relationships of kept objects that led to objects that are gone, now empty.
    public var clearedReferenceCount = 0
    /// Members of to-many relationships in the new store, and those left out because an end is gone.
    public var linkCount = 0
    public var lostLinkCount = 0
  }

  /// An object that is not in the new store.
  public struct LostObject: Sendable {
    public enum Reason: String, Sendable {
      /// Others refer or link to it, or its links changed, and no row of it is readable.
      case unreadable
      /// It has the unique values of an object that was written later: it was deleted or changed in what is lost.
      case superseded
    }
    public let entity: String
    public let key: ObjectKey
    public let reason: Reason
  }

  /// A record that is not whole.
  public struct PartialTransaction: Sendable {
    public let number: UInt64
    /// Rows taken from its blocks; its deletions and links are lost.
    public let rowCount: Int
  }

  /// The new store's identity: saved URIs and tokens of the old one are not for it.
  public internal(set) var identifier: UUID
  /// In the order of the schema, without abstract ones.
  public internal(set) var entities: [Entity] = []
  public internal(set) var lost: [LostObject] = []
  /// Numbers of records of which nothing is left.
  public internal(set) var lostRecords: [ClosedRange<UInt64>] = []
  public internal(set) var partial: [PartialTransaction] = []
  /// Whole transactions that were read.
  public internal(set) var transactionCount = 0
  /// Of the last record that was read.
  public internal(set) var lastNumber: UInt64 = 0
  /// What is wrong with the old store's bytes.
  public internal(set) var badPlaces: [VerifyReport.BadPlace] = []
  /// Bytes of an unfinished record at the end, of a commit that was never acknowledged: left out, and no loss.
  public internal(set) var tornBytes: UInt64 = 0

  /// Whether anything that had been saved may be missing, or older than it was, in the new store.
  public var hasLosses: Bool {
    !badPlaces.isEmpty || !lost.isEmpty || !lostRecords.isEmpty || !partial.isEmpty
      || entities.contains { $0.clearedReferenceCount + $0.lostLinkCount > 0 }
  }
}
