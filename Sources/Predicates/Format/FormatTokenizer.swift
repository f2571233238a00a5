internal import Foundation

/// Cuts a format into tokens.
struct FormatTokenizer {
  private let format: String
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var tokens: [FormatToken] = []

  // Longest first.
  private static let signs: [[Unicode.Scalar]] = [
    "**", "==", "!=", "<>", "<=", ">=", "=<", "=>", "<<", ">>", "&&", "||", ":=",
    "=", "<", ">", "!", "&", "|", "^", "~", "+", "-", "*", "/", "(", ")", "{", "}", "[", "]", ",", ".", ":",
  ].map { Array($0.unicodeScalars) }

  static func tokens(of format: String) throws(QueryError) -> [FormatToken] {
    guard format.utf8.count <= FormatLimits.lengthBytesMax else {
      throw QueryError(
        .tooComplex,
        "A format of \(format.utf8.count) bytes is too long: at most \(FormatLimits.lengthBytesMax) are taken. Pass long values as arguments."
      )
    }
    var tokenizer = FormatTokenizer(format)
    try tokenizer.run()
    return tokenizer.tokens
  }

  private init(_ format: String) {
    self.format = format
    scalars = Array(format.unicodeScalars)
  }

  private mutating func run() throws(QueryError) {
    while true {
      let before = index
      while let scalar = peek(), scalar.properties.isWhitespace { index += 1 }
      let followsBlank = index > before || index == 0
      let start = index
      let kind: FormatToken.Kind = try next()
      tokens.append(FormatToken(kind: kind, offset: start, followsBlank: followsBlank))
      if kind == .end { return }
    }
  }

  private func peek(_ ahead: Int = 0) -> Unicode.Scalar? {
    index + ahead < scalars.count ? scalars[index + ahead] : nil
  }

  private mutating func next() throws(QueryError) -> FormatToken.Kind {
    guard let scalar = peek() else { return .end }
    switch scalar {
    case "'", "\"": return .string(try string(quote: scalar))
    case "%": return try placeholder()
    case "$":
      index += 1
      return .variable(try word("a name after “$”"))
    case "#":
      index += 1
      // The name is printed without its mark unless it is reserved: it must be a word by itself.
      guard let start = peek(), isWordStart(start) else {
        throw error("a name after “#”", found: peek().map { "“\($0)”" } ?? "the end", at: index)
      }
      return .escapedWord(try word("a name after “#”"))
    case "@":
      index += 1
      return .word("@" + (try word("the name of a collection operator after “@”")))
    case "0"..."9": return try number()
    case ".":
      if let digit = peek(1), isDigit(digit), !(tokens.last.map(isOperand) ?? false) { return try number() }
    default:
      if isWordStart(scalar) { return .word(try word("a word")) }
    }
    for sign in Self.signs where scalars[index...].starts(with: sign) {
      index += sign.count
      var text = ""
      text.unicodeScalars.append(contentsOf: sign)
      return .sign(text)
    }
    throw error("an operator, a key, a literal or a placeholder", found: "“\(scalar)”", at: index)
  }

  /// Whether a dot after this token belongs to a key path.
  private func isOperand(_ token: FormatToken) -> Bool {
    switch token.kind {
    case .word, .escapedWord, .variable, .placeholder, .string: true
    case .sign(let sign): sign == ")" || sign == "]" || sign == "}"
    default: false
    }
  }

  private func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.value &- 48 < 10 }

  private func isWordStart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic || scalar.value >= 0x1F000
  }

  private func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    isWordStart(scalar) || isDigit(scalar) || scalar == "$"
      || scalar.properties.canonicalCombiningClass != .notReordered
  }

  private mutating func word(_ expected: String) throws(QueryError) -> String {
    var text = ""
    while let scalar = peek(), isWordPart(scalar) {
      text.unicodeScalars.append(scalar)
      index += 1
    }
    guard !text.isEmpty else {
      throw error(expected, found: peek().map { "“\($0)”" } ?? "the end", at: index)
    }
    return text
  }

  private mutating func placeholder() throws(QueryError) -> FormatToken.Kind {
    let start = index
    index += 1
    if peek() == "%" {
      index += 1
      return .sign("%%")
    }
    while let scalar = peek(), scalar == "l" || scalar == "h" || scalar == "q" || scalar == "z" || scalar == "t" {
      index += 1
    }
    guard let letter = peek(), "@KdDiuUxXoOcCfFgGeEaAsS".unicodeScalars.contains(letter) else {
      let found = peek().map { "“%\($0)”" } ?? "“%”"
      throw error("%@, %K, %d, %ld, %f or another placeholder", found: found, at: start)
    }
    index += 1
    return .placeholder(Character(letter))
  }

  private mutating func string(quote: Unicode.Scalar) throws(QueryError) -> String {
    let start = index
    index += 1
    var text = String.UnicodeScalarView()
    while let scalar = peek() {
      index += 1
      if scalar == quote { return String(text) }
      if scalar == "\\" {
        try escape(into: &text)
      } else {
        text.append(scalar)
      }
    }
    throw error("the string that starts here to end with \(quote)", found: "the end of the format", at: start)
  }

  private mutating func escape(into text: inout String.UnicodeScalarView) throws(QueryError) {
    guard let scalar = peek() else { return }
    let start = index - 1
    index += 1
    switch scalar {
    case "n": text.append("\n")
    case "t": text.append("\t")
    case "r": text.append("\r")
    case "\\", "'", "\"": text.append(scalar)
    case "u": text.append(try hexadecimal(4, at: start))
    case "U": text.append(try hexadecimal(8, at: start))
    default:
      // Kept whole: LIKE and MATCHES give a meaning to \* and \d.
      text.append("\\")
      text.append(scalar)
    }
  }

  private mutating func hexadecimal(_ count: Int, at start: Int) throws(QueryError) -> Unicode.Scalar {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let scalar = peek(), let digit = Int(String(scalar), radix: 16) else {
        throw error("\(count) hexadecimal digits", found: peek().map { "“\($0)”" } ?? "the end", at: start)
      }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    guard let scalar = Unicode.Scalar(value) else {
      throw error("a Unicode character", found: "the number \(value)", at: start)
    }
    return scalar
  }

  private mutating func number() throws(QueryError) -> FormatToken.Kind {
    let start = index
    if peek() == "0", let radix = radix(peek(1)) {
      index += 2
      let digits: String = try word("digits of a number in base \(radix)")
      guard let value = Int64(digits, radix: radix) ?? UInt64(digits, radix: radix).map(Int64.init(bitPattern:)) else {
        throw error("a number of at most 64 bits in base \(radix)", found: "“\(digits)”", at: start)
      }
      return .integer(value)
    }
    var text = digits()
    var isReal = false
    if peek() == ".", peek(1).map(isDigit) ?? true {
      index += 1
      text += "." + digits() + "0"
      isReal = true
    }
    if peek() == "e" || peek() == "E" {
      let signed = peek(1) == "-" || peek(1) == "+" ? 1 : 0
      if let digit = peek(1 + signed), isDigit(digit) {
        text += "e" + (signed == 1 ? String(scalars[index + 1]) : "")
        index += 1 + signed
        text += digits()
        isReal = true
      }
    }
    if !isReal {
      if let value = Int64(text) { return .integer(value) }
      if text.count <= 38, let value = Decimal(string: text, locale: posix) { return .bigInteger(value) }
    }
    guard let value = Double(text.hasPrefix(".") ? "0" + text : text), value.isFinite else {
      throw error("a number that can be represented", found: "“\(text)”", at: start)
    }
    return .real(value)
  }

  private func radix(_ letter: Unicode.Scalar?) -> Int? {
    switch letter {
    case "x", "X": 16
    case "o", "O": 8
    case "b", "B": 2
    default: nil
    }
  }

  private mutating func digits() -> String {
    var text = ""
    while let scalar = peek(), isDigit(scalar) {
      text.unicodeScalars.append(scalar)
      index += 1
    }
    return text
  }

  private func error(_ expected: String, found: String, at offset: Int) -> QueryError {
    formatError(.syntax, format, offset: offset, "expected \(expected), found \(found)")
  }
}

/// A fault at a place in a format, shown with the format.
func formatError(_ code: QueryError.Code, _ format: String, offset: Int, _ what: String) -> QueryError {
  let scalars = format.unicodeScalars
  let end = scalars.index(scalars.startIndex, offsetBy: offset, limitedBy: scalars.endIndex) ?? scalars.endIndex
  let column = String(scalars[..<end]).count + 1
  let shown = format.utf8.count > 200 ? String(format.prefix(200)) + "…" : format
  return QueryError(code, "Cannot read the format “\(shown)”: column \(column): \(what).", column: column)
}
