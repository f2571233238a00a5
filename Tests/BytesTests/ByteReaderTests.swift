import Bytes
import Testing

@Suite("Reading and writing bytes")
struct ByteReaderTests {
  private func reading<T>(_ bytes: [UInt8], _ body: (inout ByteReader) throws -> T) rethrows -> T {
    try bytes.withUnsafeBytes { raw in
      var reader = ByteReader(raw)
      return try body(&reader)
    }
  }

  @Test("Numbers come back as written, little-endian")
  func numbers() throws {
    var writer = ByteWriter()
    writer.uint8(0xfe)
    writer.uint16(0xabcd)
    writer.uint32(0xdead_beef)
    writer.uint64(0x0123_4567_89ab_cdef)
    writer.int64(-5)
    writer.double(-0.5)
    writer.string("naïve ✓")
    writer.counted([1, 2, 3])
    #expect(Array(writer.bytes[1...2]) == [0xcd, 0xab])
    try reading(writer.bytes) { reader in
      let uint8 = try reader.uint8()
      #expect(uint8 == 0xfe)
      let uint16 = try reader.uint16()
      #expect(uint16 == 0xabcd)
      let uint32 = try reader.uint32()
      #expect(uint32 == 0xdead_beef)
      let uint64 = try reader.uint64()
      #expect(uint64 == 0x0123_4567_89ab_cdef)
      let int64 = try reader.int64()
      #expect(int64 == -5)
      let double = try reader.double()
      #expect(double == -0.5)
      let string = try reader.string()
      #expect(string == "naïve ✓")
      let counted = Array(try reader.countedBytes())
      #expect(counted == [1, 2, 3])
      #expect(reader.isAtEnd)
    }
  }

  @Test("Varints of every length come back, signed and unsigned")
  func varints() throws {
    var values: [UInt64] = [0, UInt64.max]
    for shift in 0..<64 {
      let bit: UInt64 = 1 << UInt64(shift)
      values += [bit, bit &- 1, bit &+ 1]
    }
    for value in values {
      var writer = ByteWriter()
      writer.varint(value)
      writer.signedVarint(Int64(bitPattern: value))
      try reading(writer.bytes) { reader in
        let varint = try reader.varint()
        #expect(varint == value)
        let signedVarint = try reader.signedVarint()
        #expect(signedVarint == Int64(bitPattern: value))
        #expect(reader.isAtEnd)
      }
    }
  }

  @Test(
    "A varint that is too long, doesn't end or has superfluous bytes is refused",
    arguments: [
      [UInt8](repeating: 0xff, count: 10), [UInt8](repeating: 0x80, count: 11), [0x80], [],
      [0x80, 0x00], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02],
    ] as [[UInt8]])
  func badVarints(bytes: [UInt8]) {
    #expect(throws: ByteError.self) { try reading(bytes) { try $0.varint() } }
  }

  @Test("Every read past the end throws and says where")
  func shortInput() {
    let bytes: [UInt8] = [1, 2, 3]
    let error = #expect(throws: ByteError.self) {
      try reading(bytes) { reader in
        _ = try reader.uint8()
        _ = try reader.uint32()
      }
    }
    #expect(error?.code == .tooShort)
    #expect(error?.offsetBytes == 1)
    #expect(throws: ByteError.self) { try reading(bytes) { try $0.bytes(-1) } }
    #expect(throws: ByteError.self) { try reading(bytes) { try $0.bytes(Int.max) } }
    #expect(throws: ByteError.self) { try reading([0xff, 0xff, 0x7f]) { try $0.countedBytes() } }
    #expect(throws: ByteError.self) { try reading([2, 0xc3, 0x28]) { try $0.string() } }
  }

  @Test("A count can't claim more items than there are bytes")
  func counts() throws {
    #expect(try reading([2, 0, 0, 0, 0]) { try $0.count(bytesEach: 2) } == 2)
    #expect(throws: ByteError.self) { try reading([3, 0, 0, 0, 0]) { try $0.count(bytesEach: 2) } }
  }

  @Test("XXH3 is the reference library's")
  func checksum() {
    #expect(Checksum.xxh3_64([UInt8]()) == 0x2d06_8005_38d3_94c2)
    let bytes: [UInt8] = Array("annals".utf8)
    #expect(Checksum.xxh3_64(bytes) != Checksum.xxh3_64(bytes, seed: 1))
  }
}
