internal import Foundation
internal import Schema

extension FormatParser {
  /// Binary operators by rank, the weakest first.
  private static let ranks: [[String: PredicateFunction]] = [
    ["|": .bitwiseOr],
    ["^": .bitwiseXor],
    ["&": .bitwiseAnd],
    ["<<": .leftShift, ">>": .rightShift],
    ["+": .add, "-": .subtract],
    ["*": .multiply, "/": .divide, "%%": .modulus],
  ]

  /// One side of a comparison.
  mutating func operand() throws(QueryError) -> Item {
    var left: Item = try binary(rank: 0)
    var chain = 0
    while let operation = setOperation() {
      chain += 1
      try checkChain(chain)
      let start = token
      advance()
      let right: NSExpression = try asExpression(try binary(rank: 0), at: start)
      left = .expression(NSExpression(kind: .set(operation, try asExpression(left, at: start), right)))
    }
    return left
  }

  private func setOperation() -> SetOperation? {
    guard case .word(let word) = token.kind else { return nil }
    return SetOperation(rawValue: word.uppercased())
  }

  func asExpression(_ item: Item, at start: FormatToken) throws(QueryError) -> NSExpression {
    guard case .expression(let expression) = item else {
      throw fault(.syntax, "expected an expression beside \(start.text), found a comparison", at: start)
    }
    return expression
  }

  private mutating func binary(rank: Int) throws(QueryError) -> Item {
    guard rank < Self.ranks.count else { return try power() }
    var left: Item = try binary(rank: rank + 1)
    var chain = 0
    while case .sign(let sign) = token.kind, let function = Self.ranks[rank][sign] {
      chain += 1
      try checkChain(chain)
      let start = token
      advance()
      let first: NSExpression = try asExpression(left, at: start)
      let second: NSExpression = try asExpression(try binary(rank: rank + 1), at: start)
      left = .expression(call(function, [first, second]))
    }
    return left
  }

  /// `**` binds tightest and from the right.
  private mutating func power() throws(QueryError) -> Item {
    let base: Item = try unary()
    guard isSign("**") else { return base }
    let start = token
    advance()
    let exponent: Item = try nested { parser throws(QueryError) in try parser.power() }
    return .expression(call(.power, [try asExpression(base, at: start), try asExpression(exponent, at: start)]))
  }

  private mutating func unary() throws(QueryError) -> Item {
    let start = token
    if skip("-") {
      let item: Item = try nested { parser throws(QueryError) in try parser.unary() }
      return .expression(negated(try asExpression(item, at: start)))
    }
    if skip("+") { return try nested { parser throws(QueryError) in try parser.unary() } }
    if skip("~") {
      let item: Item = try nested { parser throws(QueryError) in try parser.unary() }
      return .expression(call(.onesComplement, [try asExpression(item, at: start)]))
    }
    return try postfix()
  }

  private func negated(_ expression: NSExpression) -> NSExpression {
    guard case .constant(let value) = expression.kind, let number = value as? NSNumber else {
      return call(.subtract, [NSExpression(forConstantValue: NSNumber(value: 0)), expression])
    }
    switch Value(number) {
    case .int(let value) where value != .min: return NSExpression(forConstantValue: NSNumber(value: -value))
    case .decimal(let value):
      let negative = NSDecimalNumber(decimal: -value)
      return NSExpression(
        forConstantValue: negative == NSDecimalNumber(value: Int64.min) ? NSNumber(value: Int64.min) : negative)
    case .double(let value): return NSExpression(forConstantValue: NSNumber(value: -value))
    default: return call(.subtract, [NSExpression(forConstantValue: NSNumber(value: 0)), expression])
    }
  }

  func call(_ function: PredicateFunction, _ arguments: [NSExpression]) -> NSExpression {
    NSExpression(kind: .function(name: function.rawValue, operand: nil, arguments: arguments))
  }

  /// A primary with the key path and the indexes that follow it.
  private mutating func postfix() throws(QueryError) -> Item {
    var item: Item = try primary()
    var chain = 0
    while isSign(".") || isSign("[") {
      guard case .expression(let expression) = item else { return item }
      chain += 1
      try checkChain(chain)
      if skip(".") {
        item = .expression(appending(try keyAfterDot(), to: expression))
      } else {
        advance()
        let index: NSExpression = try index()
        try expect("]")
        item = .expression(call(.index, [expression, index]))
      }
    }
    return item
  }

  private mutating func index() throws(QueryError) -> NSExpression {
    if token(ahead: 1).kind == .sign("]"), case .word(let word) = token.kind,
      let symbol = IndexSymbol(rawValue: word.uppercased())
    {
      advance()
      return NSExpression(forConstantValue: symbol)
    }
    return try expression()
  }

  private mutating func keyAfterDot() throws(QueryError) -> String {
    switch token.kind {
    case .word(let key), .escapedWord(let key):
      advance()
      return key
    case .placeholder("K"): return try keyArgument()
    default: throw unexpected("a key after “.”")
    }
  }

  private func appending(_ key: String, to expression: NSExpression) -> NSExpression {
    switch expression.kind {
    case .keyPath(let base, let path): NSExpression(kind: .keyPath(base: base, path: path + "." + key))
    case .evaluatedObject: NSExpression(kind: .keyPath(base: nil, path: key))
    default: NSExpression(kind: .keyPath(base: expression, path: key))
    }
  }

  private mutating func primary() throws(QueryError) -> Item {
    let start = token
    switch start.kind {
    case .string(let text): return constant(text)
    case .integer(let number): return constant(NSNumber(value: number))
    case .bigInteger(let number): return constant(NSDecimalNumber(decimal: number))
    case .real(let number): return constant(NSNumber(value: number))
    case .variable(let name):
      advance()
      return .expression(NSExpression(forVariable: name))
    case .placeholder("K"):
      return .expression(keyPathExpression(try keyArgument()))
    case .placeholder: return .expression(try argumentExpression())
    case .escapedWord(let word):
      advance()
      return .expression(NSExpression(forKeyPath: word))
    case .word(let word): return .expression(try wordExpression(word))
    case .sign("("):
      return try nested { parser throws(QueryError) in
        parser.advance()
        let item: Item = try parser.item()
        try parser.expect(")")
        return item
      }
    case .sign("{"): return .expression(try aggregate())
    default: throw unexpected("an expression")
    }
  }

  private mutating func constant(_ value: Any) -> Item {
    advance()
    return .expression(NSExpression(forConstantValue: value))
  }

  private mutating func aggregate() throws(QueryError) -> NSExpression {
    advance()
    var parts: [NSExpression] = []
    if skip("}") { return NSExpression(forAggregate: parts) }
    repeat { parts.append(try expression()) } while skip(",")
    try expect("}")
    return NSExpression(forAggregate: parts)
  }

  /// A literal, a function or a key path.
  private mutating func wordExpression(_ word: String) throws(QueryError) -> NSExpression {
    let start = token
    let next = token(ahead: 1)
    if next.kind == .sign("(") || (next.kind == .sign(":") && !next.followsBlank), !isReserved(word) || isCall(word) {
      return try function(word, at: start)
    }
    advance()
    switch word.uppercased() {
    case "SELF": return .expressionForEvaluatedObject()
    case "NIL", "NULL": return NSExpression(forConstantValue: nil)
    case "TRUE", "YES": return NSExpression(forConstantValue: NSNumber(value: true))
    case "FALSE", "NO": return NSExpression(forConstantValue: NSNumber(value: false))
    default: break
    }
    guard !isReserved(word) else {
      throw fault(.syntax, "expected an expression, found “\(word)”; a key of that name is written #\(word)", at: start)
    }
    return NSExpression(forKeyPath: word)
  }

  private func isCall(_ word: String) -> Bool {
    ["SUBQUERY", "FUNCTION", "CAST", "TERNARY"].contains(word.uppercased())
  }

  private func isReserved(_ word: String) -> Bool { reservedWords.contains(word.uppercased()) }

  // MARK: Arguments

  private mutating func keyArgument() throws(QueryError) -> String {
    let placeholder = token
    let argument: Any? = try nextArgument(placeholder)
    advance()
    if let key = argument as? String, !key.isEmpty { return key }
    if let keyPath = argument as? AnyKeyPath, let name = KeyPathNames.name(of: keyPath) { return name }
    let found = argument.map { "\($0)" } ?? "nil"
    throw fault(
      .arguments, "%K stands for a key path, which must be a string that is not empty: \(found) is none",
      at: placeholder)
  }

  private func keyPathExpression(_ path: String) -> NSExpression {
    if path.uppercased() == "SELF" { return .expressionForEvaluatedObject() }
    if path.count > 5, path.prefix(5).uppercased() == "SELF." {
      return NSExpression(forKeyPath: String(path.dropFirst(5)))
    }
    return NSExpression(forKeyPath: path)
  }

  private mutating func argumentExpression() throws(QueryError) -> NSExpression {
    let placeholder = token
    guard case .placeholder(let letter) = placeholder.kind else { throw unexpected("a placeholder") }
    let argument: Any? = try nextArgument(placeholder)
    advance()
    switch letter {
    case "@":
      if let expression = argument as? NSExpression { return expression }
      if argument is NSPredicate {
        throw fault(.arguments, "%@ stands for a value; combine predicates with NSCompoundPredicate", at: placeholder)
      }
      return NSExpression(forConstantValue: argument)
    case "s", "S", "c", "C":
      if let character = argument as? Character { return NSExpression(forConstantValue: String(character)) }
      if let text = argument as? String { return NSExpression(forConstantValue: text) }
      fallthrough
    default:
      guard let argument, let number = Operand(argument).number else {
        let found = argument.map { "\($0)" } ?? "nil"
        throw fault(.arguments, "\(placeholder.text) stands for a number: \(found) is none", at: placeholder)
      }
      return NSExpression(forConstantValue: number.anyValue)
    }
  }
}

/// Words that are not keys unless written with `#`.
let reservedWords: Set<String> = [
  "AND", "OR", "NOT", "IN", "ANY", "SOME", "ALL", "NONE", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH",
  "BETWEEN", "NIL", "NULL", "TRUE", "FALSE", "YES", "NO", "SELF", "TRUEPREDICATE", "FALSEPREDICATE", "SUBQUERY",
  "UNION", "INTERSECT", "MINUS", "CAST", "TERNARY", "FUNCTION",
]
