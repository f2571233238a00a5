internal import ModelCompiler

/// Finds declarations with their attributes, modifiers and the types they are in.
struct DeclarationReader {
  private let tokens: [SwiftToken]
  private var found: [Declaration] = []
  /// For each open brace: the type it belongs to, if it is a type's.
  private var scopes: [Int?] = []
  /// The scopes at each open `#if`: every branch starts from the same.
  private var branches: [[Int?]] = []
  /// A type whose brace is to come.
  private var pending: (type: Int, brace: Int)?

  static func declarations(in tokens: [SwiftToken]) -> [Declaration] {
    var reader = DeclarationReader(tokens: tokens)
    reader.run()
    return reader.found
  }

  private init(tokens: [SwiftToken]) { self.tokens = tokens }

  private mutating func run() {
    var index = 0
    while index < tokens.count {
      let token = tokens[index]
      if token.kind == .directive {
        follow(token.text)
      } else if token.isPunctuation("{") {
        scopes.append(pending?.brace == index ? pending?.type : nil)
      } else if token.isPunctuation("}") {
        _ = scopes.popLast()
      } else if let end = readDeclaration(index) {
        index = end
        continue
      }
      index += 1
    }
  }

  private mutating func follow(_ directive: String) {
    if directive.hasPrefix("#if") {
      branches.append(scopes)
    } else if directive.hasPrefix("#endif") {
      _ = branches.popLast()
    } else if let start = branches.last {
      scopes = start
    }
  }

  private static let modifiers: Set<String> = [
    "public", "private", "fileprivate", "internal", "package", "open", "final", "override", "dynamic", "lazy", "weak",
    "unowned", "static", "nonisolated", "required", "convenience", "mutating", "nonmutating", "optional", "indirect",
    "isolated", "distributed", "async", "prefix", "postfix", "infix", "consuming", "borrowing",
  ]
  private static let typeKeywords: Set<String> = ["class", "struct", "enum", "actor", "protocol", "extension"]
  private static let memberKeywords: Set<String> = [
    "func", "var", "let", "init", "subscript", "deinit", "typealias", "case", "import", "associatedtype",
  ]

  /// Reads a declaration that begins at a token.
  /// - Returns: the token after its keyword; nil if none begins there.
  private mutating func readDeclaration(_ start: Int) -> Int? {
    if start > 0, tokens[start - 1].isPunctuation(".") { return nil }
    var index = start
    var attributes: [Declaration.Attribute] = []
    var modifiers: [String] = []
    while index < tokens.count {
      let token = tokens[index]
      if token.isPunctuation("@"), let end = attributeEnd(index) {
        attributes.append(Declaration.Attribute(name: tokens[index + 1].text, tokens: index...end))
        index = end + 1
      } else if token.kind == .directive, index > start {
        index += 1
      } else if case .word(isEscaped: false) = token.kind,
        Self.modifiers.contains(token.text) || (token.text == "class" && isModifier(index))
      {
        modifiers.append(token.text)
        index += 1
        // `private(set)`, `unowned(safe)`
        if index < tokens.count, tokens[index].isPunctuation("("), !tokens[index].startsLine,
          let end = TokenSearch.closing(index, in: tokens), end == index + 2
        {
          index = end + 1
        }
      } else {
        break
      }
    }
    guard index < tokens.count, case .word(isEscaped: false) = tokens[index].kind else { return nil }
    let keyword = tokens[index].text
    let isType = Self.typeKeywords.contains(keyword)
    guard isType || Self.memberKeywords.contains(keyword) else { return nil }
    let hasName = !["init", "subscript", "deinit", "import"].contains(keyword)
    guard !hasName || (index + 1 < tokens.count && tokens[index + 1].isName) || keyword == "func" else { return nil }
    let name = hasName && index + 1 < tokens.count ? tokens[index + 1].text : ""
    let header = isType ? readHeader(index + 1) : nil
    found.append(
      Declaration(
        keyword: keyword, name: header?.name ?? name, start: start, keywordIndex: index, attributes: attributes,
        modifiers: modifiers, inheritance: header?.inheritance ?? [], scope: scopes.last ?? nil))
    if let header { pending = (found.count - 1, header.brace) }
    return index + 1
  }

  private func attributeEnd(_ index: Int) -> Int? {
    guard index + 1 < tokens.count, tokens[index + 1].isName,
      tokens[index].range.upperBound == tokens[index + 1].range.lowerBound
    else { return nil }
    var end = index + 1
    while end + 2 < tokens.count, tokens[end + 1].isPunctuation("."), tokens[end + 2].isName { end += 2 }
    if let close = TokenSearch.closingAngle(end + 1, in: tokens) { end = close }
    // Arguments follow at once; a parenthesis after a space belongs to a type.
    guard end + 1 < tokens.count, tokens[end + 1].isPunctuation("("),
      tokens[end].range.upperBound == tokens[end + 1].range.lowerBound
    else { return end }
    return TokenSearch.closing(end + 1, in: tokens)
  }

  /// Whether `class` is a modifier, as in `class func`.
  private func isModifier(_ index: Int) -> Bool {
    guard index + 1 < tokens.count, case .word(isEscaped: false) = tokens[index + 1].kind else { return false }
    let next = tokens[index + 1].text
    return Self.modifiers.contains(next) || Self.memberKeywords.contains(next)
  }

  private func readHeader(_ start: Int) -> (name: String, inheritance: [String], brace: Int)? {
    guard start < tokens.count, tokens[start].isName else { return nil }
    var index = start + 1
    var name = tokens[start].text
    while index + 1 < tokens.count, tokens[index].isPunctuation("."), tokens[index + 1].isName {
      name = tokens[index + 1].text
      index += 2
    }
    if let close = TokenSearch.closingAngle(index, in: tokens) { index = close + 1 }
    var inheritance: [String] = []
    var isInList = false
    while index < tokens.count, !tokens[index].isPunctuation("{"), !tokens[index].isPunctuation("}") {
      let token = tokens[index]
      if token.isPunctuation(":") { isInList = true }
      if token.isWord("where") { isInList = false }
      if isInList, token.isName { inheritance.append(token.text) }
      index += 1
    }
    return index < tokens.count && tokens[index].isPunctuation("{") ? (name, inheritance, index) : nil
  }
}
