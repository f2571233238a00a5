internal import Foundation

extension FormatParser {
  /// `SUBQUERY(…)`, `CAST(…)`, `TERNARY(…)`, `FUNCTION(…)`, or one of the predefined functions.
  mutating func function(_ word: String, at start: FormatToken) throws(QueryError) -> NSExpression {
    try nested { parser throws(QueryError) in
      switch word.uppercased() {
      case "SUBQUERY": return try parser.subquery()
      case "CAST": return try parser.cast()
      case "TERNARY": return try parser.ternary()
      case "FUNCTION": return try parser.functionByName()
      default: return try parser.predefined(word, at: start)
      }
    }
  }

  private mutating func open() throws(QueryError) {
    advance()
    try expect("(")
  }

  private mutating func subquery() throws(QueryError) -> NSExpression {
    try open()
    let collection: NSExpression = try expression()
    try expect(",")
    guard case .variable(let name) = token.kind else { throw unexpected("a variable such as $x") }
    advance()
    try expect(",")
    let predicate: NSPredicate = try predicate()
    try expect(")")
    return NSExpression(forSubquery: collection, usingIteratorVariable: name, predicate: predicate)
  }

  private mutating func cast() throws(QueryError) -> NSExpression {
    try open()
    let value: NSExpression = try expression()
    try expect(",")
    let typeToken = token
    let type: NSExpression = try expression()
    try expect(")")
    if case .constant(let name as String) = type.kind {
      guard let castType = CastType(name: name) else {
        throw fault(.unsupported, "CAST knows \(CastType.names), and not “\(name)”", at: typeToken)
      }
      // A cast literal is a constant: that is how dates, UUIDs and the like are written.
      if case .constant(let literal?) = value.kind {
        guard let result = castType.apply(Operand(literal)).anyValue else {
          throw fault(.syntax, "“\(literal)” cannot be read as \(name)", at: typeToken)
        }
        return NSExpression(forConstantValue: result)
      }
    }
    return call(.cast, [value, type])
  }

  private mutating func ternary() throws(QueryError) -> NSExpression {
    try open()
    let condition: NSPredicate = try predicate()
    try expect(",")
    let yes: NSExpression = try expression()
    try expect(",")
    let no: NSExpression = try expression()
    try expect(")")
    return NSExpression(forConditional: condition, trueExpression: yes, falseExpression: no)
  }

  /// `FUNCTION(operand, 'name:', arguments…)`.
  private mutating func functionByName() throws(QueryError) -> NSExpression {
    try open()
    let target: NSExpression = try expression()
    try expect(",")
    let nameToken = token
    guard case .string(let name) = token.kind else { throw unexpected("the function's name as a string") }
    advance()
    var arguments: [NSExpression] = []
    while skip(",") { arguments.append(try expression()) }
    try expect(")")
    guard let function = PredicateFunction(named: name), function.argumentCount == arguments.count + 1 else {
      throw unknownFunction(name, count: arguments.count + 1, at: nameToken)
    }
    return NSExpression(forFunction: target, selectorName: function.rawValue, arguments: arguments)
  }

  /// `sum(x)`, `sum:(x)`, `add:to:(x, y)`, `now()`.
  private mutating func predefined(_ word: String, at start: FormatToken) throws(QueryError) -> NSExpression {
    var name = word
    advance()
    while skip(":") {
      name += ":"
      if case .word(let part) = token.kind, token(ahead: 1).kind == .sign(":") {
        name += part
        advance()
      }
    }
    try expect("(")
    var arguments: [NSExpression] = []
    if !isSign(")") { repeat { arguments.append(try expression()) } while skip(",") }
    try expect(")")
    guard let function = PredicateFunction(named: name) else {
      throw unknownFunction(name, count: arguments.count, at: start)
    }
    // Statistics take any number of values, or one collection of them.
    if function.takesCollection, arguments.count != 1 {
      return call(function, [NSExpression(forAggregate: arguments)])
    }
    guard function.argumentCount == arguments.count else {
      throw unknownFunction(name, count: arguments.count, at: start)
    }
    return call(function, arguments)
  }

  private func unknownFunction(_ name: String, count: Int, at token: FormatToken) -> QueryError {
    fault(
      .unsupported,
      "there is no function “\(name)” of \(count) argument\(count == 1 ? "" : "s"); there are \(PredicateFunction.names)",
      at: token)
  }
}
