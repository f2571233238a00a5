/// Identity of an object inside its store: the store's number for the entity, and an ordinal within that entity.
///
/// Packed into 64 bits so that identity tables, indexes and rows hold it by value. A *temporary* key belongs to an
/// object that no store holds yet; its ordinal is unique in the process and its entity number is the schema index of
/// the entity, not a store's number.
public struct ObjectKey: Hashable, Sendable, Comparable {
  public let rawValue: UInt64

  public static let ordinalMax: UInt64 = 1 << 48 - 1
  public static let entityNumberMax = 1 << 15 - 1
  private static let temporaryBit: UInt64 = 1 << 63

  @inlinable
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  public init(entityNumber: Int, ordinal: UInt64, isTemporary: Bool = false) {
    precondition(entityNumber >= 0 && entityNumber <= Self.entityNumberMax, "entity number out of range")
    precondition(ordinal <= Self.ordinalMax, "ordinal out of range")
    rawValue = (isTemporary ? Self.temporaryBit : 0) | UInt64(entityNumber) << 48 | ordinal
  }

  @inlinable public var entityNumber: Int { Int(rawValue >> 48 & 0x7FFF) }
  @inlinable public var ordinal: UInt64 { rawValue & 0xFFFF_FFFF_FFFF }
  @inlinable public var isTemporary: Bool { rawValue >> 63 != 0 }

  @inlinable
  public static func < (a: ObjectKey, b: ObjectKey) -> Bool { a.rawValue < b.rawValue }
}

extension ObjectKey: CustomStringConvertible {
  public var description: String { "\(isTemporary ? "t" : "")\(entityNumber)/\(ordinal)" }
}
