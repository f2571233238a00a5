internal import Foundation

/// A word, sign or literal of a format.
struct FormatToken {
  enum Kind: Equatable {
    /// Letters and digits; also what follows `@`.
    case word(String)
    /// `#word`: never a keyword.
    case escapedWord(String)
    /// `$word`
    case variable(String)
    case string(String)
    case integer(Int64)
    /// An integer beyond 64 bits.
    case bigInteger(Decimal)
    case real(Double)
    /// What `%` stands for: the letter of the conversion, without length modifiers.
    case placeholder(Character)
    case sign(String)
    case end
  }

  let kind: Kind
  /// Where it starts, counted in scalars from 0.
  let offset: Int
  /// Whether blanks or the start come before it.
  let followsBlank: Bool

  /// The token as an error message shows it.
  var text: String {
    switch kind {
    case .word(let word): "“\(word)”"
    case .escapedWord(let word): "“#\(word)”"
    case .variable(let name): "“$\(name)”"
    case .string(let text): "the string \"\(text.prefix(40))\""
    case .integer(let number): "\(number)"
    case .bigInteger(let number): "\(number)"
    case .real(let number): "\(number)"
    case .placeholder(let letter): "“%\(letter)”"
    case .sign(let sign): "“\(sign)”"
    case .end: "the end"
    }
  }
}
