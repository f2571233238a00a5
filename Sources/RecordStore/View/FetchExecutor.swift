import LogStore
import Predicates
import Schema
import StoreContract

/// Finds the objects a plan asks for: candidates from an index where one narrows them, else every row of the entity,
/// block by block; each candidate is judged by the whole predicate.
struct FetchExecutor {
  private let view: RecordView
  private let plan: FetchPlan
  private let overlay: (any PendingOverlay)?
  private let source: any ObjectSource
  private let entities: [Int]

  /// How many rows are put in the order they are stored before they are read: few at first, so that a small limit
  /// ends soon.
  private static let batchRowsMin = 1024
  private static let batchRowsMax = 64 << 10

  init(view: RecordView, plan: FetchPlan, overlay: (any PendingOverlay)?) {
    self.view = view
    self.plan = plan
    self.overlay = overlay
    source = overlay ?? view
    entities = plan.includesSubentities ? view.schema.descendants[plan.entity] : [plan.entity]
  }

  private var windowEnd: Int { plan.limit > 0 ? plan.offset + plan.limit : Int.max }

  mutating func count() throws(StoreError) -> Int {
    if plan.predicate?.constantResult == false { return 0 }
    var total = 0
    if plan.predicate == nil || plan.predicate?.constantResult == true, overlay == nil {
      total = entities.reduce(0) { $0 + view.root.locations[$1].count }
    } else {
      try forEachMatch { _ in
        total += 1
        return total < windowEnd
      }
    }
    return max(0, min(total, windowEnd) - plan.offset)
  }

  mutating func keys() throws(StoreError) -> [ObjectKey] {
    if plan.predicate?.constantResult == false { return [] }
    return plan.sort.isEmpty ? try keysInKeyOrder() : try sortedKeys()
  }

  // Unsorted.

  private func keysInKeyOrder() throws(StoreError) -> [ObjectKey] {
    var found: [ObjectKey] = []
    if plan.predicate == nil, overlay == nil {
      try listKeys(into: &found)
    } else {
      // Entities one by one, in the order of their numbers; batches of a scan in the order of keys.
      var batchStart = 0
      try forEachMatch(
        { row in
          found.append(row.key)
          return true
        },
        betweenBatches: {
          found[batchStart...].sort()
          batchStart = found.count
          return found.count < windowEnd
        })
    }
    return window(found)
  }

  private func listKeys(into found: inout [ObjectKey]) throws(StoreError) {
    for entity in entities.sorted(by: { view.core.plan.entityNumbers[$0] < view.core.plan.entityNumbers[$1] }) {
      let number = view.core.plan.entityNumbers[entity]
      try view.root.locations[entity].visitAll { ordinal, _ in
        found.append(ObjectKey(entityNumber: number, ordinal: ordinal))
        return found.count < windowEnd
      }
      if found.count >= windowEnd { return }
    }
  }

  private func window(_ keys: [ObjectKey]) -> [ObjectKey] {
    guard plan.offset > 0 || keys.count > windowEnd else { return keys }
    return Array(keys[min(plan.offset, keys.count)..<min(windowEnd, keys.count)])
  }

  // Sorted.

  private func sortedKeys() throws(StoreError) -> [ObjectKey] {
    var rows: [Row] = []
    let keep = plan.limit > 0 ? windowEnd : 0
    // With a limit only the best so far are kept; `worst` turns away the rest before they are stored.
    var worst: Row?
    try forEachMatch { row throws(StoreError) in
      if let worst, try !comesBefore(row, worst) { return true }
      rows.append(row)
      if keep > 0, rows.count >= keep * 2 + 64 {
        try sort(&rows)
        rows.removeLast(rows.count - keep)
        worst = rows.last
      }
      return true
    }
    try sort(&rows)
    return window(rows.map(\.key))
  }

  private func sort(_ rows: inout [Row]) throws(StoreError) {
    do {
      try rows.sort { try comesBefore($0, $1) }
    } catch {
      throw StoreError(any: error)
    }
  }

  private func comesBefore(_ a: Row, _ b: Row) throws(StoreError) -> Bool {
    for descriptor in plan.sort {
      let order = try descriptor.compare(a, b, in: source)
      if order != 0 { return order < 0 }
    }
    return a.key < b.key
  }

  // Candidates.

  /// Calls `body` with each matching row until it returns false, and `betweenBatches` after the rows of each batch.
  private func forEachMatch(
    _ body: (Row) throws(StoreError) -> Bool, betweenBatches: () -> Bool = { true }
  ) throws(StoreError) {
    if let predicate = plan.predicate, predicate.constantResult == nil,
      let candidates = try CandidateFinder(view: view, entities: entities).candidates(for: predicate)
    {
      try judge(candidates, body)
      _ = betweenBatches()
      return
    }
    for entity in entities.sorted(by: { view.core.plan.entityNumbers[$0] < view.core.plan.entityNumbers[$1] }) {
      guard try scan(entity, body, betweenBatches) else { return }
    }
  }

  private func judge(
    _ candidates: [ObjectKey], _ body: (Row) throws(StoreError) -> Bool
  ) throws(StoreError) {
    for key in candidates {
      guard let row = try view.row(for: key) else { continue }
      guard try isMatch(row) else { continue }
      guard try body(row) else { return }
    }
  }

  private func isMatch(_ row: Row) throws(StoreError) -> Bool {
    if let overlay, overlay.isChanged(row.key) { return false }
    guard let predicate = plan.predicate else { return true }
    return try predicate.matches(row, in: source)
  }

  /// Returns false when it was told to stop.
  private func scan(
    _ entity: Int, _ body: (Row) throws(StoreError) -> Bool, _ betweenBatches: () -> Bool
  ) throws(StoreError) -> Bool {
    var batch: [UInt64] = []
    var batchRows = Self.batchRowsMin
    var isSorted = true
    var goesOn = true
    try view.root.locations[entity].visitAll { _, location throws(StoreError) in
      if let last = batch.last, location.rawValue < last { isSorted = false }
      batch.append(location.rawValue)
      guard batch.count == batchRows else { return true }
      if !isSorted { batch.sort() }
      goesOn = try read(batch, body) && betweenBatches()
      batch.removeAll(keepingCapacity: true)
      batchRows = min(batchRows * 4, Self.batchRowsMax)
      isSorted = true
      return goesOn
    }
    guard goesOn else { return false }
    if !isSorted { batch.sort() }
    return try read(batch, body) && betweenBatches()
  }

  private func read(_ batch: [UInt64], _ body: (Row) throws(StoreError) -> Bool) throws(StoreError) -> Bool {
    var number = -1
    var block: Block?
    for word in batch {
      let location = RowLocation(rawValue: word)
      if location.block != number {
        number = location.block
        block = try view.core.blocks.block(number)
      }
      guard let row = block?.row(at: location.offsetBytes) else { continue }
      if try isMatch(row) {
        guard try body(row) else { return false }
      }
    }
    return true
  }
}
