/// Names of types as attributes give them for their values: `UIColor`, `App.Tags`, `[String]`, `Array<[Int: Date?]>`.
enum SwiftTypeName {
  /// Whether the text has the shape of a type's name. A leading dot stands for the module of the model.
  static func isWellFormed(_ text: String) -> Bool {
    var parser = Parser(rest: Substring(text.hasPrefix(".") ? String(text.dropFirst()) : text))
    return parser.type(depth: 0) && parser.rest.isEmpty
  }

  private struct Parser {
    var rest: Substring

    mutating func type(depth: Int) -> Bool {
      guard depth <= 16 else { return false }
      skipSpaces()
      if take("any ") || take("some ") { skipSpaces() }
      if take("[") {
        guard type(depth: depth + 1) else { return false }
        if take(":"), !type(depth: depth + 1) { return false }
        guard take("]") else { return false }
      } else {
        guard path(depth: depth) else { return false }
      }
      skipSpaces()
      while take("?") || take("!") {}
      skipSpaces()
      return true
    }

    private mutating func path(depth: Int) -> Bool {
      repeat {
        guard name() else { return false }
        if take("<") {
          repeat {
            guard type(depth: depth + 1) else { return false }
          } while take(",")
          guard take(">") else { return false }
        }
      } while take(".")
      return true
    }

    private mutating func name() -> Bool {
      let name: Substring = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      guard let first = name.first, !first.isNumber else { return false }
      rest = rest.dropFirst(name.count)
      return true
    }

    private mutating func take(_ text: String) -> Bool {
      guard rest.hasPrefix(text) else { return false }
      rest = rest.dropFirst(text.count)
      return true
    }

    private mutating func skipSpaces() { rest = rest.drop { $0 == " " } }
  }
}
