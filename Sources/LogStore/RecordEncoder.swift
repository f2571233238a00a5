import Bytes
import Glibc

/// Builds a record's bytes in memory that is used again for the next one.
struct RecordEncoder: ~Copyable, @unchecked Sendable {
  // unsafe: memory of its own, which nobody else has a pointer to between two calls.
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// Memory above it is given back after use.
  private static let keptBytesMax = 4 << 20

  deinit { free(memory.baseAddress) }

  struct Encoded {
    let bytes: UnsafeRawBufferPointer
    let hash: UInt64
    /// Offsets of the blocks' headers from the record's start.
    let blockOffsets: [Int]
  }

  /// The most that a record can take.
  static func boundBytes(_ content: RecordContent, path: String) throws(LogError) -> Int {
    guard content.meta.count <= FormatLimits.metaBytesMax else {
      throw LogError(
        .limitExceeded, "A record's meta bytes are \(content.meta.count), more than \(FormatLimits.metaBytesMax).",
        path: path)
    }
    guard content.blocks.count <= FormatLimits.blockCountMax else {
      throw LogError(
        .limitExceeded, "A record has \(content.blocks.count) blocks, more than \(FormatLimits.blockCountMax).",
        path: path)
    }
    var total = FormatLimits.recordHeaderBytes + FormatLimits.recordTrailerBytes
    total += FormatLimits.aligned(content.meta.count)
    for block in content.blocks {
      guard block.byteCount <= FormatLimits.blockRawBytesMax else {
        throw LogError(
          .limitExceeded, "A block has \(block.byteCount) bytes, more than \(FormatLimits.blockRawBytesMax).",
          path: path)
      }
      total += FormatLimits.blockHeaderBytes + FormatLimits.aligned(block.byteCount)
    }
    guard UInt64(total) <= FormatLimits.recordBodyBytesMax else {
      throw LogError(
        .limitExceeded,
        "A record would have \(total) bytes, more than \(FormatLimits.recordBodyBytesMax). Save in smaller transactions.",
        path: path)
    }
    return total
  }

  /// The bytes are valid until the next call.
  mutating func encode(
    _ content: RecordContent, kind: UInt8, flags: UInt8 = 0, number: UInt64, durableBytes: UInt64,
    offsetBytes: UInt64, previousHash: UInt64, seed: UInt64, path: String
  ) throws(LogError) -> Encoded {
    try reserve(Self.boundBytes(content, path: path), path: path)
    var end = FormatLimits.recordHeaderBytes
    end += Self.copy(content.meta, into: part(from: end))
    var blockOffsets: [Int] = []
    blockOffsets.reserveCapacity(content.blocks.count)
    for block in content.blocks {
      blockOffsets.append(end)
      let target = part(from: end)
      end += block.withBytes { BlockCoding.encode(tag: block.tag, $0, into: target) }
    }
    var header = RecordHeader(
      kind: kind, bodyBytes: UInt64(end - FormatLimits.recordHeaderBytes), number: number, durableBytes: durableBytes,
      offsetBytes: offsetBytes, previousHash: previousHash, metaBytes: UInt32(content.meta.count),
      blockCount: UInt32(content.blocks.count))
    header.flags = flags
    header.encode(into: memory, seed: seed)
    memory.store(UInt64(0), end)
    let hash = Checksum.xxh3_64(UnsafeRawBufferPointer(memory).slice(0, end + 8), seed: previousHash)
    memory.store(hash, end + 8)
    let bytes = UnsafeRawBufferPointer(memory).slice(0, end + FormatLimits.recordTrailerBytes)
    return Encoded(bytes: bytes, hash: hash, blockOffsets: blockOffsets)
  }

  /// Gives memory of a very large record back.
  mutating func trim() {
    if memory.count > Self.keptBytesMax {
      free(memory.baseAddress)
      memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }
  }

  private mutating func reserve(_ count: Int, path: String) throws(LogError) {
    if memory.count >= count { return }
    free(memory.baseAddress)
    memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    // malloc may say no, where Swift's allocation would trap.
    let room = max(count, 64 << 10)
    guard let base = malloc(room) else {
      throw LogError(
        .limitExceeded, "There is no memory for a record of \(count) bytes. Save in smaller transactions.", path: path)
    }
    memory = UnsafeMutableRawBufferPointer(start: base, count: room)
  }

  private func part(from offset: Int) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: memory[offset...])
  }

  private static func copy(_ meta: [UInt8], into target: UnsafeMutableRawBufferPointer) -> Int {
    let padded = FormatLimits.aligned(meta.count)
    target.copyBytes(from: meta)
    for index in meta.count..<padded { target[index] = 0 }
    return padded
  }
}

extension BlockContent {
  var byteCount: Int {
    switch source {
    case .array(let array): array.count
    case .memory(let memory): memory.count
    }
  }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    switch source {
    case .array(let array): array.withUnsafeBytes(body)
    case .memory(let memory): body(memory)
    }
  }
}
