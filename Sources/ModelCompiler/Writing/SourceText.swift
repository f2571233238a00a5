/// Swift source being written: lines, and what their declarations show to other modules.
struct SourceText {
  private(set) var lines: [String] = []
  /// Whether a public declaration mentions the object graph, or a type of Foundation: imports must be as public.
  private(set) var showsGraph = false
  private(set) var showsFoundation = false
  /// Modules of the package that it has types of, and whether a public declaration mentions them.
  private(set) var otherModules: [String: Bool] = [:]

  mutating func add(_ line: String = "") { lines.append(line) }

  mutating func add(_ text: SourceText) {
    lines += text.lines
    showsGraph = showsGraph || text.showsGraph
    showsFoundation = showsFoundation || text.showsFoundation
    otherModules.merge(text.otherModules) { $0 || $1 }
  }

  /// Notes that the text mentions a type.
  ///
  /// - Parameter module: the one that the text belongs to.
  mutating func use(_ type: SwiftType, isPublic: Bool, in module: String) {
    if isPublic { show(type) }
    switch type {
    case .any, .anyObject: break
    case .optional(let wrapped): use(wrapped, isPublic: isPublic, in: module)
    case .generic(let nominal, let arguments):
      use(.nominal(nominal), isPublic: isPublic, in: module)
      for argument in arguments { use(argument, isPublic: isPublic, in: module) }
    case .nominal(let nominal):
      let known: Set<String> = ["Swift", "Foundation", "FoundationEssentials", "ObjectGraph", "Model", module]
      if known.contains(nominal.module) { return }
      otherModules[nominal.module] = isPublic || otherModules[nominal.module] == true
    }
  }

  /// Notes that a public declaration has a type.
  mutating func show(_ type: SwiftType) {
    switch type {
    case .any, .anyObject: break
    case .optional(let wrapped): show(wrapped)
    case .nominal(let nominal): show(nominal)
    case .generic(let nominal, let arguments):
      show(nominal)
      for argument in arguments { show(argument) }
    }
  }

  mutating func show(_ nominal: NominalType) {
    if nominal.module.hasPrefix("Foundation") { showsFoundation = true }
    if nominal.module == "ObjectGraph" || nominal.module == "Model" { showsGraph = true }
  }

  /// Puts the lines between `#if` and `#endif` if there is a condition.
  mutating func add(_ text: SourceText, under condition: String?) {
    if let condition { add("#if \(condition)") }
    add(text)
    if condition != nil { add("#endif") }
  }

  /// A literal for any text of one line.
  static func quoted(_ text: String) -> String {
    "\"\(text.unicodeScalars.map(escaped).joined())\""
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\\": "\\\\"
    case "\"": "\\\""
    case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}":
      "\\u{\(String(scalar.value, radix: 16))}"
    default: String(scalar)
    }
  }

  /// A literal for any text, on lines of its own, none too long to look at.
  static func literal(_ text: String) -> String {
    var lines: [String] = []
    var line = ""
    for scalar in text.unicodeScalars {
      line += escaped(scalar)
      if line.utf8.count >= 110 {
        lines.append(line)
        line = ""
      }
    }
    lines.append(line)
    return "\"\"\"\n\(lines.joined(separator: "\\\n"))\n\"\"\""
  }
}
