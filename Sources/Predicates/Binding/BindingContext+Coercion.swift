internal import Foundation
internal import Schema

extension BindingContext {
  /// A constant as a value that can be compared with what an expression gives.
  ///
  /// - Throws: for one that has nothing in common with the attribute's type.
  func coerced(
    _ operand: Operand, to type: BoundType, _ expression: NSExpression, _ operation: NSComparisonPredicate.Operator
  ) throws(QueryError) -> Operand {
    if case .many(let members) = operand {
      var result: [Operand] = []
      for member in members { result.append(try coerced(member, to: type, expression, operation)) }
      return .many(result)
    }
    if operand.isNull { return operand }
    switch type {
    case .unknown: return operand
    case .object:
      guard operand.objectKey != nil || operand.isForeign else {
        throw mismatch(operand, "objects; give an object or its identifier", expression)
      }
      return operand
    case .attribute(let attribute):
      if operation.needsText, attribute != .string, attribute != .uri {
        throw mismatch(operand, "values of type \(attribute.name), which \(operation) cannot search", expression)
      }
      guard case .value(let value) = operand, let result = coerced(value, to: attribute) else {
        if operand.isForeign, attribute == .objectID { return operand }
        throw mismatch(operand, "values of type \(attribute.name)", expression)
      }
      return .value(result)
    }
  }

  private func mismatch(_ operand: Operand, _ what: String, _ expression: NSExpression) -> QueryError {
    let constant = operand.anyValue.map { "\($0) (\(type(of: $0)))" } ?? "nil"
    return QueryError(
      .typeMismatch, "\(entityName): “\(expression)” has \(what): it cannot be compared with \(constant).",
      entity: entityName, key: "\(expression)")
  }

  /// The value in the attribute's terms, `nil` where it makes no sense there.
  private func coerced(_ value: Value, to type: AttributeType) -> Value? {
    switch type {
    case .integer16, .integer32, .integer64, .double, .float, .boolean, .decimal:
      return coercedNumber(value, to: type)
    case .date:
      if case .string(let text) = value { return dateSeconds(text).map { .date($0) } }
      return value.asDouble.map { .date($0) }
    case .string:
      switch value {
      case .date, .data, .object: return nil
      default: return value
      }
    case .uri: return value.text.map { .url($0) }
    case .uuid:
      switch value {
      case .uuid: return value
      case .string(let text): return UUID(uuidString: text).map { .uuid($0) }
      case .data(let data): return data.count == 16 ? value : nil
      default: return nil
      }
    case .binary, .transformable:
      switch value {
      case .data, .uuid: return value
      default: return nil
      }
    case .objectID:
      if case .object = value { return value }
      return nil
    }
  }

  private func coercedNumber(_ value: Value, to type: AttributeType) -> Value? {
    let number: Value? =
      switch value {
      case .string(let text): numberValue(text) ?? truth(text)
      case .date(let seconds): .double(seconds)
      default: value.asNumber
      }
    guard let number else { return nil }
    switch type {
    case .integer16, .integer32, .integer64, .boolean:
      // Whole numbers of any kind become integers; others stay, and equal nothing.
      if case .double(let double) = number, let whole = Int64(exactly: double) { return .int(whole) }
      if case .float(let float) = number, let whole = Int64(exactly: float) { return .int(whole) }
      if case .decimal(let decimal) = number, let whole = decimal.exactInteger { return .int(whole) }
      return number
    default: return number
    }
  }

  private func truth(_ text: String) -> Value? {
    switch text.lowercased() {
    case "true", "yes": .bool(true)
    case "false", "no": .bool(false)
    default: nil
    }
  }

  // MARK: Terms

  /// What an index could answer of a comparison.
  func terms(_ property: Int, _ type: AttributeType, _ leaf: LeafComparison) -> [BoundTerm] {
    // Indexes hold values as they are, folded strings and inequalities need every row.
    guard leaf.options.isEmpty || type != .string && type != .uri, !leaf.isNegated else { return [] }
    if let choices = leaf.choices {
      var values: [Value] = []
      for choice in choices {
        guard case .value(let value) = choice else { return [] }
        switch indexed(value, type) {
        case .exact(let value): values.append(value)
        case .nothing: break
        case .unknown: return []
        }
      }
      return [.oneOf(property: property, values: values)]
    }
    func bound(_ operand: Operand, isInclusive: Bool) -> BoundTerm.Bound? {
      guard case .value(let value) = operand, !value.isNull, type != .float,
        case .exact(let exact) = indexed(value, type)
      else { return nil }
      return BoundTerm.Bound(exact, isInclusive: isInclusive)
    }
    switch leaf.type {
    case .lessThan, .lessThanOrEqualTo:
      guard let upper = bound(leaf.constant, isInclusive: leaf.type == .lessThanOrEqualTo) else { return [] }
      return [.range(property: property, lower: nil, upper: upper)]
    case .greaterThan, .greaterThanOrEqualTo:
      guard let lower = bound(leaf.constant, isInclusive: leaf.type == .greaterThanOrEqualTo) else { return [] }
      return [.range(property: property, lower: lower, upper: nil)]
    case .between:
      guard case .many(let bounds) = leaf.constant, bounds.count == 2, let lower = bound(bounds[0], isInclusive: true),
        let upper = bound(bounds[1], isInclusive: true)
      else { return [] }
      return [.range(property: property, lower: lower, upper: upper)]
    case .beginsWith:
      guard let text = leaf.constant.string, !text.isEmpty else { return [] }
      return [.prefix(property: property, text: text)]
    default: return []
    }
  }

  private enum Indexed {
    case exact(Value)
    /// No stored value equals it.
    case nothing
    /// It may equal stored values in ways an index does not know.
    case unknown
  }

  private func indexed(_ value: Value, _ type: AttributeType) -> Indexed {
    if value.isNull { return .exact(.null) }
    switch (type, value) {
    case (.integer16, .int), (.integer32, .int), (.integer64, .int), (.double, .double), (.date, .date),
      (.string, .string), (.uri, .url), (.uuid, .uuid), (.binary, .data), (.transformable, .data), (.decimal, .decimal),
      (.float, .float):
      return .exact(value)
    case (.integer16, .bool(let flag)), (.integer32, .bool(let flag)), (.integer64, .bool(let flag)):
      return .exact(.int(flag ? 1 : 0))
    case (.integer16, .double), (.integer32, .double), (.integer64, .double): return .nothing
    case (.boolean, .bool): return .exact(value)
    case (.boolean, .int(let number)): return number == 0 || number == 1 ? .exact(.bool(number == 1)) : .nothing
    case (.double, _): return value.exactDouble.map { .exact(.double($0)) } ?? .unknown
    case (.float, .double(let number)): return .exact(.float(Float(number)))
    case (.decimal, _): return value.asDecimal.map { .exact(.decimal($0)) } ?? .unknown
    default: return .unknown
    }
  }
}

extension NSComparisonPredicate.Operator {
  /// Operators that look into text (`CONTAINS` of a single value included).
  var needsText: Bool { isStringOnly || self == .contains }
}

extension NSComparisonPredicate.Operator: CustomStringConvertible {
  public var description: String { PredicatePrinter.sign(of: self) }
}

extension Decimal {
  var exactInteger: Int64? {
    guard isFinite, let number = Int64("\(self)") else { return nil }
    return number
  }
}
