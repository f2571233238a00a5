internal import Glibc

/// Finds one byte string in others. Prepared once: the search looks for the needle's rarest byte with the machine's
/// fastest means and compares around it; when that stumbles too often (a needle of one letter in a text of the same),
/// it goes on with Knuth, Morris and Pratt, so the time is always in proportion to the text.
struct ByteSearch: Sendable {
  private let needle: [UInt8]
  private let rarestOffset: Int

  init(_ needle: [UInt8]) {
    self.needle = needle
    rarestOffset = needle.indices.min { Self.rank(needle[$0]) < Self.rank(needle[$1]) } ?? 0
  }

  /// Where the needle first occurs at or after `start`; the empty needle is nowhere.
  func firstIndex(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = text.baseAddress, !needle.isEmpty else { return nil }
    let lastStart = text.count - needle.count
    var position = start
    // Comparisons that came to nothing, weighed against the length of the text.
    var patience = 16 + (text.count - start) / 4
    return needle.withUnsafeBytes { needle -> Int? in
      let rarest = CInt(needle[rarestOffset])
      while position <= lastStart {
        // unsafe: the search runs over text[position + rarestOffset ... lastStart + rarestOffset], inside the text.
        guard let found = memchr(base + (position + rarestOffset), rarest, lastStart - position + 1) else { return nil }
        position = UnsafeRawPointer(found) - base - rarestOffset
        if memcmp(base + position, needle.baseAddress!, needle.count) == 0 { return position }
        position += 1
        patience -= 1 + needle.count / 16
        if patience < 0 { return firstIndexByAutomaton(in: text, from: position) }
      }
      return nil
    }
  }

  private func firstIndexByAutomaton(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var borders = [Int](repeating: 0, count: needle.count)
    var length = 0
    for index in 1..<max(needle.count, 1) {
      while length > 0, needle[index] != needle[length] { length = borders[length - 1] }
      if needle[index] == needle[length] { length += 1 }
      borders[index] = length
    }
    length = 0
    for index in start..<max(start, text.count) {
      while length > 0, text[index] != needle[length] { length = borders[length - 1] }
      if text[index] == needle[length] { length += 1 }
      if length == needle.count { return index - length + 1 }
    }
    return nil
  }

  /// How common a byte is in text, roughly.
  private static func rank(_ byte: UInt8) -> Int {
    switch byte {
    case 0x20: 100
    case 0x61...0x7A: 99 - (common.firstIndex(of: byte) ?? 25) * 2
    case 0x80...0xFF: 60
    case 0x30...0x39: 40
    case 0x41...0x5A: 30
    default: 20
    }
  }

  private static let common = Array("etaoinsrhldcumfpgwybvkxjqz".utf8)
}
