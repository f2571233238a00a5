internal import Foundation

/// Reads a format: a hand-written parser by precedence. Recursion is bounded, so that no text exhausts the stack.
struct FormatParser {
  /// What a part of a format turned out to be; parentheses may hold either.
  enum Item {
    case predicate(NSPredicate)
    case expression(NSExpression)
  }

  let format: String
  private let arguments: [Any?]
  private let tokens: [FormatToken]
  private var position = 0
  private var argumentsUsed = 0
  private var nesting = 0

  init(_ format: String, arguments: [Any?]) throws(QueryError) {
    self.format = format
    self.arguments = arguments
    tokens = try FormatTokenizer.tokens(of: format)
  }

  mutating func parsePredicate() throws(QueryError) -> NSPredicate {
    let predicate: NSPredicate = try predicate()
    try expectEnd("AND, OR or the end")
    return predicate
  }

  mutating func parseExpression() throws(QueryError) -> NSExpression {
    let expression: NSExpression = try expression()
    try expectEnd("an operator or the end")
    return expression
  }

  // MARK: Tokens

  var token: FormatToken { tokens[position] }
  func token(ahead: Int) -> FormatToken { tokens[min(position + ahead, tokens.count - 1)] }
  mutating func advance() { if position < tokens.count - 1 { position += 1 } }

  func isSign(_ sign: String) -> Bool { token.kind == .sign(sign) }

  mutating func skip(_ sign: String) -> Bool {
    guard isSign(sign) else { return false }
    advance()
    return true
  }

  mutating func expect(_ sign: String) throws(QueryError) {
    guard skip(sign) else { throw unexpected("“\(sign)”") }
  }

  func isKeyword(_ keyword: String) -> Bool { isKeyword(keyword, token) }

  func isKeyword(_ keyword: String, _ token: FormatToken) -> Bool {
    guard case .word(let word) = token.kind else { return false }
    return word.utf8.count == keyword.utf8.count && word.uppercased() == keyword
  }

  mutating func skipKeyword(_ keywords: String...) -> Bool {
    for keyword in keywords where isKeyword(keyword) {
      advance()
      return true
    }
    return false
  }

  private func expectEnd(_ expected: String) throws(QueryError) {
    guard token.kind == .end else { throw unexpected(expected) }
  }

  func unexpected(_ expected: String) -> QueryError {
    formatError(.syntax, format, offset: token.offset, "expected \(expected), found \(token.text)")
  }

  func fault(_ code: QueryError.Code, _ what: String, at token: FormatToken) -> QueryError {
    formatError(code, format, offset: token.offset, what)
  }

  /// One level deeper, as long as there is room.
  mutating func nested<T>(
    _ body: (inout FormatParser) throws(QueryError) -> T
  ) throws(QueryError) -> T {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= FormatLimits.nestingMax else {
      throw fault(.tooComplex, "it is nested more than \(FormatLimits.nestingMax) levels deep here", at: token)
    }
    return try body(&self)
  }

  func checkChain(_ count: Int) throws(QueryError) {
    guard count <= FormatLimits.chainMax else {
      throw fault(.tooComplex, "more than \(FormatLimits.chainMax) operators follow one another here", at: token)
    }
  }

  /// The argument for the placeholder at hand.
  mutating func nextArgument(_ placeholder: FormatToken) throws(QueryError) -> Any? {
    guard argumentsUsed < arguments.count else {
      throw fault(
        .arguments,
        "there is no argument for \(placeholder.text), the \(argumentsUsed + 1). placeholder: \(arguments.count) given",
        at: placeholder)
    }
    argumentsUsed += 1
    return flattened(arguments[argumentsUsed - 1])
  }

  // MARK: Predicates

  mutating func predicate() throws(QueryError) -> NSPredicate {
    let start = token
    switch try item() {
    case .predicate(let predicate): return predicate
    case .expression:
      throw formatError(
        .syntax, format, offset: token.offset,
        "expected a comparison operator after the expression that starts at column \(column(of: start)), found \(token.text)"
      )
    }
  }

  private func column(of token: FormatToken) -> Int {
    String(format.unicodeScalars.prefix(token.offset)).count + 1
  }

  mutating func expression() throws(QueryError) -> NSExpression {
    let start = token
    guard case .expression(let expression) = try nested({ parser throws(QueryError) in try parser.item() }) else {
      throw fault(.syntax, "expected an expression, found a comparison", at: start)
    }
    return expression
  }

  /// Alternatives joined by OR.
  mutating func item() throws(QueryError) -> Item {
    try joined(by: "OR", "||", .or) { parser throws(QueryError) in
      try parser.joined(by: "AND", "&&", .and) { parser throws(QueryError) in try parser.negation() }
    }
  }

  private mutating func joined(
    by keyword: String, _ sign: String, _ type: NSCompoundPredicate.LogicalType,
    _ part: (inout FormatParser) throws(QueryError) -> Item
  ) throws(QueryError) -> Item {
    let start = token
    let first: Item = try part(&self)
    guard isKeyword(keyword) || isSign(sign) else { return first }
    var parts: [NSPredicate] = [try asPredicate(first, at: start)]
    while isKeyword(keyword) || isSign(sign) {
      advance()
      let start = token
      parts.append(try asPredicate(try part(&self), at: start))
    }
    return .predicate(CompoundPredicate(type: type, subpredicates: parts))
  }

  private func asPredicate(_ item: Item, at start: FormatToken) throws(QueryError) -> NSPredicate {
    if case .predicate(let predicate) = item { return predicate }
    throw formatError(
      .syntax, format, offset: token.offset,
      "expected a comparison operator after the expression that starts at column \(column(of: start)), found \(token.text)"
    )
  }

  private mutating func negation() throws(QueryError) -> Item {
    guard isKeyword("NOT") || isSign("!") else { return try comparison() }
    advance()
    let start = token
    let item: Item = try nested { parser throws(QueryError) in try parser.negation() }
    return .predicate(CompoundPredicate(type: .not, subpredicates: [try asPredicate(item, at: start)]))
  }

  private mutating func comparison() throws(QueryError) -> Item {
    if skipKeyword("TRUEPREDICATE") { return .predicate(NSPredicate(value: true)) }
    if skipKeyword("FALSEPREDICATE") { return .predicate(NSPredicate(value: false)) }
    var modifier: NSComparisonPredicate.Modifier = .direct
    var isNone = false
    if skipKeyword("ANY", "SOME") {
      modifier = .any
    } else if skipKeyword("ALL") {
      modifier = .all
    } else if skipKeyword("NONE") {
      modifier = .any
      isNone = true
    }
    let start = token
    let left: Item = try operand()
    guard case .expression(let leftExpression) = left else {
      guard modifier == .direct else { throw fault(.syntax, "expected a key path, found a comparison", at: start) }
      return left
    }
    let isNegated = isKeyword("NOT") && isKeyword("IN", token(ahead: 1))
    if isNegated { advance() }
    guard let predicate = try comparison(of: leftExpression, modifier) else {
      guard modifier == .direct else { throw unexpected("a comparison operator") }
      return left
    }
    guard isNone || isNegated else { return .predicate(predicate) }
    return .predicate(CompoundPredicate(type: .not, subpredicates: [predicate]))
  }

  /// The operator, its options and its right side, if an operator comes next.
  private mutating func comparison(
    of left: NSExpression, _ modifier: NSComparisonPredicate.Modifier
  ) throws(QueryError) -> NSPredicate? {
    if let selector = try customSelector() {
      return NSComparisonPredicate(
        leftExpression: left, rightExpression: try operandExpression(), customSelector: Selector(selector))
    }
    guard let type = comparisonOperator() else { return nil }
    advance()
    let options: NSComparisonPredicate.Options = try options()
    let start = token
    let right: NSExpression = try operandExpression()
    // Only a literal: a pattern in an argument may be a user's, and is reported when the predicate is bound.
    if type == .matches, case .string(let pattern) = start.kind {
      do throws(QueryError) {
        _ = try StringMatcher(.matches, pattern, options: options)
      } catch {
        throw fault(.syntax, "expected a regular expression, found “\(pattern)”", at: start)
      }
    }
    return NSComparisonPredicate(
      leftExpression: left, rightExpression: right, modifier: modifier, type: type, options: options)
  }

  private func comparisonOperator() -> NSComparisonPredicate.Operator? {
    switch token.kind {
    case .sign(let sign):
      switch sign {
      case "=", "==": return .equalTo
      case "!=", "<>": return .notEqualTo
      case "<": return .lessThan
      case "<=", "=<": return .lessThanOrEqualTo
      case ">": return .greaterThan
      case ">=", "=>": return .greaterThanOrEqualTo
      default: return nil
      }
    case .word(let word):
      switch word.uppercased() {
      case "IN": return .in
      case "CONTAINS": return .contains
      case "BEGINSWITH": return .beginsWith
      case "ENDSWITH": return .endsWith
      case "LIKE": return .like
      case "MATCHES": return .matches
      case "BETWEEN": return .between
      default: return nil
      }
    default: return nil
    }
  }

  /// `[c]`, `[cd]` and so on.
  private mutating func options() throws(QueryError) -> NSComparisonPredicate.Options {
    guard isSign("["), case .word(let letters) = token(ahead: 1).kind, token(ahead: 2).kind == .sign("]") else {
      return []
    }
    advance()
    var options: NSComparisonPredicate.Options = []
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d": options.insert(.diacriticInsensitive)
      case "n": options.insert(.normalized)
      case "l": options.insert(.localeSensitive)
      default: throw unexpected("options made of c, d, n and l")
      }
    }
    advance()
    advance()
    return options
  }

  /// `isKindOfClass:` and the like, between two expressions.
  private mutating func customSelector() throws(QueryError) -> String? {
    guard case .word(let word) = token.kind, token(ahead: 1).kind == .sign(":"), !token(ahead: 1).followsBlank else {
      return nil
    }
    advance()
    advance()
    return word + ":"
  }

  private mutating func operandExpression() throws(QueryError) -> NSExpression {
    let start = token
    guard case .expression(let expression) = try operand() else {
      throw fault(.syntax, "expected an expression, found a comparison", at: start)
    }
    return expression
  }
}

func parsePredicate(_ format: String, arguments: [Any?]) throws(QueryError) -> NSPredicate {
  var parser = try FormatParser(format, arguments: arguments)
  return try parser.parsePredicate()
}

func parseExpression(_ format: String, arguments: [Any?]) throws(QueryError) -> NSExpression {
  var parser = try FormatParser(format, arguments: arguments)
  return try parser.parseExpression()
}
