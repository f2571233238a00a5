import Schema

/// A small hash table from object keys to numbers, for the objects of one commit: an insertion costs a multiplication
/// and a store.
struct KeyTable {
  private var keys: [UInt64]
  private var values: [Int32]
  private var mask: Int
  private(set) var count = 0

  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    // No object has the raw key `max`: its ordinal would be out of range.
    keys = Array(repeating: .max, count: size)
    values = Array(repeating: 0, count: size)
    mask = size - 1
  }

  private func start(_ key: ObjectKey) -> Int {
    Int(truncatingIfNeeded: (key.rawValue &* 0x9E37_79B9_7F4A_7C15) >> 20) & mask
  }

  subscript(key: ObjectKey) -> Int? {
    var slot = start(key)
    while keys[slot] != .max {
      if keys[slot] == key.rawValue { return Int(values[slot]) }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// Returns false, and changes nothing, if the key is there already.
  mutating func insert(_ key: ObjectKey, _ value: Int) -> Bool {
    if count * 2 >= keys.count { grow() }
    var slot = start(key)
    while keys[slot] != .max {
      if keys[slot] == key.rawValue { return false }
      slot = (slot + 1) & mask
    }
    keys[slot] = key.rawValue
    values[slot] = Int32(value)
    count += 1
    return true
  }

  private mutating func grow() {
    var bigger = KeyTable(capacity: keys.count)
    for slot in keys.indices where keys[slot] != .max {
      _ = bigger.insert(ObjectKey(rawValue: keys[slot]), Int(values[slot]))
    }
    self = bigger
  }
}
