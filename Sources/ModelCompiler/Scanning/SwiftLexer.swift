/// Cuts Swift source into tokens. It never fails: what it does not understand becomes punctuation, and an unterminated
/// string or comment ends with the file, since the compiler is the one to complain about those.
package struct SwiftLexer {
  private let bytes: [UInt8]
  /// Whether code inside strings is cut into tokens too; the string around it then comes in pieces.
  private let takesInterpolations: Bool
  private var position = 0
  private var line = 1
  private var lineStart = 0
  private var startsLine = true
  /// How many strings we are inside of, one in the code of the other.
  private var nesting = 0
  /// Deeper code in strings counts as text: no file has it, and each level takes stack.
  private static let nestingMax = 100
  private var tokens: [SwiftToken] = []

  static func tokens(of source: String) -> [SwiftToken] { tokens(of: Array(source.utf8)) }

  /// - Parameters:
  ///   - source: UTF-8; a byte order mark is stepped over.
  ///   - takesInterpolations: whether `"a\(b)c"` is the literal `"a\(`, the name `b` and the literal `)c"` rather than
  ///     one literal.
  package static func tokens(of source: [UInt8], takesInterpolations: Bool = false) -> [SwiftToken] {
    var lexer = SwiftLexer(bytes: source, takesInterpolations: takesInterpolations)
    lexer.run()
    return lexer.tokens
  }

  private init(bytes: [UInt8], takesInterpolations: Bool) {
    self.bytes = bytes
    self.takesInterpolations = takesInterpolations
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      position = 3
      lineStart = 3
    }
  }

  private func peek(_ distance: Int = 0) -> UInt8 {
    position + distance < bytes.count ? bytes[position + distance] : 0
  }

  private func starts(with text: StaticString) -> Bool {
    guard position + text.utf8CodeUnitCount <= bytes.count else { return false }
    return text.withUTF8Buffer { $0.elementsEqual(bytes[position..<position + text.utf8CodeUnitCount]) }
  }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where position < bytes.count {
      if breaksLine(at: position) {
        line += 1
        lineStart = position + 1
        startsLine = true
      }
      position += 1
    }
  }

  /// A lone carriage return ends a line too.
  private func breaksLine(at index: Int) -> Bool {
    let byte = bytes[index]
    if byte == UInt8(ascii: "\n") { return true }
    return byte == UInt8(ascii: "\r") && !(index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n"))
  }

  private mutating func run() {
    while position < bytes.count { step() }
  }

  /// Takes the next token, or steps over what is none.
  private mutating func step() {
    switch peek() {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): advance()
    case UInt8(ascii: "/") where starts(with: "//"): skipLine()
    case UInt8(ascii: "/") where starts(with: "/*"): skipBlockComment()
    case UInt8(ascii: "/"): if !takeRegularExpression() { takePunctuation() }
    case UInt8(ascii: "\""): skipString(poundCount: 0)
    case UInt8(ascii: "#"): takePound()
    case UInt8(ascii: "`"): takeEscapedName()
    case UInt8(ascii: "0")...UInt8(ascii: "9"): takeNumber()
    default:
      if Self.isNamePart(peek()) { takeName() } else { takePunctuation() }
    }
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "$"): true
    default: byte >= 0x80
    }
  }

  private mutating func add(_ kind: SwiftToken.Kind, from start: Int, to end: Int, line: Int, column: Int) {
    let isEscaped = kind == .word(isEscaped: true)
    let text = String(decoding: isEscaped ? bytes[start + 1..<end - 1] : bytes[start..<end], as: UTF8.self)
    tokens.append(
      SwiftToken(kind: kind, text: text, line: line, column: column, startsLine: startsLine, range: start..<end))
    startsLine = false
  }

  /// Takes `count` bytes, which hold no line break, as a token.
  private mutating func take(_ kind: SwiftToken.Kind, count: Int) {
    let column = position - lineStart + 1
    add(kind, from: position, to: position + count, line: line, column: column)
    position += count
  }

  private mutating func takeName() {
    var count = 1
    while Self.isNamePart(peek(count)) { count += 1 }
    take(.word(isEscaped: false), count: count)
  }

  private mutating func takeNumber() {
    var count = 1
    while Self.isNamePart(peek(count)) { count += 1 }
    take(.literal, count: count)
  }

  private mutating func takePunctuation() {
    take(.punctuation, count: starts(with: "->") ? 2 : 1)
  }

  private mutating func takeEscapedName() {
    var count = 1
    while peek(count) != UInt8(ascii: "`"), peek(count) != UInt8(ascii: "\n"), peek(count) != 0 { count += 1 }
    guard peek(count) == UInt8(ascii: "`") else { return takePunctuation() }
    take(.word(isEscaped: true), count: count + 1)
  }

  private mutating func takePound() {
    var pounds = 1
    while peek(pounds) == UInt8(ascii: "#") { pounds += 1 }
    if peek(pounds) == UInt8(ascii: "\"") { return skipString(poundCount: pounds) }
    if peek(pounds) == UInt8(ascii: "/") { return skipExtendedRegularExpression(poundCount: pounds) }
    guard starts(with: "#if") || starts(with: "#else") || starts(with: "#endif") else { return takePunctuation() }
    var count = 0
    while peek(count) != UInt8(ascii: "\n"), peek(count) != 0 {
      if peek(count) == UInt8(ascii: "/"), [UInt8(ascii: "/"), UInt8(ascii: "*")].contains(peek(count + 1)) { break }
      count += 1
    }
    take(.directive, count: count)
  }

  private mutating func skipLine() {
    while position < bytes.count, !breaksLine(at: position) { advance() }
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if starts(with: "/*") {
        depth += 1
        advance(2)
      } else if starts(with: "*/") {
        depth -= 1
        advance(2)
      } else {
        advance()
      }
    } while depth > 0 && position < bytes.count
  }

  // MARK: Literals

  private mutating func skipString(poundCount: Int) {
    var piece = StringPiece(start: position, line: line, column: position - lineStart + 1)
    advance(poundCount)
    let isMultiline = starts(with: "\"\"\"")
    advance(isMultiline ? 3 : 1)
    while position < bytes.count {
      if peek() == UInt8(ascii: "\""), !isMultiline || starts(with: "\"\"\""),
        hasPounds(poundCount, at: isMultiline ? 3 : 1)
      {
        advance((isMultiline ? 3 : 1) + poundCount)
        break
      }
      if breaksLine(at: position), !isMultiline { break }
      guard peek() == UInt8(ascii: "\\"), hasPounds(poundCount, at: 1) else {
        advance()
        continue
      }
      advance(1 + poundCount)
      if peek() == UInt8(ascii: "("), nesting < Self.nestingMax { takeInterpolation(&piece) } else { advance() }
    }
    add(.literal, piece)
  }

  /// Where a piece of a string began.
  private struct StringPiece {
    var start: Int
    var line: Int
    var column: Int
  }

  private mutating func add(_ kind: SwiftToken.Kind, _ piece: StringPiece) {
    add(kind, from: piece.start, to: position, line: piece.line, column: piece.column)
  }

  private func hasPounds(_ count: Int, at distance: Int) -> Bool {
    (0..<count).allSatisfy { peek(distance + $0) == UInt8(ascii: "#") }
  }

  /// Code inside a string, up to the closing parenthesis; strings in it are strings. The piece of the string so far
  /// ends with the opening one, the next begins with the closing one.
  private mutating func takeInterpolation(_ piece: inout StringPiece) {
    advance()
    if takesInterpolations { add(.literal, piece) }
    let kept = tokens.count
    nesting += 1
    defer { nesting -= 1 }
    var depth = 1
    while position < bytes.count {
      if peek() == UInt8(ascii: "(") { depth += 1 }
      if peek() == UInt8(ascii: ")") {
        depth -= 1
        if depth == 0 { break }
      }
      step()
    }
    guard takesInterpolations else {
      tokens.removeSubrange(kept...)
      return advance()
    }
    piece = StringPiece(start: position, line: line, column: position - lineStart + 1)
    advance()
  }

  /// Takes the regular expression that the slash here begins, if it begins one: it must stand like an operator before
  /// its operand, and be closed on its line, without blanks at its ends or a parenthesis closed that it did not open.
  private mutating func takeRegularExpression() -> Bool {
    guard !isLeftBound, let count = regularExpressionCount else { return false }
    take(.literal, count: count)
    return true
  }

  /// Whether what stands before this byte touches it, as the compiler tells operators' sides apart.
  private var isLeftBound: Bool {
    guard position > 0 else { return false }
    switch bytes[position - 1] {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0: return false
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): return false
    case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"): return false
    // The end of a comment.
    case UInt8(ascii: "/"): return position < 2 || bytes[position - 2] != UInt8(ascii: "*")
    default: return true
    }
  }

  private var regularExpressionCount: Int? {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    if isBlank(peek(1)) { return nil }
    var (distance, depth, isInClass) = (1, 0, false)
    while position + distance < bytes.count, !breaksLine(at: position + distance) {
      switch peek(distance) {
      case UInt8(ascii: "/"):
        let isClosed: Bool = !isBlank(peek(distance - 1)) && peek(distance + 1) != UInt8(ascii: "/")
        return isClosed ? distance + 1 : nil
      case UInt8(ascii: "\\"):
        distance += 1
        if position + distance < bytes.count, breaksLine(at: position + distance) { return nil }
      case UInt8(ascii: "["): isInClass = true
      case UInt8(ascii: "]"): isInClass = false
      case UInt8(ascii: "(") where !isInClass: depth += 1
      case UInt8(ascii: ")") where !isInClass:
        if depth == 0 { return nil }
        depth -= 1
      default: break
      }
      distance += 1
    }
    return nil
  }

  private mutating func skipExtendedRegularExpression(poundCount: Int) {
    let (start, startLine, column) = (position, line, position - lineStart + 1)
    advance(poundCount + 1)
    while position < bytes.count, !(peek() == UInt8(ascii: "/") && hasPounds(poundCount, at: 1)) { advance() }
    advance(poundCount + 1)
    add(.literal, from: start, to: min(position, bytes.count), line: startLine, column: column)
  }
}
