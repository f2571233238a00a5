/// What a store keeps count of beside its indexes, after one commit.
struct StoreTally: Sendable, Equatable {
  struct Mark: Sendable, Equatable {
    var number: UInt64
    var timestamp: Double
    var author: String?
  }

  var metadata: [String: String] = [:]
  /// By the store's entity number: the highest ordinal ever inserted, and how many insertions there were.
  var highestOrdinals: [Int: UInt64] = [:]
  var insertedCounts: [Int: Int] = [:]
  var transactionCount = 0
  var first: Mark?
  var last: Mark?
  /// Bytes of all rows, unpacked.
  var rowBytes: UInt64 = 0
  /// Blocks that the log has up to the commit.
  var blockCount = 0

  /// Counts a commit that has become a record.
  mutating func note(_ commit: Commit, number: UInt64, blockCount: Int, rowBytes: UInt64) {
    for (name, value) in commit.changes.metadata { metadata[name] = value }
    for change in commit.pending where change.operation == .insert {
      let entity = change.key.entityNumber
      highestOrdinals[entity] = max(highestOrdinals[entity] ?? 0, change.key.ordinal)
      insertedCounts[entity, default: 0] += 1
    }
    transactionCount += 1
    last = Mark(number: number, timestamp: commit.changes.timestamp, author: commit.changes.author)
    if first == nil { first = last }
    self.rowBytes += rowBytes
    self.blockCount = blockCount
  }
}
