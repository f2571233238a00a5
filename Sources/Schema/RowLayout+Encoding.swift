internal import Foundation

extension RowLayout {
  /// Appends a row to a buffer.
  ///
  /// - Parameters:
  ///   - value: the value of a property, asked once for each stored property, by its index in the entity. A value of
  ///     another kind than the slot's is a mistake of the caller, who has validated it.
  /// - Returns: where the row starts in the buffer.
  /// - Throws: `StoreError.rowTooLarge` when the row would exceed `rowBytesMax`.
  @discardableResult
  public func encode(
    key: ObjectKey, version: UInt64, into buffer: RowBuffer, value: (_ property: Int) -> Value
  ) throws(StoreError) -> Int {
    let start = buffer.grow(by: variableOffset)
    buffer.store(UInt32(storedProperties.count).littleEndian, at: start + 4)
    buffer.store(key.rawValue.littleEndian, at: start + 8)
    buffer.store(version.littleEndian, at: start + 16)
    for property in storedProperties {
      guard let slot = slots[property] else { continue }
      encode(value(property), slot: slot, start: start, into: buffer)
      if slot.kind.isVariable {
        let end = buffer.count - start - variableOffset
        guard end <= Self.rowBytesMax - variableOffset else { throw .rowTooLarge(key: key, lengthBytes: end) }
        buffer.store(UInt32(end).littleEndian, at: start + slot.offset)
      }
    }
    let length = (buffer.count - start + 7) / 8 * 8
    _ = buffer.grow(by: length - (buffer.count - start))
    buffer.store(UInt32(length).littleEndian, at: start)
    return start
  }

  private func encode(_ value: Value, slot: RowSlot, start: Int, into buffer: RowBuffer) {
    let at = start + slot.offset
    switch (slot.kind, value) {
    case (_, .null):
      buffer.setBit(slot.number & 7, at: start + Self.headerBytes + slot.number >> 3)
    case (.bool, .bool(let flag)): buffer.store(UInt8(flag ? 1 : 0), at: at)
    case (.int16, .int(let number)): buffer.store(Int16(truncatingIfNeeded: number).littleEndian, at: at)
    case (.int32, .int(let number)): buffer.store(Int32(truncatingIfNeeded: number).littleEndian, at: at)
    case (.int64, .int(let number)): buffer.store(number.littleEndian, at: at)
    case (.float, .float(let number)): buffer.store(number.bitPattern.littleEndian, at: at)
    case (.double, .double(let number)), (.date, .date(let number)):
      buffer.store(number.bitPattern.littleEndian, at: at)
    case (.uuid, .uuid(let uuid)): buffer.store(uuid.uuid, at: at)
    case (.reference, .object(let key)): buffer.store(key.rawValue.littleEndian, at: at)
    case (.string, .string(let text)), (.url, .url(let text)):
      var text = text
      text.withUTF8 { _ = buffer.append(UnsafeRawBufferPointer($0)) }
    case (.data, .data(let data)): data.withUnsafeBytes { _ = buffer.append($0) }
    case (.decimal, .decimal(let decimal)):
      decimal.rowBytes.withUnsafeBytes { _ = buffer.append($0) }
    default:
      preconditionFailure("a \(value) cannot be stored in a slot of kind \(slot.kind)")
    }
  }

  /// Whether `bytes` are one whole row of this layout: lengths, bitmap and offsets agree. Says what is wrong if not.
  ///
  /// Run over every row that came from a file before a `Row` is made of it.
  public func fault(in bytes: UnsafeRawBufferPointer) -> String? {
    guard bytes.count >= variableOffset else {
      return "row of \(bytes.count) bytes, expected at least \(variableOffset)"
    }
    let length = Int(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
    guard length == bytes.count, length % 8 == 0 else { return "row says \(length) bytes, found \(bytes.count)" }
    let count = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)) & 0xFFFF)
    guard count == storedProperties.count else { return "row has \(count) slots, expected \(storedProperties.count)" }
    var previous = 0
    for index in 0..<variableCount {
      let end = Int(
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: endOffsetsOffset + index * 4, as: UInt32.self)))
      guard end >= previous, variableOffset + end <= length else { return "variable slot \(index) ends at \(end)" }
      previous = end
    }
    return nil
  }
}

extension RowBuffer {
  // unsafe: offsets come from a layout whose bytes `grow` has just reserved.
  func store<T: BitwiseCopyable>(_ value: T, at offsetBytes: Int) {
    base.storeBytes(of: value, toByteOffset: offsetBytes, as: T.self)
  }

  func setBit(_ bit: Int, at offsetBytes: Int) {
    let byte = base.load(fromByteOffset: offsetBytes, as: UInt8.self)
    base.storeBytes(of: byte | 1 << UInt8(bit), toByteOffset: offsetBytes, as: UInt8.self)
  }
}

extension Decimal {
  /// Decimal digits, sign and point as ASCII, "NaN" where it is not a number: exact, whatever the exponent, and
  /// readable by anyone. The type's own words are not reachable, and their layout is not ours to promise.
  var rowBytes: [UInt8] { Array(description.utf8) }

  init?(rowBytes bytes: UnsafeRawBufferPointer) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text != "NaN" else {
      self = .nan
      return
    }
    self.init(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }
}
