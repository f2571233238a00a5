import Bytes
import Testing

@Suite("LZ4")
struct CompressionTests {
  static let text: [UInt8] = Array(String(repeating: "the log is the database; ", count: 400).utf8)

  @Test("A block comes back as it was, and smaller in between")
  func roundTrip() throws {
    let packed = try #require(BlockCompression.pack(Self.text))
    #expect(packed.count < Self.text.count / 8)
    #expect(try BlockCompression.unpack(packed, rawBytes: Self.text.count) == Self.text)
  }

  @Test("Packing into too small a target says so and writes nothing beyond it")
  func smallTarget() {
    var target = [UInt8](repeating: 0xaa, count: 64)
    let count = Self.text.withUnsafeBytes { raw in
      target.withUnsafeMutableBytes { memory in
        BlockCompression.pack(raw, into: UnsafeMutableRawBufferPointer(rebasing: memory[0..<8]))
      }
    }
    #expect(count == nil)
    #expect(target[8...].allSatisfy { $0 == 0xaa })
  }

  @Test("Every cut and every changed byte of a packed block gives an error or bytes of the length asked for")
  func hostileBlocks() throws {
    let raw = Array(Self.text[0..<300])
    let packed = try #require(BlockCompression.pack(raw))
    for length in 0..<packed.count {
      #expect(throws: ByteError.self) { try BlockCompression.unpack(Array(packed[0..<length]), rawBytes: raw.count) }
    }
    for index in packed.indices {
      for bit in 0..<8 {
        var changed = packed
        changed[index] ^= 1 << UInt8(bit)
        let result = try? BlockCompression.unpack(changed, rawBytes: raw.count)
        #expect(result == nil || result?.count == raw.count)
      }
    }
    #expect(throws: ByteError.self) { try BlockCompression.unpack(packed, rawBytes: raw.count + 1) }
    #expect(throws: ByteError.self) { try BlockCompression.unpack(packed, rawBytes: -1) }
  }

  /// The word "annals" ten times with spaces between, as the `lz4` program packs it: another writer than ours.
  static let frame: [UInt8] = [
    0x04, 0x22, 0x4d, 0x18, 0x64, 0x40, 0xa7, 0x11, 0x00, 0x00, 0x00, 0x7f, 0x61, 0x6e, 0x6e, 0x61, 0x6c, 0x73,
    0x20, 0x07, 0x00, 0x26, 0x50, 0x6e, 0x6e, 0x61, 0x6c, 0x73, 0x00, 0x00, 0x00, 0x00, 0x6f, 0x68, 0x99, 0x13,
  ]

  @Test("A frame written by the lz4 program is read, and its checksum compared")
  func foreignFrame() throws {
    let expected = [String](repeating: "annals", count: 10).joined(separator: " ")
    let raw = try LZ4FrameReader.unpack(Self.frame, rawBytesMax: 1000)
    #expect(raw == Array(expected.utf8))
    var changed = Self.frame
    changed[changed.count - 1] ^= 1
    #expect(throws: ByteError.self) { try LZ4FrameReader.unpack(changed, rawBytesMax: 1000) }
  }

  @Test("A frame is unpacked, whatever the size of the pieces it comes in")
  func frames() throws {
    let frame = try FrameMaker.frame(of: Self.text)
    for pieceBytes in [1, 7, 100, frame.count] {
      let reader = try LZ4FrameReader(outputBytes: 1024)
      var raw: [UInt8] = []
      var position = 0
      while position < frame.count {
        let end = min(position + pieceBytes, frame.count)
        try Array(frame[position..<end]).withUnsafeBytes { piece in
          try reader.read(piece) { raw.append(contentsOf: $0) }
        }
        position = end
      }
      #expect(raw == Self.text)
      #expect(reader.isComplete)
    }
  }

  @Test("Two frames behind one another are one stream")
  func twoFrames() throws {
    let frame = try FrameMaker.frame(of: Self.text)
    #expect(try LZ4FrameReader.unpack(frame + frame, rawBytesMax: 1 << 20) == Self.text + Self.text)
  }

  @Test("A frame that is cut, changed, too large or none at all is refused")
  func badFrames() throws {
    let frame = try FrameMaker.frame(of: Self.text)
    for length in 1..<frame.count {
      #expect(throws: ByteError.self) { try LZ4FrameReader.unpack(Array(frame[0..<length]), rawBytesMax: 1 << 20) }
    }
    #expect(throws: ByteError.self) { try LZ4FrameReader.unpack(Array("Package: a".utf8), rawBytesMax: 1 << 20) }
    #expect(throws: ByteError.self) { try LZ4FrameReader.unpack(frame, rawBytesMax: 100) }
    for index in frame.indices {
      var changed = frame
      changed[index] ^= 0x10
      _ = try? LZ4FrameReader.unpack(changed, rawBytesMax: 1 << 20)
    }
  }
}

/// Frames made by hand around LZ4 blocks: header, blocks, end mark, as the frame format has them.
enum FrameMaker {
  static func frame(of raw: [UInt8]) throws -> [UInt8] {
    var writer = ByteWriter()
    writer.uint32(0x184d_2204)
    let descriptor: [UInt8] = [0x60, 0x40]
    writer.append(descriptor)
    // The header's check byte is the second byte of XXH32 of the descriptor: 0x82 for 60 40.
    writer.uint8(0x82)
    var position = 0
    while position < raw.count {
      let end = min(position + 4000, raw.count)
      let packed = try #require(BlockCompression.pack(Array(raw[position..<end])))
      writer.uint32(UInt32(packed.count))
      writer.append(packed)
      position = end
    }
    writer.uint32(0)
    return writer.bytes
  }
}
