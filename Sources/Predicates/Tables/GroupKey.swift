internal import Foundation
internal import Schema

/// Values as bytes that are equal when the values are: of groups and of results that are returned once. Strings by
/// code unit, numbers by value, absence equal to absence.
struct GroupKey: Hashable {
  private(set) var bytes: [UInt8] = []

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// - Parameter source: where objects are from: equal keys of two sources are two objects.
  mutating func append(_ value: BoundValue, source: Int) {
    switch value {
    case .one(let value): append(value, source)
    case .many(let values):
      bytes.append(0xFF)
      append(UInt64(values.count))
      for value in values { append(value, source) }
    }
  }

  private mutating func append(_ value: Value, _ source: Int) {
    switch value {
    case .null: bytes.append(0)
    case .bool(let flag): append(1, flag ? 1 : 0)
    case .int(let number): append(1, UInt64(bitPattern: number))
    case .double(let number): append(number)
    case .float(let number): append(Double(number))
    case .decimal(let number):
      bytes.append(3)
      append(text: "\(number)")
    case .string(let text):
      bytes.append(4)
      append(text: text)
    case .date(let seconds): append(5, (seconds == 0 ? 0 : seconds).bitPattern)
    case .data(let data):
      bytes.append(6)
      append(UInt64(data.count))
      bytes.append(contentsOf: data)
    case .uuid(let uuid):
      bytes.append(7)
      withUnsafeBytes(of: uuid.uuid) { bytes.append(contentsOf: $0) }
    case .url(let text):
      bytes.append(8)
      append(text: text)
    case .object(let key):
      append(9, key.rawValue)
      append(UInt64(source))
    }
  }

  /// Whole numbers of any kind are the same.
  private mutating func append(_ number: Double) {
    if let whole = Int64(exactly: number) { return append(1, UInt64(bitPattern: whole)) }
    append(2, number.isNaN ? Double.nan.bitPattern : number.bitPattern)
  }

  private mutating func append(text: String) {
    append(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func append(_ kind: UInt8, _ code: UInt64) {
    bytes.append(kind)
    append(code)
  }

  private mutating func append(_ code: UInt64) {
    withUnsafeBytes(of: code) { bytes.append(contentsOf: $0) }
  }
}

/// Numbers of groups by a code of 64 bits: open addressing, since a lookup is made for each row.
struct CodeTable {
  private var codes: [UInt64] = Array(repeating: 0, count: 64)
  /// A group's number and 1; 0 where there is none.
  private var numbers: [UInt32] = Array(repeating: 0, count: 64)
  private(set) var count = 0

  /// The number of a code's group; a new code takes `next`.
  @inline(__always)
  mutating func number(of code: UInt64, next: Int) -> Int {
    let mask = codes.count - 1
    var place = Self.place(code, mask)
    while true {
      let number = numbers[place]
      if number == 0 { break }
      if codes[place] == code { return Int(number) - 1 }
      place = (place + 1) & mask
    }
    codes[place] = code
    numbers[place] = UInt32(next + 1)
    count += 1
    if count * 2 > codes.count { grow() }
    return next
  }

  @inline(__always)
  private static func place(_ code: UInt64, _ mask: Int) -> Int {
    Int(truncatingIfNeeded: (code &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
  }

  private mutating func grow() {
    let (oldCodes, oldNumbers) = (codes, numbers)
    codes = Array(repeating: 0, count: oldCodes.count * 2)
    numbers = Array(repeating: 0, count: oldCodes.count * 2)
    let mask = codes.count - 1
    for (code, number) in zip(oldCodes, oldNumbers) where number != 0 {
      var place = Self.place(code, mask)
      while numbers[place] != 0 { place = (place + 1) & mask }
      codes[place] = code
      numbers[place] = number
    }
  }
}
