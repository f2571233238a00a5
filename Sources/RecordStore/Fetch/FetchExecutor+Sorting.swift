import Predicates
import Schema
import StoreContract

extension FetchExecutor {
  func sortedKeys() throws(StoreError) -> [ObjectKey] {
    let choice = try choice()
    if let keys = try keysInIndexOrder(besides: choice) { return window(keys) }
    var rows = SortedRows(sort: plan.sort, source: source, keep: plan.limit > 0 ? windowEnd : 0)
    try forEachMatch(of: choice) { row throws(StoreError) in
      try rows.add(row)
      return true
    }
    report?.order = plan.limit > 0 ? "sorted, the first \(windowEnd) kept" : "sorted"
    return window(try rows.keys())
  }

  /// Walks an index that has the order asked for, until the window is full. `nil` when none has, when looking up and
  /// sorting is less work, or when the walk turns out to be long.
  private func keysInIndexOrder(besides choice: CandidateFinder.Choice?) throws(StoreError) -> [ObjectKey]? {
    guard let walk = indexWalk() else { return nil }
    let objectCount = finder.objectCount(entities)
    if case .range(walk.index, _, _)? = choice?.source {
      // The rows to be read are the same, and come in order.
    } else if plan.limit == 0 {
      return nil
    } else if let choice, choice.count / 2 <= windowEnd + 32 {
      return nil
    }
    // A predicate may let hardly anything through: then a scan is faster than reading rows all over the store.
    let rowsMax = max(objectCount / 4, plan.limit > 0 ? windowEnd : 0, choice?.count ?? 0) + 64
    var found: [ObjectKey] = []
    var group: [Row] = []
    var groupCode: UInt64?
    var rowsRead = 0
    func flush() throws(StoreError) {
      if group.count > 1 {
        var rows = SortedRows(sort: plan.sort, source: source, keep: 0)
        for row in group { try rows.add(row) }
        found += try rows.keys()
      } else if let row = group.first {
        found.append(row.key)
      }
      group.removeAll(keepingCapacity: true)
    }
    func visit(_ entry: IndexEntry) throws(StoreError) -> Bool {
      if entry.major != groupCode {
        try flush()
        groupCode = entry.major
        if found.count >= windowEnd { return false }
      }
      rowsRead += 1
      guard rowsRead <= rowsMax else { return false }
      guard isWanted(entry.key), let row = try view.row(for: entry.key), try isMatch(row) else { return true }
      group.append(row)
      return true
    }
    let tree = walk.index.tree(view.root)
    let (low, high) = (IndexEntry(walk.low, 0), IndexEntry(walk.high, .max))
    if plan.sort[0].isAscending {
      try tree.forEach(from: low, through: high) { entry, _ throws(StoreError) in try visit(entry) }
    } else {
      try tree.forEachReversed(from: low, through: high, visit)
    }
    guard rowsRead <= rowsMax else { return nil }
    try flush()
    note(walk, rowsRead)
    return found
  }

  private struct Walk {
    let index: IndexName
    let low: UInt64
    let high: UInt64
  }

  private func note(_ walk: Walk, _ rowsRead: Int) {
    guard let report else { return }
    let name = walk.index.description(view.core.plan)
    report.access = "\(name), in its order"
    report.indexes = [name]
    report.order = "by \(name)"
    report.rowsScanned += rowsRead
  }

  /// The index over what is sorted by first, when it holds every match: absent values are in no index.
  private func indexWalk() -> Walk? {
    let sort = plan.sort[0]
    let entity = view.core.plan.entities[plan.entity]
    guard sort.path.count == 1, let property = sort.path.first,
      let index = entity.fetches.first(where: { $0.property == property }),
      sort.comparison == .plain || index.slot.kind != .string && index.slot.kind != .url,
      index.slot.kind != .uuid, index.slot.kind != .decimal
    else { return nil }
    let name = IndexName.fetch(index.index)
    let terms = plan.predicate?.terms ?? []
    if let (low, high) = CandidateFinder.codes(of: property, in: terms, kind: index.slot.kind), low <= high {
      return Walk(index: name, low: low, high: high)
    }
    let declaring = view.core.plan.fetches[index.index].entity
    let objectCount = finder.objectCount(view.schema.descendants[declaring])
    return name.tree(view.root).count == objectCount ? Walk(index: name, low: 0, high: .max) : nil
  }

  private func isWanted(_ key: ObjectKey) -> Bool {
    let number = key.entityNumber
    for entity in entities where view.core.plan.entityNumbers[entity] == number { return true }
    return false
  }
}

/// Rows on their way into an order: each with the number that decides most comparisons, taken once.
struct SortedRows {
  private struct Entry {
    let code: UInt64
    let row: Int
  }
  private let sort: [BoundSort]
  private let source: any ObjectSource
  /// How many of the first are wanted; 0 for all. Only some more than these are kept at a time.
  private let keep: Int
  private var rows: [Row] = []
  private var entries: [Entry] = []
  /// The last of those to keep: what comes after it is turned away.
  private var worst: Entry?

  init(sort: [BoundSort], source: any ObjectSource, keep: Int) {
    self.sort = sort
    self.source = source
    self.keep = keep
  }

  mutating func add(_ row: Row) throws(StoreError) {
    let code = try sort[0].code(of: row, in: source)
    if let worst {
      if code > worst.code { return }
      if code == worst.code, try !comesBefore(row, rows[worst.row]) { return }
    }
    entries.append(Entry(code: code, row: rows.count))
    rows.append(row)
    if keep > 0, rows.count >= keep * 2 + 64 { try cut() }
  }

  private mutating func cut() throws(StoreError) {
    try order()
    entries.removeLast(entries.count - keep)
    var kept: [Row] = []
    kept.reserveCapacity(keep * 2 + 64)
    for index in entries.indices {
      kept.append(rows[entries[index].row])
      entries[index] = Entry(code: entries[index].code, row: index)
    }
    rows = kept
    worst = entries.last
  }

  mutating func keys() throws(StoreError) -> [ObjectKey] {
    try order()
    return entries.map { rows[$0.row].key }
  }

  private mutating func order() throws(StoreError) {
    // Out of `self` while it is sorted, since the order is asked of `self`.
    var sorted = entries
    entries = []
    do {
      try sorted.sort { a, b in
        if a.code != b.code { return a.code < b.code }
        return try comesBefore(rows[a.row], rows[b.row])
      }
    } catch {
      throw StoreError(any: error)
    }
    entries = sorted
  }

  private func comesBefore(_ a: Row, _ b: Row) throws(StoreError) -> Bool {
    for descriptor in sort {
      let order = try descriptor.compare(a, b, in: source)
      if order != 0 { return order < 0 }
    }
    return a.key < b.key
  }
}
