internal import Predicates
internal import Schema
internal import StoreContract

/// The results of several stores as those of one fetch: in the order of its sort descriptors, objects that these don't
/// tell apart in the order of their stores, and cut to its window. Reads no further than the window's end.
struct StoreMerge {
  private struct Head {
    var next = 0
    var row: Row?
  }

  private let found: [FetchRun.Found]
  private var heads: [Head]
  private var skip: Int
  private var left: Int

  /// - Parameters:
  ///   - found: of each store its first results, as far as the window could reach.
  ///   - limit: 0 for none.
  init(_ found: [FetchRun.Found], offset: Int, limit: Int) {
    self.found = found
    heads = found.map { _ in Head() }
    skip = offset
    left = limit == 0 ? Int.max : limit
  }

  /// Runs of results, each of one store.
  consuming func results() throws(StoreError) -> [FetchRun.Found] {
    guard let sort = found.first?.sort, !sort.isEmpty else { return concatenated() }
    for store in found.indices { try read(store) }
    var runs: [FetchRun.Found] = []
    var last: Int?
    while left > 0, let store = try first(by: sort) {
      let key: ObjectKey = found[store].keys[heads[store].next]
      heads[store].next += 1
      try read(store)
      if skip > 0 {
        skip -= 1
        continue
      }
      left -= 1
      if store != last {
        var run: FetchRun.Found = found[store]
        run.keys = []
        runs.append(run)
        last = store
      }
      runs[runs.count - 1].keys.append(key)
    }
    return runs
  }

  private consuming func concatenated() -> [FetchRun.Found] {
    var parts: [FetchRun.Found] = []
    for var part in found {
      let keys: ArraySlice<ObjectKey> = part.keys.dropFirst(skip).prefix(left)
      skip = max(0, skip - part.keys.count)
      left -= keys.count
      part.keys = Array(keys)
      parts.append(part)
    }
    return parts
  }

  private mutating func read(_ store: Int) throws(StoreError) {
    let next: Int = heads[store].next
    let isOver: Bool = next >= found[store].keys.count
    heads[store].row = isOver ? nil : try found[store].source.row(for: found[store].keys[next])
  }

  /// The store whose next result comes first.
  private func first(by sort: [BoundSort]) throws(StoreError) -> Int? {
    var best: Int?
    for store in found.indices where heads[store].next < found[store].keys.count {
      guard let before = best else {
        best = store
        continue
      }
      if try isOrdered(store, before: before, by: sort) { best = store }
    }
    return best
  }

  private func isOrdered(_ store: Int, before other: Int, by sort: [BoundSort]) throws(StoreError) -> Bool {
    // A row that has gone since can't be compared: it comes where it stands in its own store.
    guard let row = heads[store].row, let otherRow = heads[other].row else { return heads[other].row != nil }
    for descriptor in sort {
      let order: Int = try descriptor.compare(row, in: found[store].source, otherRow, in: found[other].source)
      if order != 0 { return order < 0 }
    }
    return false
  }
}
