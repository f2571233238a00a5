/// A package's version in Debian's order: epoch, then upstream version, then revision, each compared by turns of
/// non-digits and digits, "~" before everything, letters before other characters.
public struct DebianVersion: Comparable, Sendable {
  public let text: String
  private let epoch: Int
  private let upstream: [UInt8]
  private let revision: [UInt8]

  public init(_ text: String) {
    self.text = text
    var rest = Substring(text)
    var epoch = 0
    if let colon = rest.firstIndex(of: ":"), let number = Int(rest[..<colon]) {
      epoch = number
      rest = rest[rest.index(after: colon)...]
    }
    self.epoch = epoch
    if let dash = rest.lastIndex(of: "-") {
      upstream = Array(rest[..<dash].utf8)
      revision = Array(rest[rest.index(after: dash)...].utf8)
    } else {
      upstream = Array(rest.utf8)
      revision = []
    }
  }

  public static func < (a: DebianVersion, b: DebianVersion) -> Bool { order(a, b) < 0 }
  public static func == (a: DebianVersion, b: DebianVersion) -> Bool { order(a, b) == 0 }

  private static func order(_ a: DebianVersion, _ b: DebianVersion) -> Int {
    if a.epoch != b.epoch { return a.epoch < b.epoch ? -1 : 1 }
    let upstream = order(a.upstream, b.upstream)
    return upstream != 0 ? upstream : order(a.revision, b.revision)
  }

  private static func order(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var i = 0
    var j = 0
    while i < a.count || j < b.count {
      while (i < a.count && !isDigit(a[i])) || (j < b.count && !isDigit(b[j])) {
        let left = i < a.count && !isDigit(a[i]) ? weight(a[i]) : 0
        let right = j < b.count && !isDigit(b[j]) ? weight(b[j]) : 0
        if left != right { return left < right ? -1 : 1 }
        i += i < a.count && !isDigit(a[i]) ? 1 : 0
        j += j < b.count && !isDigit(b[j]) ? 1 : 0
      }
      let numbers = orderNumbers(a, &i, b, &j)
      if numbers != 0 { return numbers }
    }
    return 0
  }

  /// Compares runs of digits by value, whatever their length.
  private static func orderNumbers(_ a: [UInt8], _ i: inout Int, _ b: [UInt8], _ j: inout Int) -> Int {
    while i < a.count, a[i] == 0x30 { i += 1 }
    while j < b.count, b[j] == 0x30 { j += 1 }
    var first = 0
    while i < a.count, isDigit(a[i]), j < b.count, isDigit(b[j]) {
      if first == 0, a[i] != b[j] { first = a[i] < b[j] ? -1 : 1 }
      i += 1
      j += 1
    }
    if i < a.count, isDigit(a[i]) { return 1 }
    if j < b.count, isDigit(b[j]) { return -1 }
    return first
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  private static func weight(_ byte: UInt8) -> Int {
    if byte == UInt8(ascii: "~") { return -1 }
    let isLetter = (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
    return isLetter ? Int(byte) : Int(byte) + 256
  }
}
