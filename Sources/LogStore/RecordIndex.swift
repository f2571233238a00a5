/// Where records start, by number, for those behind the place that the log was opened from. Where the ones before it
/// are, their segments find out when somebody asks.
struct RecordIndex: Sendable {
  /// The number of the last record that it has nothing of.
  let base: UInt64
  private var addresses: [UInt64] = []

  init(after base: UInt64 = 0) { self.base = base }

  var lastNumber: UInt64 { base + UInt64(addresses.count) }

  mutating func append(_ address: BlockAddress) { addresses.append(address.rawValue) }

  subscript(number: UInt64) -> BlockAddress? {
    guard number > base, number <= lastNumber else { return nil }
    return BlockAddress(rawValue: addresses[Int(number - base - 1)])
  }
}
