/// Reads little-endian numbers and byte ranges one after the other; a read past the end throws, nothing traps.
///
/// It looks at memory that the caller keeps in place while the reader is used.
public struct ByteReader {
  public let bytes: UnsafeRawBufferPointer
  /// Where the next read starts.
  public private(set) var offset: Int

  public init(_ bytes: UnsafeRawBufferPointer, offset: Int = 0) {
    self.bytes = bytes
    self.offset = min(max(offset, 0), bytes.count)
  }

  public var remaining: Int { bytes.count - offset }
  public var isAtEnd: Bool { offset == bytes.count }

  @inline(__always)
  private mutating func advance(_ count: Int, _ what: StaticString) throws(ByteError) -> Int {
    let start = offset
    guard count >= 0, count <= bytes.count - start else {
      throw ByteError(
        .tooShort, "\(what) needs \(count) bytes where \(bytes.count - start) are left", offsetBytes: start)
    }
    offset = start + count
    return start
  }

  @inline(__always)
  private mutating func number<Number: FixedWidthInteger>(
    _: Number.Type, _ what: StaticString
  ) throws(ByteError) -> Number {
    let start = try advance(MemoryLayout<Number>.size, what)
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: Number.self))
  }

  public mutating func uint8() throws(ByteError) -> UInt8 { try number(UInt8.self, "A byte") }
  public mutating func uint16() throws(ByteError) -> UInt16 { try number(UInt16.self, "A 16-bit number") }
  public mutating func uint32() throws(ByteError) -> UInt32 { try number(UInt32.self, "A 32-bit number") }
  public mutating func uint64() throws(ByteError) -> UInt64 { try number(UInt64.self, "A 64-bit number") }
  public mutating func int64() throws(ByteError) -> Int64 { Int64(bitPattern: try uint64()) }
  public mutating func double() throws(ByteError) -> Double { Double(bitPattern: try uint64()) }

  /// An unsigned number, seven bits a byte, low bits first; at most ten bytes, without superfluous ones.
  public mutating func varint() throws(ByteError) -> UInt64 {
    let start = offset
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try uint8()
      let bits = UInt64(byte & 0x7f)
      if shift == 63, bits > 1 {
        throw ByteError(.badVarint, "A variable-length number has more than 64 bits", offsetBytes: start)
      }
      value |= bits << shift
      if byte & 0x80 == 0 {
        if byte == 0, shift > 0 {
          throw ByteError(.badVarint, "A variable-length number has superfluous bytes", offsetBytes: start)
        }
        return value
      }
      shift += 7
      if shift > 63 {
        throw ByteError(.badVarint, "A variable-length number has more than ten bytes", offsetBytes: start)
      }
    }
  }

  /// A signed number, zigzag coded.
  public mutating func signedVarint() throws(ByteError) -> Int64 {
    let raw = try varint()
    return Int64(bitPattern: raw >> 1) ^ -Int64(bitPattern: raw & 1)
  }

  /// A varint that counts things of which each takes at least `bytesEach` of what is left: safe to reserve for.
  public mutating func count(bytesEach: Int = 1) throws(ByteError) -> Int {
    let start = offset
    let value = try varint()
    guard value <= UInt64(remaining / max(bytesEach, 1)) else {
      throw ByteError(.tooShort, "\(value) items can't be in the \(remaining) bytes left", offsetBytes: start)
    }
    return Int(value)
  }

  /// The next bytes, in place.
  public mutating func bytes(_ count: Int) throws(ByteError) -> UnsafeRawBufferPointer {
    let start = try advance(count, "A range of bytes")
    return UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
  }

  /// Bytes behind a varint with their number, in place.
  public mutating func countedBytes() throws(ByteError) -> UnsafeRawBufferPointer {
    try bytes(count())
  }

  /// Text behind a varint with its number of bytes; must be UTF-8.
  public mutating func string() throws(ByteError) -> String {
    let start = offset
    let range = try countedBytes()
    guard let text = String(validating: range, as: UTF8.self) else {
      throw ByteError(.badText, "Text is not UTF-8", offsetBytes: start)
    }
    return text
  }

  public mutating func skip(_ count: Int) throws(ByteError) { _ = try advance(count, "Skipping") }
}
