import LogStore
import Predicates
import Schema
import StoreContract

/// Finds the objects a plan asks for: candidates from an index where one narrows them, else every row of the entity,
/// block by block; each candidate is judged by the whole predicate.
struct FetchExecutor {
  let view: RecordView
  let plan: FetchPlan
  let overlay: (any PendingOverlay)?
  let source: any ObjectSource
  let entities: [Int]
  let report: FetchReport?

  /// How many rows are put in the order they are stored before they are read: few at first, so that a small limit
  /// ends soon.
  private static let batchRowsMin = 1024
  private static let batchRowsMax = 64 << 10

  init(view: RecordView, plan: FetchPlan, overlay: (any PendingOverlay)?, report: FetchReport?) {
    self.view = view
    self.plan = plan
    self.overlay = overlay
    self.report = report
    source = overlay ?? view
    entities = plan.includesSubentities ? view.schema.descendants[plan.entity] : [plan.entity]
  }

  var windowEnd: Int { plan.limit > 0 ? plan.offset + plan.limit : Int.max }
  private var matchesAll: Bool { plan.predicate == nil || plan.predicate?.constantResult == true }
  var finder: CandidateFinder {
    CandidateFinder(view: view, entities: entities, followsRelationships: overlay == nil)
  }

  func count() throws(StoreError) -> Int {
    if plan.predicate?.constantResult == false { return 0 }
    var total = 0
    if matchesAll, overlay == nil {
      total = finder.objectCount(entities)
    } else {
      try forEachMatch(of: try choice()) { _ in
        total += 1
        return total < windowEnd
      }
    }
    return max(0, min(total, windowEnd) - plan.offset)
  }

  func keys() throws(StoreError) -> [ObjectKey] {
    if plan.predicate?.constantResult == false {
      report?.access = "nothing can match"
      return []
    }
    return plan.sort.isEmpty ? try keysInKeyOrder() : try sortedKeys()
  }

  /// The index that narrows the candidates, if one does.
  func choice() throws(StoreError) -> CandidateFinder.Choice? {
    guard let predicate = plan.predicate, predicate.constantResult == nil else { return nil }
    return try finder.choice(for: predicate)
  }

  // Unsorted.

  private func keysInKeyOrder() throws(StoreError) -> [ObjectKey] {
    var found: [ObjectKey] = []
    report?.order = "by key"
    if matchesAll, overlay == nil {
      report?.access = "the keys of \(entityNames)"
      try listKeys(into: &found)
    } else {
      // Entities one by one, in the order of their numbers; batches of a scan in the order of keys.
      var batchStart = 0
      try forEachMatch(
        of: try choice(),
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
    for entity in orderedEntities {
      let number = view.core.plan.entityNumbers[entity]
      try view.root.locations[entity].visitAll { ordinal, _ in
        found.append(ObjectKey(entityNumber: number, ordinal: ordinal))
        return found.count < windowEnd
      }
      if found.count >= windowEnd { return }
    }
  }

  func window(_ keys: [ObjectKey]) -> [ObjectKey] {
    guard plan.offset > 0 || keys.count > windowEnd else { return keys }
    return Array(keys[min(plan.offset, keys.count)..<min(windowEnd, keys.count)])
  }

  // Candidates.

  private var orderedEntities: [Int] {
    if entities.count == 1 { return entities }
    return entities.sorted { view.core.plan.entityNumbers[$0] < view.core.plan.entityNumbers[$1] }
  }

  private var entityNames: String { entities.map { view.schema.entities[$0].name }.joined(separator: ", ") }

  /// Calls `body` with each matching row until it returns false, and `betweenBatches` after the rows of each batch.
  func forEachMatch(
    of choice: CandidateFinder.Choice?, _ body: (Row) throws(StoreError) -> Bool,
    betweenBatches: () -> Bool = { true }
  ) throws(StoreError) {
    if let choice {
      note(choice)
      try judge(try finder.keys(of: choice.source), body)
      _ = betweenBatches()
      return
    }
    report?.access = "every row of \(entityNames)"
    for entity in orderedEntities {
      guard try scan(entity, body, betweenBatches) else { return }
    }
  }

  private func note(_ choice: CandidateFinder.Choice) {
    guard let report else { return }
    report.access = choice.source.description(view.core.plan)
    report.indexes = choice.source.indexNames(view.core.plan)
    report.estimatedRows = choice.count
  }

  private func judge(
    _ candidates: [ObjectKey], _ body: (Row) throws(StoreError) -> Bool
  ) throws(StoreError) {
    for key in candidates {
      guard let row = try view.row(for: key) else { continue }
      report?.rowsScanned += 1
      guard try isMatch(row) else { continue }
      guard try body(row) else { return }
    }
  }

  func isMatch(_ row: Row) throws(StoreError) -> Bool {
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
    var scanned = 0
    defer { report?.rowsScanned += scanned }
    for word in batch {
      let location = RowLocation(rawValue: word)
      if location.block != number {
        number = location.block
        block = try view.core.blocks.block(number)
      }
      guard let row = block?.row(at: location.offsetBytes) else { continue }
      scanned += 1
      if try isMatch(row) {
        guard try body(row) else { return false }
      }
    }
    return true
  }
}
