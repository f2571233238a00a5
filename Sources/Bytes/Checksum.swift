import CXXHash

/// XXH3, 64 bits, of the reference library: about 20 GB/s here, against accidents and not against attackers.
public enum Checksum {
  @inline(__always)
  public static func xxh3_64(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    XXH3_64bits_withSeed(bytes.baseAddress, bytes.count, seed)
  }

  public static func xxh3_64(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
    bytes.withUnsafeBytes { xxh3_64($0, seed: seed) }
  }
}
