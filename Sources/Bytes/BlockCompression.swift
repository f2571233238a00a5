import CLZ4

/// LZ4's block format: the bytes alone, their lengths are kept elsewhere.
public enum BlockCompression {
  /// What LZ4 can take in one piece.
  public static let rawBytesMax = Int(LZ4_MAX_INPUT_SIZE)

  /// Packs `raw` into `target` and returns how many bytes that took, or `nil` when it doesn't fit: give a target as
  /// large as the packed form may be at most, and no more is written.
  /// - Precondition: The two do not overlap.
  public static func pack(_ raw: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Int? {
    guard raw.count <= rawBytesMax, raw.count > 0, target.count > 0 else { return nil }
    let source = raw.baseAddress?.assumingMemoryBound(to: CChar.self)
    let destination = target.baseAddress?.assumingMemoryBound(to: CChar.self)
    let capacity = Int32(clamping: target.count)
    let count = LZ4_compress_default(source, destination, Int32(raw.count), capacity)
    return count > 0 ? Int(count) : nil
  }

  public static func pack(_ raw: [UInt8]) -> [UInt8]? {
    guard raw.count <= rawBytesMax else { return nil }
    let bound = Int(LZ4_compressBound(Int32(raw.count)))
    var packed = [UInt8](repeating: 0, count: bound)
    let count = raw.withUnsafeBytes { source in
      packed.withUnsafeMutableBytes { pack(source, into: $0) }
    }
    guard let count else { return nil }
    packed.removeLast(bound - count)
    return packed
  }

  /// Unpacks into exactly `target`, whatever `packed` holds: nothing is read or written outside of the two.
  /// - Throws: `ByteError` when the bytes are no LZ4 block, or one of another length.
  public static func unpack(
    _ packed: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) throws(ByteError) {
    guard packed.count <= Int(Int32.max), target.count <= rawBytesMax else {
      throw ByteError(.tooLarge, "A packed block of \(packed.count) bytes is too large", offsetBytes: 0)
    }
    let source = packed.baseAddress?.assumingMemoryBound(to: CChar.self)
    let destination = target.baseAddress?.assumingMemoryBound(to: CChar.self)
    let count = LZ4_decompress_safe(source, destination, Int32(packed.count), Int32(target.count))
    guard Int(count) == target.count else {
      let found = count < 0 ? "is not LZ4" : "unpacks to \(count) bytes where \(target.count) were expected"
      throw ByteError(.badCompression, "A packed block \(found)", offsetBytes: 0)
    }
  }

  public static func unpack(_ packed: [UInt8], rawBytes: Int) throws(ByteError) -> [UInt8] {
    guard rawBytes >= 0, rawBytes <= rawBytesMax else {
      throw ByteError(.tooLarge, "A block of \(rawBytes) bytes is too large", offsetBytes: 0)
    }
    var raw = [UInt8](repeating: 0, count: rawBytes)
    var failure: ByteError?
    packed.withUnsafeBytes { source in
      raw.withUnsafeMutableBytes { target in
        do throws(ByteError) { try unpack(source, into: target) } catch { failure = error }
      }
    }
    if let failure { throw failure }
    return raw
  }
}
