/// Appends little-endian numbers and bytes to an array.
public struct ByteWriter {
  public private(set) var bytes: [UInt8]

  public init(reserving count: Int = 0) {
    bytes = []
    bytes.reserveCapacity(count)
  }

  public var count: Int { bytes.count }

  @inline(__always)
  private mutating func append<Number: FixedWidthInteger>(number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  public mutating func uint8(_ value: UInt8) { bytes.append(value) }
  public mutating func uint16(_ value: UInt16) { append(number: value) }
  public mutating func uint32(_ value: UInt32) { append(number: value) }
  public mutating func uint64(_ value: UInt64) { append(number: value) }
  public mutating func int64(_ value: Int64) { append(number: value) }
  public mutating func double(_ value: Double) { append(number: value.bitPattern) }

  /// An unsigned number, seven bits a byte, low bits first.
  public mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// A signed number, zigzag coded: small ones of either sign are short.
  public mutating func signedVarint(_ value: Int64) {
    varint(UInt64(bitPattern: value << 1) ^ UInt64(bitPattern: value >> 63))
  }

  public mutating func append(_ range: UnsafeRawBufferPointer) { bytes.append(contentsOf: range) }
  public mutating func append(_ array: [UInt8]) { bytes.append(contentsOf: array) }

  /// The number of bytes as a varint, then the bytes.
  public mutating func counted(_ array: [UInt8]) {
    varint(UInt64(array.count))
    append(array)
  }

  /// UTF-8 behind a varint with its number of bytes.
  public mutating func string(_ text: String) {
    varint(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// Zero bytes up to a multiple of `alignment`.
  public mutating func align(to alignment: Int) {
    let rest = bytes.count % alignment
    if rest > 0 { bytes.append(contentsOf: repeatElement(0, count: alignment - rest)) }
  }

  /// Replaces four bytes written earlier, as when a length becomes known later.
  public mutating func patch(uint32 value: UInt32, at offset: Int) {
    withUnsafeBytes(of: value.littleEndian) { bytes.replaceSubrange(offset..<offset + 4, with: $0) }
  }
}
