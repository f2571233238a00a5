import Synchronization

/// Blocks by address, within a bound of bytes. Blocks used since the last look stay; the others go first (a clock,
/// which costs a hit no more than setting a mark).
final class BlockCache: Sendable {
  private struct Entry {
    var key: UInt64
    var block: Block
    var isUsed: Bool
  }

  private struct Shard: ~Copyable {
    var slots: [UInt64: Int] = [:]
    var entries: [Entry] = []
    var hand = 0
    var costBytes = 0
  }

  // Readers on several cores must not wait for one lock.
  private static let shardCount = 8
  private let shards: [ShardBox]
  private let shardBytesMax: Int

  private final class ShardBox: Sendable {
    let shard = Mutex(Shard())
  }

  init(bytesMax: Int) {
    shards = (0..<Self.shardCount).map { _ in ShardBox() }
    shardBytesMax = max(bytesMax, 0) / Self.shardCount
  }

  private func box(_ key: UInt64) -> ShardBox {
    let mixed = key &* 0x9e37_79b9_7f4a_7c15
    return shards[Int(truncatingIfNeeded: mixed >> 61)]
  }

  func block(at address: BlockAddress) -> Block? {
    let key = address.rawValue
    return box(key).shard.withLock { shard in
      guard let slot = shard.slots[key] else { return nil }
      shard.entries[slot].isUsed = true
      return shard.entries[slot].block
    }
  }

  func insert(_ block: Block, at address: BlockAddress) {
    let key = address.rawValue
    let cost = block.costBytes
    guard cost <= shardBytesMax else { return }
    let bound = shardBytesMax
    box(key).shard.withLock { shard in
      guard shard.slots[key] == nil else { return }
      while shard.costBytes + cost > bound { Self.evictOne(&shard) }
      shard.slots[key] = shard.entries.count
      shard.entries.append(Entry(key: key, block: block, isUsed: false))
      shard.costBytes += cost
    }
  }

  private static func evictOne(_ shard: inout Shard) {
    while true {
      if shard.hand >= shard.entries.count { shard.hand = 0 }
      let hand = shard.hand
      if shard.entries[hand].isUsed {
        shard.entries[hand].isUsed = false
        shard.hand += 1
        continue
      }
      shard.costBytes -= shard.entries[hand].block.costBytes
      shard.slots[shard.entries[hand].key] = nil
      let last = shard.entries.removeLast()
      if hand < shard.entries.count {
        shard.entries[hand] = last
        shard.slots[last.key] = hand
      }
      return
    }
  }

  /// Bytes held now.
  var costBytes: Int { shards.reduce(0) { total, box in total + box.shard.withLock { $0.costBytes } } }
}
