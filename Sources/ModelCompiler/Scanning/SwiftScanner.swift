/// Finds type declarations, extensions and `@NSManaged` members in Swift source.
///
/// It reads declarations and skips bodies; whatever it does not know it steps over, a token at a time. The compiler
/// sees the same file, so anything malformed gets its error there.
public struct SwiftScanner {
  private let path: String
  let tokens: [SwiftToken]
  var position = 0
  private var result = ScannedSource()
  private var scopes: [Scope] = []
  private var conditions: [Condition] = []

  /// A type whose braces are open.
  private struct Scope {
    let type: Int
    let path: [String]
    let isExtension: Bool
    let memberAccess: AccessLevel
  }

  /// An open `#if`: branches taken before, and the one we are in.
  private struct Condition {
    var earlier: [String]
    var current: String?

    var text: String {
      let parts: [String] = earlier.map { "!(\($0))" } + (current.map { ["(\($0))"] } ?? [])
      return parts.joined(separator: " && ")
    }
  }

  /// Scans one file.
  /// - Parameter path: Names the file in locations; nothing is read from it.
  public static func scan(_ source: String, path: String) -> ScannedSource {
    var scanner = SwiftScanner(path: path, tokens: SwiftLexer.tokens(of: source))
    while scanner.position < scanner.tokens.count { scanner.scanItem() }
    return scanner.result
  }

  init(path: String, tokens: [SwiftToken]) {
    self.path = path
    self.tokens = tokens
  }

  var current: SwiftToken? { position < tokens.count ? tokens[position] : nil }
  func isPunctuation(_ mark: Character, at distance: Int = 0) -> Bool {
    position + distance < tokens.count && tokens[position + distance].isPunctuation(mark)
  }
  private func isWord(_ word: String, at distance: Int = 0) -> Bool {
    position + distance < tokens.count && tokens[position + distance].isWord(word)
  }

  private var condition: String? {
    conditions.isEmpty ? nil : conditions.map(\.text).joined(separator: " && ")
  }

  private func location(of token: SwiftToken) -> SourceLocation {
    SourceLocation(path: path, line: token.line, column: token.column)
  }

  // MARK: Items

  private struct Modifiers {
    var isManaged = false
    var access: AccessLevel?
  }

  private mutating func scanItem() {
    guard let token = current else { return }
    if token.kind == .directive { return scanDirective(token) }
    if token.isPunctuation("{") { return skipBody() }
    if token.isPunctuation("}") {
      if !scopes.isEmpty { scopes.removeLast() }
      position += 1
      return
    }
    let modifiers = scanModifiers()
    guard let keyword = current, case .word(isEscaped: false) = keyword.kind else {
      // Attributes before a directive or a brace are nobody's.
      if current == token { position += 1 }
      return
    }
    switch keyword.text {
    case "class", "struct", "enum", "actor", "protocol", "extension": scanType(keyword, modifiers)
    case "typealias": scanTypealias(modifiers)
    case "import": scanImport(modifiers)
    case "var", "let": scanProperties(modifiers)
    case "func": scanMethod(modifiers)
    default: position += 1
    }
  }

  private static let modifierWords: Set<String> = [
    "final", "override", "dynamic", "lazy", "weak", "unowned", "static", "nonisolated", "required", "convenience",
    "mutating", "nonmutating", "optional", "indirect", "isolated", "distributed", "async", "consuming", "borrowing",
  ]

  private mutating func scanModifiers() -> Modifiers {
    var modifiers = Modifiers()
    while let token = current {
      if token.isPunctuation("@") {
        position += 1
        if let name = current, name.isName {
          if name.text == "NSManaged" { modifiers.isManaged = true }
          position += 1
          while isPunctuation("."), position + 1 < tokens.count { position += 2 }
          if isPunctuation("("), current?.startsLine == false { skipBalanced() }
        }
        continue
      }
      guard case .word(isEscaped: false) = token.kind else { break }
      if let access = AccessLevel(word: token.text) {
        position += 1
        if isPunctuation("(") {
          // `private(set)` says nothing about reading.
          skipBalanced()
        } else {
          modifiers.access = access
        }
      } else if Self.modifierWords.contains(token.text)
        || (token.text == "class" && (isWord("func", at: 1) || isWord("var", at: 1) || isWord("override", at: 1)))
      {
        position += 1
        if isPunctuation("(") { skipBalanced() }
      } else {
        break
      }
    }
    return modifiers
  }

  private mutating func scanDirective(_ token: SwiftToken) {
    position += 1
    let text = token.text
    func rest(_ count: Int) -> String { String(text.dropFirst(count)).trimmed }
    if text.hasPrefix("#if") {
      conditions.append(Condition(earlier: [], current: rest(3)))
    } else if text.hasPrefix("#endif") {
      _ = conditions.popLast()
    } else if var last = conditions.popLast() {
      if let current = last.current { last.earlier.append(current) }
      last.current = text.hasPrefix("#elseif") ? rest(7) : nil
      conditions.append(last)
    }
  }

  private mutating func scanImport(_ modifiers: Modifiers) {
    position += 1
    if let kind = current,
      ["struct", "class", "enum", "protocol", "func", "typealias", "var", "let"].contains(kind.text)
    {
      position += 1
    }
    guard let name = current, name.isName, !name.startsLine else { return }
    result.imports.append(name.text)
    if modifiers.access != nil { result.explicitImports.insert(name.text) }
    position += 1
  }

  // MARK: Types

  private mutating func scanType(_ keyword: SwiftToken, _ modifiers: Modifiers) {
    position += 1
    guard let kind = ScannedType.Kind(rawValue: keyword.text), let name = current, name.isName else { return }
    var names: [String] = [name.text]
    position += 1
    while isPunctuation("."), position + 1 < tokens.count, tokens[position + 1].isName {
      names.append(tokens[position + 1].text)
      position += 2
    }
    let isGeneric = isPunctuation("<")
    if isGeneric { skipAngles() }
    var inheritance: [WrittenType] = []
    if isPunctuation(":") {
      repeat {
        position += 1
        inheritance.append(scanType())
      } while isPunctuation(",")
    }
    // A `where` clause may follow.
    while let token = current, !token.isPunctuation("{") {
      if token.isPunctuation("}") { return }
      position += 1
    }
    position += 1
    let isExtension = kind == .extension
    let path = isExtension ? names : (scopes.last?.path ?? []) + names
    let access = modifiers.access ?? scopes.last?.memberAccess ?? .internal
    result.types.append(
      ScannedType(
        kind: kind, path: path, access: access, inheritance: inheritance, aliased: nil, isGeneric: isGeneric,
        location: location(of: name), condition: condition))
    // An access level on an extension is its members' default; a private type's members are fileprivate at most.
    let memberAccess: AccessLevel =
      isExtension ? (modifiers.access ?? .internal) : min(.internal, max(access, .fileprivate))
    scopes.append(
      Scope(type: result.types.count - 1, path: path, isExtension: isExtension, memberAccess: memberAccess))
  }

  private mutating func scanTypealias(_ modifiers: Modifiers) {
    position += 1
    guard let name = current, name.isName else { return }
    position += 1
    let isGeneric = isPunctuation("<")
    if isGeneric { skipAngles() }
    guard isPunctuation("=") else { return }
    position += 1
    let aliased = scanType()
    result.types.append(
      ScannedType(
        kind: .typealias, path: (scopes.last?.path ?? []) + [name.text],
        access: modifiers.access ?? scopes.last?.memberAccess ?? .internal, inheritance: [], aliased: aliased,
        isGeneric: isGeneric, location: location(of: name), condition: condition))
  }

  // MARK: Members

  private mutating func scanProperties(_ modifiers: Modifiers) {
    position += 1
    var waiting: [SwiftToken] = []
    while let name = current, name.isName {
      position += 1
      waiting.append(name)
      if let scope = scopes.last { result.types[scope.type].propertyNames.insert(name.text) }
      if isPunctuation(":") {
        position += 1
        let type = scanType()
        for name in waiting { add(property: name, type: type, modifiers) }
        waiting = []
      }
      guard isPunctuation(",") else { break }
      position += 1
    }
  }

  private mutating func add(property name: SwiftToken, type: WrittenType, _ modifiers: Modifiers) {
    guard modifiers.isManaged, let scope = scopes.last else { return }
    result.types[scope.type].properties.append(
      ScannedProperty(
        name: name.text, type: type, access: modifiers.access ?? scope.memberAccess, location: location(of: name),
        condition: condition))
  }

  private mutating func scanMethod(_ modifiers: Modifiers) {
    position += 1
    guard let name = current else { return }
    position += 1
    guard name.isName, let scope = scopes.last else { return }
    if isPunctuation("<") { skipAngles() }
    guard isPunctuation("(") else { return }
    let parameters = scanParameters()
    while let word = current, ["throws", "rethrows", "async"].contains(word.text) {
      position += 1
      if isPunctuation("("), word.text == "throws" { skipBalanced() }
    }
    let returnsValue = current?.text == "->" && !isVoid(at: position + 1)
    let method = ScannedMethod(
      name: name.text, parameters: parameters, returnsValue: returnsValue,
      access: modifiers.access ?? scope.memberAccess, location: location(of: name), condition: condition)
    result.types[scope.type].methodNames.insert(method.fullName)
    if modifiers.isManaged { result.types[scope.type].methods.append(method) }
    if method.isValidator { result.types[scope.type].validators.append(method) }
  }

  private func isVoid(at index: Int) -> Bool {
    guard index + 1 < tokens.count else { return false }
    return tokens[index].isWord("Void") || (tokens[index].isPunctuation("(") && tokens[index + 1].isPunctuation(")"))
  }

  private mutating func scanParameters() -> [ScannedMethod.Parameter] {
    var parameters: [ScannedMethod.Parameter] = []
    position += 1
    while let token = current, !token.isPunctuation(")") {
      while isPunctuation("@") { position += 2 }
      guard let label = current, label.isName else {
        position += 1
        continue
      }
      position += 1
      if let inner = current, inner.isName { position += 1 }
      guard isPunctuation(":") else { continue }
      position += 1
      let type = scanType()
      parameters.append(ScannedMethod.Parameter(label: label.isWord("_") ? nil : label.text, type: type))
      while let token = current, !token.isPunctuation(","), !token.isPunctuation(")") {
        if token.isPunctuation("(") || token.isPunctuation("[") || token.isPunctuation("{") {
          skipBalanced()
        } else {
          position += 1
        }
      }
      if isPunctuation(",") { position += 1 }
    }
    position += 1
    return parameters
  }

  // MARK: Skipping

  /// Steps over the body of a function, and notes the members of managed objects in it.
  private mutating func skipBody() {
    let start = position
    skipBalanced()
    guard conditions.isEmpty else { return }
    var depth = 0
    for index in start..<position {
      if tokens[index].kind == .directive {
        if tokens[index].text.hasPrefix("#if") { depth += 1 }
        if tokens[index].text.hasPrefix("#endif") { depth -= 1 }
      } else if depth == 0, tokens[index].isWord("NSManaged"), index > start, tokens[index - 1].isPunctuation("@") {
        result.managedInBodies.append(location(of: tokens[index]))
      }
    }
  }

  /// Steps over a bracketed stretch, whose opening bracket is the current token.
  mutating func skipBalanced() {
    var depth = 0
    while let token = current {
      position += 1
      if token.kind == .directive { continue }
      guard token.kind == .punctuation else { continue }
      switch token.text {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      default: continue
      }
      if depth <= 0 { return }
    }
  }

  mutating func skipAngles() {
    var depth = 0
    while let token = current {
      if token.isPunctuation("<") { depth += 1 }
      if token.isPunctuation(">") { depth -= 1 }
      if token.isPunctuation("{") { return }
      position += 1
      if depth <= 0 { return }
    }
  }
}

extension String {
  var trimmed: String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\n" }
    guard let start = firstIndex(where: { !isSpace($0) }), let end = lastIndex(where: { !isSpace($0) }) else {
      return ""
    }
    return String(self[start...end])
  }
}
