internal import Schema

/// A set of property indexes that costs no allocation for entities of up to 64 properties.
struct PropertyBits {
  private var low: UInt64 = 0
  private var high: [UInt64] = []

  var isEmpty: Bool { low == 0 && high.allSatisfy { $0 == 0 } }

  func contains(_ property: Int) -> Bool {
    if property < 64 { return low >> UInt64(property) & 1 != 0 }
    let word: Int = property >> 6 - 1
    return word < high.count && high[word] >> UInt64(property & 63) & 1 != 0
  }

  mutating func insert(_ property: Int) {
    if property < 64 {
      low |= 1 << UInt64(property)
      return
    }
    let word: Int = property >> 6 - 1
    while high.count <= word { high.append(0) }
    high[word] |= 1 << UInt64(property & 63)
  }

  mutating func remove(_ property: Int) {
    if property < 64 {
      low &= ~(1 << UInt64(property))
    } else if property >> 6 - 1 < high.count {
      high[property >> 6 - 1] &= ~(1 << UInt64(property & 63))
    }
  }

  mutating func formUnion(_ other: PropertyBits) {
    low |= other.low
    while high.count < other.high.count { high.append(0) }
    for (word, bits) in other.high.enumerated() { high[word] |= bits }
  }
}
