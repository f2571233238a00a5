internal import Foundation
public import Schema

/// Makes the results of a dictionary fetch out of rows, which are added one by one in any order. The one way for every
/// store: a store only decides where the rows come from.
public struct TableBuilder {
  private let table: BoundTable
  private var results: [Result] = []
  private var seen: Set<GroupKey> = []

  // Groups.
  private var groups: [Group] = []
  private var numbers: [NumberAccumulator] = []
  private var values: [ValueAccumulator] = []
  private var codes = CodeTable()
  private var numbersByKey: [GroupKey: Int] = [:]
  private var key = GroupKey()
  /// The group of rows that have nothing in the only column grouped by.
  private var absentGroup: Int?
  private let codedKey: SlotAccess?
  /// The only least or greatest among the aggregates: samples are read from the row that it is found in.
  private let sampler: Int?

  private struct Group {
    var keys: [BoundValue]
    var sample: Row?
    var best: Value = .null
    let source: Int
  }

  private struct Result {
    /// One for each output.
    let values: [BoundValue]
    let source: Int
  }

  public init(_ table: BoundTable) {
    self.table = table
    codedKey = table.keys.count == 1 ? (table.keys[0] as? PathExpression)?.codedSlot : nil
    let extremes = table.aggregates.indices.filter { index in
      table.aggregates[index].function == .min || table.aggregates[index].function == .max
    }
    sampler = extremes.count == 1 && !table.samples.isEmpty ? extremes[0] : nil
  }

  // MARK: Rows

  /// - Parameters:
  ///   - row: the next one.
  ///   - source: where the row is from, and objects that key paths lead to are found.
  ///   - number: of the source: objects of different sources are different.
  public mutating func add(_ row: Row, in source: any ObjectSource, number: Int = 0) throws(StoreError) {
    let scope = RowScope(source: source)
    defer { withExtendedLifetime(source) {} }
    guard table.isGrouped else { return try addResult(row, scope, number) }
    let group: Int = try group(of: row, scope, number)
    for index in table.aggregates.indices {
      let aggregate = table.aggregates[index]
      if let column = aggregate.column {
        Self.add(row, column, aggregate.function, &numbers[group * table.aggregates.count + index], scope)
      } else {
        let operand: Operand = try aggregate.argument.value(row, scope)
        values[group * table.aggregates.count + index].add(operand, aggregate.function)
      }
    }
    if !table.samples.isEmpty { try sample(row, group, scope) }
  }

  @inline(__always)
  private static func add(
    _ row: Row, _ column: TypedColumn, _ function: PredicateFunction, _ accumulator: inout NumberAccumulator,
    _ scope: borrowing RowScope
  ) {
    guard let access = column.access else { return accumulator.addPresence() }
    guard let slot = access.slot(of: row, scope), !row.isNull(slot) else { return }
    switch column.kind {
    case .row, .presence: accumulator.addPresence()
    case .integer: accumulator.add(row.integer(slot), function)
    case .double, .date: accumulator.add(row.double(slot), function)
    case .float: accumulator.add(Double(row.float(slot)), function)
    }
  }

  private mutating func addResult(_ row: Row, _ scope: borrowing RowScope, _ source: Int) throws(StoreError) {
    var values: [BoundValue] = []
    values.reserveCapacity(table.outputs.count)
    for case .row(let expression) in table.outputs { values.append(BoundValue(try expression.value(row, scope))) }
    if isNew(values, source) { results.append(Result(values: values, source: source)) }
  }

  private mutating func isNew(_ values: [BoundValue], _ source: Int) -> Bool {
    guard table.isDistinct else { return true }
    var key = GroupKey()
    for value in values.prefix(table.columns.count) { key.append(value, source: source) }
    return seen.insert(key).inserted
  }

  // MARK: Groups

  private mutating func group(
    of row: Row, _ scope: borrowing RowScope, _ source: Int
  ) throws(StoreError) -> Int {
    let next = groups.count
    if let codedKey, source == 0 {
      guard let slot = codedKey.slot(of: row, scope), !row.isNull(slot) else {
        if let absentGroup { return absentGroup }
        absentGroup = next
        addGroup([.one(.null)], source)
        return next
      }
      let group = codes.number(of: row.groupCode(slot), next: next)
      if group == next { addGroup([.one(row.value(slot))], source) }
      return group
    }
    if table.keys.isEmpty {
      if groups.isEmpty { addGroup([], source) }
      return 0
    }
    var keys: [BoundValue] = []
    key.removeAll()
    for expression in table.keys {
      let value = BoundValue(try expression.value(row, scope))
      key.append(value, source: source)
      keys.append(value)
    }
    if let known = numbersByKey[key] { return known }
    numbersByKey[key] = next
    addGroup(keys, source)
    return next
  }

  private mutating func addGroup(_ keys: [BoundValue], _ source: Int) {
    groups.append(Group(keys: keys, source: source))
    for _ in table.aggregates {
      numbers.append(NumberAccumulator())
      values.append(ValueAccumulator())
    }
  }

  /// Keeps the row that samples are read from: the one that the only least or greatest is found in, of several the one
  /// with the lowest key; without one, that with the lowest key of all.
  private mutating func sample(_ row: Row, _ group: Int, _ scope: borrowing RowScope) throws(StoreError) {
    guard let known = groups[group].sample else {
      groups[group].sample = row
      if let sampler { groups[group].best = try extreme(row, sampler, scope) }
      return
    }
    var comparison = 0
    if let sampler {
      let value: Value = try extreme(row, sampler, scope)
      let best: Value = groups[group].best
      comparison = value.isNull ? (best.isNull ? 0 : 1) : best.isNull ? -1 : order(value, best) ?? 0
      if table.aggregates[sampler].function == .max, !value.isNull, !best.isNull { comparison = -comparison }
      if comparison < 0 { groups[group].best = value }
    }
    if comparison < 0 || comparison == 0 && row.key < known.key { groups[group].sample = row }
  }

  private func extreme(_ row: Row, _ index: Int, _ scope: borrowing RowScope) throws(StoreError) -> Value {
    BoundValue(try table.aggregates[index].argument.value(row, scope)).first
  }

  // MARK: Results

  /// The results, in the order asked for, cut to a window.
  ///
  /// - Parameters:
  ///   - offset: how many are left out at the beginning.
  ///   - limit: 0 for all.
  ///   - sources: those that rows were added with, by their number.
  public mutating func rows(
    offset: Int = 0, limit: Int = 0, sources: [any ObjectSource]
  ) throws(StoreError) -> [TableRow] {
    if table.isGrouped { try finishGroups(sources) }
    if !table.sortKeys.isEmpty { sort() }
    let start = min(offset, results.count)
    let end = limit == 0 ? results.count : min(start + limit, results.count)
    let count = table.columns.count
    return results[start..<end].map { TableRow(values: Array($0.values.prefix(count)), source: $0.source) }
  }

  private mutating func finishGroups(_ sources: [any ObjectSource]) throws(StoreError) {
    // Without groups there is one result, of no rows too.
    if table.keys.isEmpty, groups.isEmpty { addGroup([], 0) }
    for index in groupsByKey() {
      let aggregates: [Operand] = table.aggregates.indices.map { number in
        let aggregate = table.aggregates[number]
        let place = index * table.aggregates.count + number
        if let column = aggregate.column { return .value(numbers[place].result(aggregate.function, column.kind)) }
        return values[place].result(aggregate.function)
      }
      let samples: [Operand] = try samples(of: groups[index], sources)
      if let values = try outputs(groups[index], aggregates, samples), isNew(values, groups[index].source) {
        results.append(Result(values: values, source: groups[index].source))
      }
    }
  }

  private func samples(of group: Group, _ sources: [any ObjectSource]) throws(StoreError) -> [Operand] {
    guard let row = group.sample, group.source < sources.count else { return table.samples.map { _ in .null } }
    let scope = RowScope(source: sources[group.source])
    var values: [Operand] = []
    for expression in table.samples { values.append(try expression.value(row, scope)) }
    return values
  }

  /// `nil` for a group that is not wanted.
  private func outputs(
    _ group: Group, _ aggregates: [Operand], _ samples: [Operand]
  ) throws(StoreError) -> [BoundValue]? {
    var evaluator = DynamicEvaluator(object: nil, variables: [:])
    if needsEvaluator {
      for (index, key) in group.keys.enumerated() {
        evaluator.variables["\(GroupVariable.key)\(index)"] = Operand(key)
      }
      for (index, value) in aggregates.enumerated() {
        evaluator.variables["\(GroupVariable.aggregate)\(index)"] = value
      }
      for (index, value) in samples.enumerated() { evaluator.variables["\(GroupVariable.sample)\(index)"] = value }
    }
    do throws(QueryError) {
      if let having = table.having, try !evaluator.holds(having) { return nil }
      var values: [BoundValue] = []
      for output in table.outputs {
        switch output {
        case .row: values.append(.one(.null))
        case .key(let index): values.append(group.keys[index])
        case .aggregate(let index): values.append(BoundValue(aggregates[index]))
        case .sample(let index): values.append(BoundValue(samples[index]))
        case .computed(let expression): values.append(BoundValue(try evaluator.value(of: expression)))
        }
      }
      return values
    } catch {
      throw StoreError(.unsupported, error.message, underlying: error)
    }
  }

  private var needsEvaluator: Bool {
    table.having != nil
      || table.outputs.contains { output in
        if case .computed = output { return true }
        return false
      }
  }

  /// Groups come in the order of what they are grouped by, unless the request has one of its own, so that it does not
  /// depend on how their rows were found.
  private func groupsByKey() -> [Int] {
    groups.indices.sorted { a, b in
      for (left, right) in zip(groups[a].keys, groups[b].keys) {
        let comparison = compare(left.first, right.first, .plain)
        if comparison != 0 { return comparison < 0 }
      }
      return a < b
    }
  }

  private mutating func sort() {
    let order: [Int] = results.indices.sorted { a, b in
      for key in table.sortKeys {
        let (left, right) = (results[a].values[key.output].first, results[b].values[key.output].first)
        let comparison = compare(left, right, key.comparison)
        if comparison != 0 { return (comparison < 0) == key.isAscending }
      }
      return a < b
    }
    results = order.map { results[$0] }
  }
}

/// The order of two results: absence first.
private func compare(_ a: Value, _ b: Value, _ comparison: BoundSort.Comparison) -> Int {
  if a.isNull || b.isNull { return (a.isNull ? 0 : 1) - (b.isNull ? 0 : 1) }
  if let left = a.text, let right = b.text { return comparison.compare(left, right) }
  return order(a, b) ?? 0
}

extension Operand {
  fileprivate init(_ value: BoundValue) {
    switch value {
    case .one(let value): self = .value(value)
    case .many(let values): self = .many(values.map { .value($0) })
    }
  }
}

extension PathExpression {
  /// The slot that it reads, when a value in it is equal to another exactly when its bits are.
  var codedSlot: SlotAccess? {
    guard depth == 0, steps.count == 1 else { return nil }
    switch steps[0] {
    case .toOne(let access): return access
    case .attribute(let access): return access.hasCode ? access : nil
    default: return nil
    }
  }
}

extension SlotAccess {
  /// Whether `Row.groupCode` tells its values apart, in every entity.
  fileprivate var hasCode: Bool {
    switch kind {
    case .bool, .int16, .int32, .int64, .date, .reference: true
    case .float, .double, .uuid, .string, .url, .data, .decimal, nil: false
    }
  }
}

extension Row {
  @inline(__always)
  fileprivate func groupCode(_ slot: RowSlot) -> UInt64 {
    switch slot.kind {
    case .bool: return bool(slot) ? 1 : 0
    case .date:
      let seconds = double(slot)
      return (seconds == 0 ? 0 : seconds).bitPattern
    case .reference: return reference(slot).rawValue
    default: return UInt64(bitPattern: integer(slot))
    }
  }
}
