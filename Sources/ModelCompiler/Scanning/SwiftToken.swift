/// A piece of source text, as far as declarations need telling apart.
struct SwiftToken: Hashable {
  enum Kind: Hashable {
    /// A name or keyword; `isEscaped` when it was in backticks.
    case word(isEscaped: Bool)
    case punctuation
    /// A string, number or regular expression: contents are not looked at.
    case literal
    /// `#if`, `#elseif`, `#else`, `#endif` with the rest of the line.
    case directive
  }

  let kind: Kind
  let text: String
  let line: Int
  let column: Int
  /// Whether a line break stands between this token and the one before.
  let startsLine: Bool

  func isWord(_ word: String) -> Bool { kind == .word(isEscaped: false) && text == word }
  func isPunctuation(_ mark: Character) -> Bool { kind == .punctuation && text.count == 1 && text.first == mark }

  var isName: Bool {
    if case .word = kind { return true }
    return false
  }
}
