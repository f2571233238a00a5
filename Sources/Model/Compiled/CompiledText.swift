/// The alphabet of compiled models: everything is text in UTF-8, so that a model can be a string literal. Such a
/// literal lies in the program's read-only data and costs the compiler nothing, where an array of as many bytes costs
/// it seconds and the program a copy; and unlike a resource it can't be lost, or be another build's.
///
/// A number is its bits in groups of five, the lowest first, each in a byte 0x40 + group, with 0x20 set where more
/// follow. A string is its length in UTF-8 as a number, and its bytes.
struct CompiledText {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ number: UInt64) {
    var rest: UInt64 = number
    while rest > 31 {
      bytes.append(0x60 | UInt8(truncatingIfNeeded: rest & 31))
      rest >>= 5
    }
    bytes.append(0x40 | UInt8(truncatingIfNeeded: rest))
  }

  /// - Precondition: not negative.
  mutating func add(_ number: Int) { add(UInt64(number)) }

  /// Any number: 0, -1, 1, -2… become 0, 1, 2, 3…
  mutating func add(signed number: Int) { add(UInt64(bitPattern: Int64(number << 1 ^ number >> 63))) }

  mutating func add(_ number: Double) { add(number.bitPattern) }

  mutating func add(_ text: String) {
    add(text.utf8.count)
    bytes += text.utf8
  }

  /// 0 for none, else the length and one.
  mutating func add(optional text: String?) {
    guard let text else { return add(0) }
    add(text.utf8.count + 1)
    bytes += text.utf8
  }

  mutating func add(_ texts: [String]) {
    add(texts.count)
    for text in texts { add(text) }
  }
}

/// Reads what `CompiledText` wrote. Any bytes may be given: what is not well-formed throws.
struct CompiledTextReader {
  private let bytes: [UInt8]
  private(set) var position: Int
  private let end: Int

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  var isAtEnd: Bool { position == end }

  struct Fault: Error {
    let message: String
    let offset: Int
  }

  func fault(_ message: String) -> Fault { Fault(message: message, offset: position) }

  mutating func number() throws(Fault) -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while position < end {
      let byte: UInt8 = bytes[position]
      guard byte >= 0x40, byte < 0x80, shift < 64 else { throw fault("no number") }
      position += 1
      number |= UInt64(byte & 31) << shift
      if byte & 0x20 == 0 { return number }
      shift += 5
    }
    throw fault("a number without end")
  }

  /// A number that counts, or is an index: at most `max`.
  mutating func count(_ max: Int = Int(Int32.max)) throws(Fault) -> Int {
    let number: UInt64 = try number()
    guard number <= UInt64(max) else { throw fault("\(number) is more than the \(max) that can be") }
    return Int(number)
  }

  /// How many things follow that take a byte each at least.
  mutating func length() throws(Fault) -> Int {
    let count: Int = try count()
    guard count <= end - position else { throw fault("there is not as much as it says") }
    return count
  }

  mutating func signed() throws(Fault) -> Int {
    let number: UInt64 = try number()
    return Int(truncatingIfNeeded: Int64(bitPattern: number >> 1)) ^ -Int(truncatingIfNeeded: number & 1)
  }

  mutating func double() throws(Fault) -> Double { Double(bitPattern: try number()) }

  mutating func text() throws(Fault) -> String { take(try length()) }

  mutating func optionalText() throws(Fault) -> String? {
    let count: Int = try count()
    guard count > 0 else { return nil }
    guard count - 1 <= end - position else { throw fault("there is not as much as it says") }
    return take(count - 1)
  }

  mutating func texts() throws(Fault) -> [String] {
    var texts: [String] = []
    for _ in 0..<(try length()) { texts.append(try text()) }
    return texts
  }

  /// The place of so many bytes, which are skipped.
  mutating func skip(_ count: Int) throws(Fault) -> Range<Int> {
    guard count <= end - position else { throw fault("there is not as much as it says") }
    position += count
    return position - count..<position
  }

  private mutating func take(_ count: Int) -> String {
    defer { position += count }
    return String(decoding: bytes[position..<position + count], as: UTF8.self)
  }
}
