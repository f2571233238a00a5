import Bytes
package import LogStore
package import SimulatedDisk

/// What a record was written with, kept as hashes.
package struct ExpectedRecord: Equatable, Sendable {
  package let kind: UInt8
  package let meta: UInt64
  package let blocks: [UInt64]

  /// A record as it was found.
  package init(_ record: borrowing RecordReader) throws(LogError) {
    kind = record.kind
    meta = Checksum.xxh3_64(record.meta)
    var hashes: [UInt64] = []
    for index in record.blocks.indices {
      let block = try record.block(index)
      hashes.append(block.withBytes { Checksum.xxh3_64($0) })
    }
    blocks = hashes
  }

  /// Contents made up for a record, and what is expected of it.
  package static func make(_ random: inout SeededGenerator) -> (content: RecordContent, kind: UInt8, ExpectedRecord) {
    let meta = bytes(random.below(40), &random)
    var blocks: [BlockContent] = []
    var hashes: [UInt64] = []
    for tag in 0..<random.below(4) {
      // Mostly small, sometimes over several sectors, now and then large enough to be packed.
      let size = random.oneIn(12) ? 4096 + random.below(3000) : random.below(random.oneIn(3) ? 1500 : 200)
      let raw = size >= 4096 && random.oneIn(2) ? [UInt8](repeating: 7, count: size) : bytes(size, &random)
      blocks.append(BlockContent(tag: UInt32(tag), raw))
      hashes.append(Checksum.xxh3_64(raw))
    }
    let kind = UInt8(1 + random.below(100))
    let expected = ExpectedRecord(kind: kind, meta: Checksum.xxh3_64(meta), blocks: hashes)
    return (RecordContent(meta: meta, blocks: blocks), kind, expected)
  }

  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 { Checksum.xxh3_64(bytes) }

  private init(kind: UInt8, meta: UInt64, blocks: [UInt64]) {
    self.kind = kind
    self.meta = meta
    self.blocks = blocks
  }

  private static func bytes(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: (count + 7) / 8 * 8) { buffer, initialized in
      let raw = UnsafeMutableRawBufferPointer(buffer)
      for offset in stride(from: 0, to: count, by: 8) {
        raw.storeBytes(of: random.next(), toByteOffset: offset, as: UInt64.self)
      }
      initialized = count
    }
  }
}
