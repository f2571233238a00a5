/// A piece of source text, as far as declarations need telling apart.
package struct SwiftToken: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A name or keyword; `isEscaped` when it was in backticks.
    case word(isEscaped: Bool)
    case punctuation
    /// A string, number or regular expression: contents are not looked at.
    case literal
    /// `#if`, `#elseif`, `#else`, `#endif` with the rest of the line.
    case directive
  }

  package let kind: Kind
  package let text: String
  package let line: Int
  /// Counted in bytes from 1, as the compiler counts.
  package let column: Int
  /// Whether a line break stands between this token and the one before.
  package let startsLine: Bool
  /// Where it stands in the source, in bytes; with the backticks of an escaped name.
  package let range: Range<Int>

  package func isWord(_ word: String) -> Bool { kind == .word(isEscaped: false) && text == word }
  package func isPunctuation(_ mark: Character) -> Bool {
    kind == .punctuation && text.count == 1 && text.first == mark
  }

  package var isName: Bool {
    if case .word = kind { return true }
    return false
  }
}
