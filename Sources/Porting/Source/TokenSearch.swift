internal import ModelCompiler

/// Finds the ends of bracketed stretches of tokens.
enum TokenSearch {
  /// The bracket that closes the one at an index; nil where the file ends before.
  static func closing(_ index: Int, in tokens: [SwiftToken]) -> Int? {
    var depth = 0
    for place in index..<tokens.count where tokens[place].kind == .punctuation {
      switch tokens[place].text {
      case "(", "[", "{": depth += 1
      case ")", "]", "}":
        depth -= 1
        if depth == 0 { return place }
      default: break
      }
    }
    return nil
  }

  /// The `>` that closes the `<` at an index, when nothing but what types are written with is between them.
  static func closingAngle(_ index: Int, in tokens: [SwiftToken]) -> Int? {
    guard index < tokens.count, tokens[index].isPunctuation("<") else { return nil }
    var depth = 0
    for place in index..<tokens.count {
      let token = tokens[place]
      switch token.text {
      case "<": depth += 1
      case ">":
        depth -= 1
        if depth == 0 { return place }
      case ".", ",", "?", "!", "[", "]", ":", "&", "(", ")", "->": break
      default: guard token.isName else { return nil }
      }
    }
    return nil
  }
}
