internal import Foundation
internal import Schema

extension PredicateBinder {
  /// Binds the columns, groups and order of a dictionary fetch.
  ///
  /// - Throws: `QueryError` as for predicates; for a column that is neither grouped nor an aggregate while rows are
  ///   grouped; for a key path through a to-many relationship outside an aggregate; for a `having` without groups.
  public func bind(_ request: TableRequest, variables: [String: Any] = [:]) throws(QueryError) -> BoundTable {
    var binding = TableBinding(self, request, variables)
    return try binding.table()
  }
}

/// The work of binding one table.
///
/// Of a group only its keys, aggregates and samples are known. What else is computed from them is an expression over
/// variables that stand for them, evaluated once a group.
private struct TableBinding {
  let request: TableRequest
  var context: BindingContext
  let isGrouped: Bool
  var keys: [RowExpression] = []
  var keyOrigins: [BoundTable.Origin?] = []
  var aggregates: [BoundTable.Aggregate] = []
  var aggregateSources: [NSExpression] = []
  var aggregateOrigins: [BoundTable.Origin?] = []
  var samples: [RowExpression] = []
  var sampleSources: [NSExpression] = []
  var sampleOrigins: [BoundTable.Origin?] = []

  init(_ binder: PredicateBinder, _ request: TableRequest, _ variables: [String: Any]) {
    self.request = request
    context = BindingContext(binder, variables: variables)
    isGrouped = !request.groupBy.isEmpty || request.columns.contains { Self.hasAggregate($0.expression) }
  }

  private var entityName: String { context.entityName }

  mutating func table() throws(QueryError) -> BoundTable {
    if request.having != nil, request.groupBy.isEmpty {
      throw QueryError(
        .unsupported, "\(entityName): a having predicate chooses among groups; set propertiesToGroupBy.",
        entity: entityName)
    }
    for group in request.groupBy {
      let (expression, origin) = try compiled(group)
      keys.append(expression)
      keyOrigins.append(origin)
    }
    var outputs: [BoundTable.Output] = []
    var columns: [BoundTable.Column] = []
    for column in request.columns {
      let (output, origin) = try output(column.expression)
      outputs.append(output)
      columns.append(BoundTable.Column(name: column.name, origin: origin))
    }
    var having: NSPredicate?
    if let predicate = request.having { having = try rewriting(predicate) }
    var rowSort: [BoundSort]?
    var sortKeys: [BoundTable.SortKey] = []
    if !isGrouped, !request.sortsResults { rowSort = try sortOfRows() }
    if rowSort == nil {
      for descriptor in request.sort { sortKeys.append(try sortKey(descriptor, &outputs)) }
    }
    return BoundTable(
      columns: columns, isGrouped: isGrouped, isDistinct: request.isDistinct, rowSort: rowSort,
      countsRowsOnly: countsRowsOnly(having), outputs: outputs, sortKeys: sortKeys, keys: keys,
      aggregates: aggregates, samples: samples, having: having)
  }

  private func countsRowsOnly(_ having: NSPredicate?) -> Bool {
    guard isGrouped, keys.isEmpty, samples.isEmpty else { return false }
    return aggregates.allSatisfy { aggregate in
      if case .row? = aggregate.column?.kind { return aggregate.function == .count }
      return false
    }
  }

  // MARK: Columns

  /// An expression over rows, and the property that its values are values of.
  private mutating func compiled(_ expression: NSExpression) throws(QueryError) -> (RowExpression, BoundTable.Origin?) {
    if let path = try context.path(of: expression) {
      guard !Self.isMany(path) else {
        throw QueryError(
          .unsupported,
          "\(entityName): “\(expression)” has many values for a row: take an aggregate of it, or a collection operator.",
          entity: entityName, key: "\(expression)")
      }
      return (try context.compile(expression).0, Self.origin(path))
    }
    return (try context.compile(expression).0, nil)
  }

  private static func isMany(_ path: BoundPath) -> Bool {
    guard path.isToMany else { return false }
    return !path.steps.contains { step in
      if case .collection = step { return true }
      return false
    }
  }

  private static func origin(_ path: BoundPath) -> BoundTable.Origin? {
    guard let step = path.steps.last, let entity = path.entities.last, entity >= 0 else { return nil }
    switch step {
    case .attribute(let access), .toOne(let access):
      return BoundTable.Origin(entity: entity, property: access.property)
    default: return nil
    }
  }

  private mutating func output(
    _ expression: NSExpression
  ) throws(QueryError) -> (BoundTable.Output, BoundTable.Origin?) {
    guard isGrouped else {
      let (row, origin) = try compiled(expression)
      return (.row(row), origin)
    }
    let rewritten: NSExpression = try rewriting(expression)
    guard case .variable(let name) = rewritten.kind, let index = Int(name.dropFirst(2)) else {
      return (.computed(rewritten), nil)
    }
    switch name.prefix(2) {
    case GroupVariable.key: return (.key(index), keyOrigins[index])
    case GroupVariable.aggregate: return (.aggregate(index), aggregateOrigins[index])
    default: return (.sample(index), sampleOrigins[index])
    }
  }

  // MARK: Groups

  private mutating func rewriting(_ expression: NSExpression) throws(QueryError) -> NSExpression {
    try register(partsOf: expression)
    return try ExpressionRewriting(replacement: known()).rewritten(expression)
  }

  private mutating func rewriting(_ predicate: NSPredicate) throws(QueryError) -> NSPredicate {
    for expression in Self.expressions(of: predicate) { try register(partsOf: expression) }
    return try ExpressionRewriting(replacement: known()).rewritten(predicate)
  }

  private static func expressions(of predicate: NSPredicate) -> [NSExpression] {
    if let compound = predicate as? NSCompoundPredicate {
      return compound.subpredicates.flatMap { expressions(of: $0) }
    }
    guard let comparison = predicate as? NSComparisonPredicate else { return [] }
    return [comparison.leftExpression, comparison.rightExpression]
  }

  /// What stands for a part of an expression over a group.
  private func known() -> (NSExpression) throws(QueryError) -> NSExpression? {
    let binding = self
    return { part throws(QueryError) in
      if let variable = binding.variable(for: part) { return variable }
      if case .constant(let value?) = part.kind, value is any ObjectKeyConvertible {
        guard case .value(let key) = try binding.context.stored(Operand(value)) else { return nil }
        return NSExpression(forConstantValue: key)
      }
      guard let name = binding.columnName(part),
        let column = binding.request.columns.first(where: { $0.name == name })
      else { return nil }
      if let variable = binding.variable(for: column.expression) { return variable }
      return try ExpressionRewriting(replacement: { inner throws(QueryError) in binding.variable(for: inner) })
        .rewritten(column.expression)
    }
  }

  private func variable(for part: NSExpression) -> NSExpression? {
    if let index = request.groupBy.firstIndex(of: part) { return GroupVariable.expression(GroupVariable.key, index) }
    if let index = aggregateSources.firstIndex(of: part) {
      return GroupVariable.expression(GroupVariable.aggregate, index)
    }
    if let index = sampleSources.firstIndex(of: part) { return GroupVariable.expression(GroupVariable.sample, index) }
    return nil
  }

  /// The column that a variable or a key names: a property comes before a column of the same name.
  private func columnName(_ part: NSExpression) -> String? {
    switch part.kind {
    case .variable(let name): return context.variables[name] == nil ? name : nil
    case .keyPath(nil, let path):
      let entity = context.schema.entities[context.binder.entity]
      return entity.propertyIndexByName[path] == nil ? path : nil
    default: return nil
    }
  }

  /// Takes down the aggregates and samples that an expression needs.
  private mutating func register(partsOf expression: NSExpression) throws(QueryError) {
    if variable(for: expression) != nil { return }
    if let (function, argument) = Self.aggregate(expression) {
      try register(function, argument, of: expression)
      return
    }
    switch expression.kind {
    case .function(_, let operand, let arguments):
      if let operand { try register(partsOf: operand) }
      for argument in arguments { try register(partsOf: argument) }
    case .aggregate(let parts): for part in parts { try register(partsOf: part) }
    case .set(_, let left, let right):
      try register(partsOf: left)
      try register(partsOf: right)
    case .conditional(let predicate, let yes, let no):
      for part in Self.expressions(of: predicate) { try register(partsOf: part) }
      try register(partsOf: yes)
      try register(partsOf: no)
    case .keyPath, .evaluatedObject, .subquery, .variable: try registerSample(expression)
    case .constant, .anyKey, .block, .custom: return
    }
  }

  private mutating func register(
    _ function: PredicateFunction, _ argument: NSExpression, of source: NSExpression
  ) throws(QueryError) {
    guard !Self.hasAggregate(argument) else {
      throw QueryError(
        .unsupported, "\(entityName): “\(source)” is an aggregate of an aggregate.", entity: entityName,
        key: "\(source)")
    }
    let path: BoundPath? = try context.path(of: argument)
    let compiled: RowExpression = try context.compile(argument).0
    let column: TypedColumn? = path.flatMap { Self.column($0, function, context.schema) }
    let keepsOrigin = function == .min || function == .max || function == .mode
    aggregates.append(BoundTable.Aggregate(function: function, argument: compiled, column: column))
    aggregateSources.append(source)
    aggregateOrigins.append(keepsOrigin ? path.flatMap(Self.origin) : nil)
  }

  private mutating func registerSample(_ expression: NSExpression) throws(QueryError) {
    if let name = columnName(expression), let column = request.columns.first(where: { $0.name == name }) {
      if column.expression != expression { try register(partsOf: column.expression) }
      return
    }
    if case .variable(let name) = expression.kind {
      guard context.variables[name] == nil else { return }
      throw QueryError(
        .unboundVariable, "\(entityName): the variable $\(name) has no value, and no column is named so.",
        entity: entityName, key: name)
    }
    let (compiled, origin) = try compiled(expression)
    guard request.groupBy.isEmpty else {
      throw QueryError(
        .unsupported,
        "\(entityName): “\(expression)” is neither grouped nor an aggregate: add it to propertiesToGroupBy, or take an aggregate of it.",
        entity: entityName, key: "\(expression)")
    }
    samples.append(compiled)
    sampleSources.append(expression)
    sampleOrigins.append(origin)
  }

  private static func column(
    _ path: BoundPath, _ function: PredicateFunction, _ schema: Schema
  ) -> TypedColumn? {
    switch function {
    case .count, .sum, .average, .min, .max: break
    default: return nil
    }
    if path.steps.isEmpty { return function == .count ? TypedColumn(kind: .row, access: nil) : nil }
    guard path.depth == 0, path.steps.count == 1 else { return nil }
    switch path.steps[0] {
    case .toOne(let access): return function == .count ? TypedColumn(kind: .presence, access: access) : nil
    case .attribute(let access):
      if function == .count { return TypedColumn(kind: .presence, access: access) }
      guard case .attribute(let type) = path.type else { return nil }
      switch type {
      case .integer16, .integer32, .integer64: return TypedColumn(kind: .integer, access: access)
      case .double: return TypedColumn(kind: .double, access: access)
      case .date: return TypedColumn(kind: .date, access: access)
      case .float: return TypedColumn(kind: .float, access: access)
      default: return nil
      }
    default: return nil
    }
  }

  // MARK: Order

  /// The order of rows, when every key is one of a row's.
  private func sortOfRows() throws(QueryError) -> [BoundSort]? {
    var sort: [BoundSort] = []
    for descriptor in request.sort {
      if let key = descriptor.key, columnName(NSExpression(forKeyPath: key)) != nil,
        request.columns.contains(where: { $0.name == key && $0.expression != NSExpression(forKeyPath: key) })
      {
        return nil
      }
      sort.append(try context.binder.bind(descriptor))
    }
    return sort
  }

  private mutating func sortKey(
    _ descriptor: NSSortDescriptor, _ outputs: inout [BoundTable.Output]
  ) throws(QueryError) -> BoundTable.SortKey {
    guard let key = descriptor.key, !descriptor.hasOwnComparator,
      let comparison = BoundSort.Comparison(selector: descriptor.selector?.name ?? "compare:")
    else {
      throw QueryError(
        .unsupported, "\(entityName): dictionaries cannot be sorted by \(descriptor): give a key and a comparator.",
        entity: entityName, key: descriptor.key)
    }
    let path = NSExpression(forKeyPath: key)
    let index: Int
    if let column = request.columns.firstIndex(where: { $0.name == key }) {
      index = column
    } else {
      index = outputs.count
      outputs.append(try output(path).0)
    }
    return BoundTable.SortKey(output: index, isAscending: descriptor.ascending, comparison: comparison)
  }

  // MARK: Aggregates

  /// A function over the rows of a group, if an expression is one: `sum:(amount)`, or `@sum.amount`.
  private static func aggregate(_ expression: NSExpression) -> (PredicateFunction, NSExpression)? {
    switch expression.kind {
    case .function(let name, let operand, let arguments):
      guard let function = PredicateFunction(named: name), function.takesCollection else { return nil }
      let all: [NSExpression] = (operand.map { [$0] } ?? []) + arguments
      guard all.count == 1 else { return nil }
      switch all[0].kind {
      case .aggregate, .constant, .set: return nil
      default: return (function, all[0])
      }
    case .keyPath(nil, let path):
      let parts: [String] = keyComponents(path)
      guard let first = parts.first, let function = PredicateFunction(collectionOperator: first) else { return nil }
      let rest: String = parts.dropFirst().joined(separator: ".")
      if rest.isEmpty { return function == .count ? (.count, NSExpression(expressionType: .evaluatedObject)) : nil }
      return (function, NSExpression(forKeyPath: rest))
    default: return nil
    }
  }

  private static func hasAggregate(_ expression: NSExpression) -> Bool {
    if aggregate(expression) != nil { return true }
    switch expression.kind {
    case .function(_, let operand, let arguments):
      return (operand.map(hasAggregate) ?? false) || arguments.contains(where: hasAggregate)
    case .aggregate(let parts): return parts.contains(where: hasAggregate)
    case .set(_, let left, let right): return hasAggregate(left) || hasAggregate(right)
    case .conditional(let predicate, let yes, let no):
      return hasAggregate(yes) || hasAggregate(no) || expressions(of: predicate).contains(where: hasAggregate)
    default: return false
    }
  }
}

/// The variables that stand for what is known of a group. No format can name them.
enum GroupVariable {
  static let key = "\u{1}k"
  static let aggregate = "\u{1}a"
  static let sample = "\u{1}s"

  static func expression(_ kind: String, _ index: Int) -> NSExpression { NSExpression(forVariable: "\(kind)\(index)") }
}

extension PredicateFunction {
  /// The function that a collection operator stands for.
  fileprivate init?(collectionOperator: String) {
    switch collectionOperator {
    case "@count": self = .count
    case "@sum": self = .sum
    case "@avg": self = .average
    case "@min": self = .min
    case "@max": self = .max
    default: return nil
    }
  }
}
