import Foundation
import Schema

/// A new value for one slot of a row.
struct RowPatch {
  let slot: RowSlot
  let isNull: Bool
  /// For a slot of fixed width.
  fileprivate let value: Value
  /// For a variable slot.
  fileprivate let bytes: [UInt8]

  /// - Parameter value: of the slot's kind, or null.
  init(_ slot: RowSlot, _ value: Value) {
    self.slot = slot
    self.value = value
    isNull = value.isNull
    switch value {
    case .string(let text), .url(let text): bytes = Array(text.utf8)
    case .data(let data): bytes = Array(data)
    case .decimal(let decimal): bytes = Array(decimal.description.utf8)
    default: bytes = []
    }
  }

  /// Text for a string slot.
  init(_ slot: RowSlot, utf8: [UInt8]) {
    self.slot = slot
    value = .null
    isNull = false
    bytes = utf8
  }
}

/// Rows made during a commit. Unlike a `RowBuffer` it never moves what it holds, so rows can point into it while more
/// are made.
///
/// unsafe, unchecked: raw memory, written only by the commit that made the arena, which holds the store's lock; rows
/// handed out in conflicts are never written again.
final class RowArena: @unchecked Sendable {
  private static let chunkBytes = 256 << 10
  private var chunks: [UnsafeMutableRawPointer] = []
  private var used = 0
  private var capacity = 0

  deinit {
    for chunk in chunks { chunk.deallocate() }
  }

  /// Room for a row, not initialised, aligned to 8 bytes.
  func allocate(_ lengthBytes: Int) -> UnsafeMutableRawPointer {
    if used + lengthBytes > capacity {
      capacity = max(Self.chunkBytes, lengthBytes)
      chunks.append(.allocate(byteCount: capacity, alignment: 16))
      used = 0
    }
    defer { used += lengthBytes }
    return chunks[chunks.count - 1] + used
  }

  /// A copy of a row with some slots set to other values.
  ///
  /// - Parameter patches: at most one for each slot, of the slot's kind or null.
  func copy(_ row: Row, _ layout: RowLayout, setting patches: [RowPatch]) throws(StoreError) -> Row {
    let isVariable = patches.contains { $0.slot.kind.isVariable }
    let copy = isVariable ? try rebuild(row, layout, patches) : allocate(row.lengthBytes)
    if !isVariable { copy.copyMemory(from: row.base, byteCount: row.lengthBytes) }
    for patch in patches { Self.store(patch, in: copy) }
    return Row(base: copy, owner: self)
  }

  /// A copy with new contents of variable slots: their bytes are laid out anew, the rest is as it was.
  private func rebuild(
    _ row: Row, _ layout: RowLayout, _ patches: [RowPatch]
  ) throws(StoreError) -> UnsafeMutableRawPointer {
    func replacement(_ slot: RowSlot) -> [UInt8]? { patches.first { $0.slot.number == slot.number }?.bytes }
    var length = layout.variableOffset
    for property in layout.storedProperties {
      guard let slot = layout.slots[property], slot.kind.isVariable else { continue }
      length += replacement(slot)?.count ?? row.variableBytes(slot).count
    }
    let padded = (length + 7) / 8 * 8
    guard padded <= RowLayout.rowBytesMax else {
      throw StoreError(.rowTooLarge, "The object \(row.key) needs \(length) bytes with its derived values.")
    }
    let copy = allocate(padded)
    copy.copyMemory(from: row.base, byteCount: layout.variableOffset)
    var end = layout.variableOffset
    for property in layout.storedProperties {
      guard let slot = layout.slots[property], slot.kind.isVariable else { continue }
      if let bytes = replacement(slot) {
        bytes.withUnsafeBytes {
          (copy + end).copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(copy), byteCount: $0.count)
        }
        end += bytes.count
      } else {
        let bytes = row.variableBytes(slot)
        if let base = bytes.baseAddress { (copy + end).copyMemory(from: base, byteCount: bytes.count) }
        end += bytes.count
      }
      copy.storeBytes(of: UInt32(end - layout.variableOffset).littleEndian, toByteOffset: slot.offset, as: UInt32.self)
    }
    (copy + end).initializeMemory(as: UInt8.self, repeating: 0, count: padded - end)
    copy.storeBytes(of: UInt32(padded).littleEndian, as: UInt32.self)
    return copy
  }

  /// Sets the null bit, and the bytes of a slot of fixed width.
  private static func store(_ patch: RowPatch, in row: UnsafeMutableRawPointer) {
    let slot = patch.slot
    let value = patch.value
    let bit = UInt8(1) << UInt8(slot.number & 7)
    let at = RowLayout.headerBytes + slot.number >> 3
    let byte = row.load(fromByteOffset: at, as: UInt8.self)
    row.storeBytes(of: patch.isNull ? byte | bit : byte & ~bit, toByteOffset: at, as: UInt8.self)
    let place = row + slot.offset
    switch (slot.kind, value) {
    case (_, .null):
      if !slot.kind.isVariable { place.initializeMemory(as: UInt8.self, repeating: 0, count: slot.kind.fixedBytes) }
    case (.bool, .bool(let flag)): place.storeBytes(of: flag ? 1 : 0, as: UInt8.self)
    case (.int16, .int(let number)):
      place.storeBytes(of: Int16(truncatingIfNeeded: number).littleEndian, as: Int16.self)
    case (.int32, .int(let number)):
      place.storeBytes(of: Int32(truncatingIfNeeded: number).littleEndian, as: Int32.self)
    case (.int64, .int(let number)): place.storeBytes(of: number.littleEndian, as: Int64.self)
    case (.float, .float(let number)): place.storeBytes(of: number.bitPattern.littleEndian, as: UInt32.self)
    case (.double, .double(let number)), (.date, .date(let number)):
      place.storeBytes(of: number.bitPattern.littleEndian, as: UInt64.self)
    case (.uuid, .uuid(let uuid)): place.storeBytes(of: uuid.uuid, as: uuid_t.self)
    case (.reference, .object(let key)): place.storeBytes(of: key.rawValue.littleEndian, as: UInt64.self)
    default: break
    }
  }
}
