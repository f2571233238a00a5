internal import Foundation

/// Collects what a version hash covers. Every field has its length in front, so that no two lists run together.
struct VersionHasher {
  private var bytes: [UInt8] = []

  mutating func add(_ text: String?) {
    guard let text else {
      bytes.append(0)
      return
    }
    bytes.append(1)
    add(text.utf8.count)
    bytes += text.utf8
  }

  mutating func add(_ number: Int) {
    var number = UInt64(bitPattern: Int64(number))
    for _ in 0..<8 {
      bytes.append(UInt8(truncatingIfNeeded: number))
      number >>= 8
    }
  }

  mutating func add(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  mutating func add(_ data: Data) {
    add(data.count)
    bytes += data
  }

  /// 32 bytes.
  var digest: Data { Data(SHA256.hash(bytes)) }
}
