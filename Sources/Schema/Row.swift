public import Foundation

/// A stored object's values, read in place: nothing is decoded until asked for.
///
/// A row keeps alive the bytes it points into (a mapped segment, a decoded block, a buffer of its own) and never
/// changes, so it may be read from any thread.
///
/// Readers trust the layout: whoever makes a `Row` from bytes that came from outside runs `RowLayout.check` over them
/// once (the store does, when a record is replayed or a block unpacked and its checksum compared).
public struct Row: @unchecked Sendable {
  // unsafe: an object's property read is a load at an offset; through an array it would cost a bounds check, a
  // retain and a copy for each value (peers/hot-path: 33 ns a row against 100).
  public let base: UnsafeRawPointer
  public let owner: AnyObject

  /// - Parameters:
  ///   - base: the first byte of the row, aligned to 8 bytes, valid as long as `owner` lives and never written again.
  ///   - owner: what keeps the bytes.
  @inlinable
  public init(base: UnsafeRawPointer, owner: AnyObject) {
    self.base = base
    self.owner = owner
  }

  @inlinable public var lengthBytes: Int { Int(UInt32(littleEndian: base.load(as: UInt32.self))) }
  @inlinable public var key: ObjectKey {
    ObjectKey(rawValue: UInt64(littleEndian: base.load(fromByteOffset: 8, as: UInt64.self)))
  }
  /// Number of the commit that last wrote the row; 0 for a row that no store has seen.
  @inlinable public var version: UInt64 { UInt64(littleEndian: base.load(fromByteOffset: 16, as: UInt64.self)) }

  public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: lengthBytes) }

  @inlinable
  public func isNull(_ slot: RowSlot) -> Bool {
    let byte = base.load(fromByteOffset: 24 + slot.number >> 3, as: UInt8.self)
    return byte >> UInt8(truncatingIfNeeded: slot.number & 7) & 1 != 0
  }

  // The typed readers return the stored value, zero where it is absent: ask `isNull` to tell.

  @inlinable public func bool(_ slot: RowSlot) -> Bool { base.load(fromByteOffset: slot.offset, as: UInt8.self) != 0 }
  @inlinable public func int16(_ slot: RowSlot) -> Int16 {
    Int16(littleEndian: base.load(fromByteOffset: slot.offset, as: Int16.self))
  }
  @inlinable public func int32(_ slot: RowSlot) -> Int32 {
    Int32(littleEndian: base.load(fromByteOffset: slot.offset, as: Int32.self))
  }
  @inlinable public func int64(_ slot: RowSlot) -> Int64 {
    Int64(littleEndian: base.load(fromByteOffset: slot.offset, as: Int64.self))
  }
  @inlinable public func float(_ slot: RowSlot) -> Float {
    Float(bitPattern: UInt32(littleEndian: base.load(fromByteOffset: slot.offset, as: UInt32.self)))
  }
  @inlinable public func double(_ slot: RowSlot) -> Double {
    Double(bitPattern: UInt64(littleEndian: base.load(fromByteOffset: slot.offset, as: UInt64.self)))
  }
  @inlinable public func reference(_ slot: RowSlot) -> ObjectKey {
    ObjectKey(rawValue: UInt64(littleEndian: base.load(fromByteOffset: slot.offset, as: UInt64.self)))
  }
  public func uuid(_ slot: RowSlot) -> UUID {
    UUID(uuid: base.loadUnaligned(fromByteOffset: slot.offset, as: uuid_t.self))
  }

  /// The bytes of a variable slot; valid while the row's owner lives.
  @inlinable
  public func variableBytes(_ slot: RowSlot) -> UnsafeRawBufferPointer {
    let end = Int(UInt32(littleEndian: base.load(fromByteOffset: slot.offset, as: UInt32.self)))
    let start =
      slot.isFirstVariable
      ? 0 : Int(UInt32(littleEndian: base.load(fromByteOffset: slot.offset - 4, as: UInt32.self)))
    return UnsafeRawBufferPointer(start: base + slot.variableOffset + start, count: end - start)
  }

  @inlinable
  public func string(_ slot: RowSlot) -> String { String(decoding: variableBytes(slot), as: UTF8.self) }

  public func data(_ slot: RowSlot) -> Data { Data(variableBytes(slot)) }

  public func decimal(_ slot: RowSlot) -> Decimal { Decimal(rowBytes: variableBytes(slot)) ?? Decimal.nan }

  /// Any slot's value, boxed as a `Value`.
  public func value(_ slot: RowSlot) -> Value {
    if isNull(slot) { return .null }
    switch slot.kind {
    case .bool: return .bool(bool(slot))
    case .int16: return .int(Int64(int16(slot)))
    case .int32: return .int(Int64(int32(slot)))
    case .int64: return .int(int64(slot))
    case .float: return .float(float(slot))
    case .double: return .double(double(slot))
    case .date: return .date(double(slot))
    case .uuid: return .uuid(uuid(slot))
    case .reference: return .object(reference(slot))
    case .string: return .string(string(slot))
    case .url: return .url(string(slot))
    case .data: return .data(data(slot))
    case .decimal: return .decimal(decimal(slot))
    }
  }
}
