import Foundation
import Schema

/// Numbers that stand for values in indexes. An index only finds candidates, so two values may share a number; equal
/// values must.
enum IndexCode {
  /// To be raised when any value gets another number: indexes that lie in checkpoints are built anew then.
  static let version = 1

  /// A number that keeps the order of the values of one slot: numbers and dates whole, text and bytes by their first
  /// eight. `nil` where the value is absent.
  static func ordered(_ row: Row, _ slot: RowSlot) -> UInt64? {
    if row.isNull(slot) { return nil }
    switch slot.kind {
    case .bool: return row.bool(slot) ? 1 : 0
    case .int16: return ordered(Int64(row.int16(slot)))
    case .int32: return ordered(Int64(row.int32(slot)))
    case .int64: return ordered(row.int64(slot))
    case .float: return ordered(Double(row.float(slot)))
    case .double, .date: return ordered(row.double(slot))
    case .reference: return row.reference(slot).rawValue
    case .uuid: return withUnsafeBytes(of: row.uuid(slot).uuid) { ordered($0) }
    case .string, .url, .data: return ordered(row.variableBytes(slot))
    case .decimal: return ordered(NSDecimalNumber(decimal: row.decimal(slot)).doubleValue)
    }
  }

  /// The same number for a value that is not in a row; `nil` for an absent one, and for one of another kind.
  static func ordered(_ value: Value, kind: SlotKind) -> UInt64? {
    switch (kind, value) {
    case (.bool, .bool(let flag)): return flag ? 1 : 0
    case (.int16, .int(let number)), (.int32, .int(let number)), (.int64, .int(let number)): return ordered(number)
    case (.float, .float(let number)): return ordered(Double(number))
    case (.double, .double(let number)), (.date, .date(let number)): return ordered(number)
    case (.reference, .object(let key)): return key.rawValue
    case (.uuid, .uuid(let uuid)): return withUnsafeBytes(of: uuid.uuid) { ordered($0) }
    case (.string, .string(let text)), (.url, .url(let text)):
      var text = text
      return text.withUTF8 { ordered(UnsafeRawBufferPointer($0)) }
    case (.data, .data(let data)): return data.withUnsafeBytes { ordered($0) }
    case (.decimal, .decimal(let decimal)): return ordered(NSDecimalNumber(decimal: decimal).doubleValue)
    default: return nil
    }
  }

  private static func ordered(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ 1 << 63 }

  private static func ordered(_ number: Double) -> UInt64 {
    // Both zeros are equal; all that are not numbers share a place at the end.
    if number.isNaN { return .max }
    let bits = (number == 0 ? 0.0 : number).bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  private static func ordered(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var code: UInt64 = 0
    for index in 0..<8 { code = code << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
    return code
  }

  /// A number for the values of several slots together, for equality only; `nil` when one of them is absent.
  static func hash(_ row: Row, _ slots: [RowSlot]) -> UInt64? {
    var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
    for slot in slots {
      if row.isNull(slot) { return nil }
      switch slot.kind {
      case .string, .url, .data: hash = mix(hash, row.variableBytes(slot))
      default:
        guard let code = ordered(row, slot) else { return nil }
        hash = mix(hash, code)
      }
    }
    return hash
  }

  static func hash(_ values: [(value: Value, kind: SlotKind)]) -> UInt64? {
    var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
    for (value, kind) in values {
      switch (kind, value) {
      case (.string, .string(let text)), (.url, .url(let text)):
        var text = text
        hash = text.withUTF8 { mix(hash, UnsafeRawBufferPointer($0)) }
      case (.data, .data(let data)): hash = data.withUnsafeBytes { mix(hash, $0) }
      default:
        guard let code = ordered(value, kind: kind) else { return nil }
        hash = mix(hash, code)
      }
    }
    return hash
  }

  private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    return product.high ^ product.low ^ word.byteSwapped
  }

  private static func mix(_ hash: UInt64, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = mix(hash, UInt64(bytes.count))
    var offset = 0
    while offset + 8 <= bytes.count {
      hash = mix(hash, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return mix(hash, rest)
  }

  /// Whether two rows have the same values in slots of the same kinds.
  static func areSame(_ a: Row, _ slotsOfA: [RowSlot], _ b: Row, _ slotsOfB: [RowSlot]) -> Bool {
    for (slotOfA, slotOfB) in zip(slotsOfA, slotsOfB) {
      if a.isNull(slotOfA) || b.isNull(slotOfB) { return false }
      switch slotOfA.kind {
      case .string, .url, .data:
        let left = a.variableBytes(slotOfA)
        let right = b.variableBytes(slotOfB)
        guard left.count == right.count, left.elementsEqual(right) else { return false }
      case .uuid: guard a.uuid(slotOfA) == b.uuid(slotOfB) else { return false }
      case .decimal: guard a.decimal(slotOfA) == b.decimal(slotOfB) else { return false }
      default: guard ordered(a, slotOfA) == ordered(b, slotOfB) else { return false }
      }
    }
    return true
  }
}
