/// Types as they are written.
extension SwiftScanner {
  /// Reads a text that is a type and nothing else.
  static func type(_ text: String) -> WrittenType {
    var scanner = SwiftScanner(path: "", tokens: SwiftLexer.tokens(of: text))
    let type = scanner.scanType()
    return scanner.position == scanner.tokens.count ? type : .other(text)
  }

  /// Reads a type at the current token.
  mutating func scanType() -> WrittenType {
    while isPunctuation("@") { position += 2 }
    while let token = current, ["any", "some", "inout", "borrowing", "consuming", "sending"].contains(token.text),
      position + 1 < tokens.count, tokens[position + 1].isName
    {
      position += 1
    }
    var type = scanBaseType()
    while let token = current {
      if token.isPunctuation("?") || token.isPunctuation("!") {
        // A question mark after a line break belongs to something else.
        guard !token.startsLine else { break }
        type = .optional(type)
        position += 1
      } else if token.isPunctuation("&") || token.text == "->" {
        let start = position
        position += 1
        let right = scanType()
        type = .other("\(type) \(tokens[start].text) \(right)")
      } else {
        break
      }
    }
    return type
  }

  private mutating func scanBaseType() -> WrittenType {
    guard let token = current else { return .other("") }
    if token.isPunctuation("[") { return scanBracketedType() }
    if token.isPunctuation("(") { return scanParenthesizedType() }
    guard token.isName else { return .other(token.text) }
    var names: [String] = [token.text]
    position += 1
    var arguments: [WrittenType] = scanTypeArguments()
    while isPunctuation("."), position + 1 < tokens.count, tokens[position + 1].isName {
      names.append(tokens[position + 1].text)
      position += 2
      arguments = scanTypeArguments()
    }
    if names == ["Optional"] || names == ["Swift", "Optional"], arguments.count == 1 { return .optional(arguments[0]) }
    if names == ["Array"] || names == ["Swift", "Array"], arguments.count == 1 { return .array(arguments[0]) }
    if names == ["Dictionary"] || names == ["Swift", "Dictionary"], arguments.count == 2 {
      return .dictionary(arguments[0], arguments[1])
    }
    return .name(names, arguments: arguments)
  }

  private mutating func scanTypeArguments() -> [WrittenType] {
    guard isPunctuation("<") else { return [] }
    var arguments: [WrittenType] = []
    repeat {
      position += 1
      arguments.append(scanType())
    } while isPunctuation(",")
    if isPunctuation(">") { position += 1 }
    return arguments
  }

  private mutating func scanBracketedType() -> WrittenType {
    position += 1
    let first = scanType()
    var type: WrittenType = .array(first)
    if isPunctuation(":") {
      position += 1
      type = .dictionary(first, scanType())
    }
    if isPunctuation("]") { position += 1 }
    return type
  }

  private mutating func scanParenthesizedType() -> WrittenType {
    let start = position
    position += 1
    if isPunctuation(")") {
      position += 1
      return .other("()")
    }
    let inner = scanType()
    if isPunctuation(")") {
      position += 1
      // `(T)` is T, and `(any P)?` needs its parentheses; `(A) -> B` is seen by the caller.
      return inner
    }
    position = start
    skipBalanced()
    return .other(tokens[start..<position].map(\.text).joined(separator: " "))
  }
}
