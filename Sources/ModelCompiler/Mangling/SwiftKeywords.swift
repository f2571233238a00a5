/// Words that cannot be used as a name without backticks.
private let reservedWords: Set<String> = [
  "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init", "inout",
  "internal", "let", "open", "operator", "precedencegroup", "private", "protocol", "public", "rethrows", "static",
  "struct", "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do", "else",
  "fallthrough", "for", "guard", "if", "in", "repeat", "return", "switch", "throw", "throws", "where", "while", "Any",
  "as", "await", "catch", "false", "is", "nil", "self", "Self", "super", "true", "try", "Type", "Protocol",
]

/// `name` as a declaration or a use in source code: with backticks when it is a keyword.
func escaped(_ name: String) -> String {
  reservedWords.contains(name) ? "`\(name)`" : name
}

/// Whether `name` can be a Swift name at all, with backticks or without.
func isSwiftIdentifier(_ name: String) -> Bool {
  guard let first = name.unicodeScalars.first, isIdentifierHead(first), name != "_" else { return false }
  return name.unicodeScalars.allSatisfy { isIdentifierHead($0) || ("0"..."9").contains($0) }
}

/// Letters, underscore, and everything beyond ASCII: the compiler has the last word on the exotic ones.
func isIdentifierHead(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar {
  case "a"..."z", "A"..."Z", "_": true
  default: scalar.value >= 0x80
  }
}

/// Whether a key path can name a property: after a dot, these words mean a metatype even in backticks.
func isKeyPathComponent(_ name: String) -> Bool { name != "Type" && name != "Protocol" }
