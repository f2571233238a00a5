internal import ModelCompiler

/// What all files of a run know together: a name in one decides about a declaration in another.
struct ProjectFacts {
  /// Names in `#selector(…)` that stays: their methods must stay visible to Objective-C where it is.
  private(set) var selectorNames: Set<String> = []
  /// Names of the types of `@NSManaged` properties.
  private(set) var managedTypes: Set<String> = []
  /// Names of members that some class overrides.
  private(set) var overriddenNames: Set<String> = []
  /// Enumerations declared in the files.
  private(set) var enums: Set<String> = []
  /// Classes that declare a typed `fetchRequest()` themselves.
  private(set) var typedRequests: Set<String> = []
  /// What properties are called by Objective-C, where that differs; nil where two of a name disagree.
  private(set) var objectiveCNames: [String: String?] = [:]
  private var superclasses: [String: [String]] = [:]

  init(_ files: [PortingFile]) {
    for file in files {
      for declaration in file.declarations { note(declaration, file) }
      for index in file.tokens.indices {
        guard let open = file.macroParenthesis("selector", at: index), let close = file.closing(open),
          SelectorRule.comparison(file, open, close) == nil
        else { continue }
        for name in file.tokens[open..<close] where name.isName { selectorNames.insert(name.text) }
      }
    }
  }

  /// Whether a class is a managed object's, as far as the files tell.
  func isManagedObject(_ name: String) -> Bool {
    var seen: Set<String> = []
    var waiting: [String] = [name]
    while let next = waiting.popLast() {
      if next == "NSManagedObject" { return true }
      if seen.insert(next).inserted { waiting += superclasses[next] ?? [] }
    }
    return false
  }

  private mutating func note(_ declaration: Declaration, _ file: PortingFile) {
    if declaration.modifiers.contains("override") { overriddenNames.insert(declaration.name) }
    switch declaration.keyword {
    case "class": superclasses[declaration.name, default: []] += declaration.inheritance
    case "enum": enums.insert(declaration.name)
    case "var": noteProperty(declaration, file)
    case "func" where declaration.name == "fetchRequest":
      if let scope = declaration.scope { typedRequests.insert(file.declarations[scope].name) }
    default: break
    }
  }

  private mutating func noteProperty(_ declaration: Declaration, _ file: PortingFile) {
    if declaration.has("NSManaged") {
      for name in file.typeNames(ofProperty: declaration) { managedTypes.insert(name) }
    }
    guard let attribute = declaration.attributes.first(where: { $0.name == "objc" }),
      attribute.tokens.count == 5, let name = file.token(attribute.tokens.lowerBound + 3)?.text,
      name != declaration.name
    else { return }
    if let known = objectiveCNames[declaration.name], known != name {
      objectiveCNames[declaration.name] = .some(nil)
    } else {
      objectiveCNames[declaration.name] = name
    }
  }
}

extension PortingFile {
  /// The names in the type of a `var x: T`, where they end the line or a `{` or `=` follows.
  func typeNames(ofProperty declaration: Declaration) -> [String] {
    var index = declaration.keywordIndex + 2
    guard isMark(":", at: index) else { return [] }
    index += 1
    var names: [String] = []
    while let token = token(index), !token.isPunctuation("{"), !token.isPunctuation("="), !token.isPunctuation("}"),
      token.kind != .directive, !token.isPunctuation("@"), index == declaration.keywordIndex + 3 || !token.startsLine
    {
      if token.isName { names.append(token.text) }
      index += 1
    }
    return names
  }
}
