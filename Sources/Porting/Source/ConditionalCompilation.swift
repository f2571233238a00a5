internal import ModelCompiler

/// Tells which parts of a file Linux never compiles, from the conditions around them: what is there already needs no
/// porting, and must not be touched.
struct ConditionalCompilation {
  /// What is known of a condition on Linux; nil for what depends on flags.
  typealias Answer = Bool?

  /// By token: false where a condition around it is false on Linux for certain.
  static func compiledTokens(of tokens: [SwiftToken]) -> [Bool] {
    var result: [Bool] = []
    var open: [Branch] = []
    for token in tokens {
      if token.kind == .directive { read(token.text, &open) }
      result.append(open.allSatisfy(\.isCompiled))
    }
    return result
  }

  private struct Branch {
    /// Whether a branch before this one is taken for certain.
    var isDecided: Bool
    var isCompiled: Bool
  }

  private static func read(_ directive: String, _ open: inout [Branch]) {
    if directive.hasPrefix("#if") {
      let answer = evaluate(String(directive.dropFirst(3)))
      open.append(Branch(isDecided: answer == true, isCompiled: answer != false))
    } else if directive.hasPrefix("#endif") {
      _ = open.popLast()
    } else if let last = open.popLast() {
      let answer: Answer = directive.hasPrefix("#elseif") ? evaluate(String(directive.dropFirst(7))) : true
      open.append(
        Branch(isDecided: last.isDecided || answer == true, isCompiled: !last.isDecided && answer != false))
    }
  }

  // MARK: conditions

  private let tokens: [SwiftToken]
  private var position = 0

  static func evaluate(_ condition: String) -> Answer {
    var reader = ConditionalCompilation(tokens: SwiftLexer.tokens(of: Array(condition.utf8)))
    let answer = reader.alternatives()
    // What is not understood to its end is not known.
    return reader.position == reader.tokens.count ? answer : nil
  }

  private init(tokens: [SwiftToken]) { self.tokens = tokens }

  private mutating func take(_ mark: Character, twice: Bool = false) -> Bool {
    let count = twice ? 2 : 1
    guard position + count <= tokens.count,
      tokens[position..<position + count].allSatisfy({ $0.isPunctuation(mark) })
    else { return false }
    position += count
    return true
  }

  private mutating func alternatives() -> Answer {
    var answer = conjunction()
    while take("|", twice: true) {
      let right = conjunction()
      answer = answer == true || right == true ? true : (answer == nil || right == nil ? nil : false)
    }
    return answer
  }

  private mutating func conjunction() -> Answer {
    var answer = term()
    while take("&", twice: true) {
      let right = term()
      answer = answer == false || right == false ? false : (answer == nil || right == nil ? nil : true)
    }
    return answer
  }

  private mutating func term() -> Answer {
    // Many signs in a row are read in a loop: each would take stack.
    var isNegated = false
    while take("!") { isNegated.toggle() }
    let answer = atom()
    return isNegated ? answer.map { !$0 } : answer
  }

  private mutating func atom() -> Answer {
    guard position < tokens.count else { return nil }
    if tokens[position].isPunctuation("("), position < 100 {
      position += 1
      let answer = alternatives()
      return take(")") ? answer : nil
    }
    guard tokens[position].isName else { return nil }
    let name = tokens[position].text
    position += 1
    guard position < tokens.count, tokens[position].isPunctuation("("),
      let end = TokenSearch.closing(position, in: tokens)
    else { return name == "true" ? true : (name == "false" ? false : nil) }
    let argument = position + 1 < end ? tokens[position + 1].text : ""
    position = end + 1
    switch name {
    case "os": return argument == "Linux"
    case "targetEnvironment": return argument == "simulator" || argument == "macCatalyst" ? false : nil
    case "canImport":
      return AppleModules.onLinux.contains(argument) ? true : (AppleModules.isOne(argument) ? false : nil)
    default: return nil
    }
  }
}
