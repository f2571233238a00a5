/// Swift source being written: lines, and what their declarations show to other modules.
struct SourceText {
  private(set) var lines: [String] = []
  /// Whether a public declaration mentions the object graph, or a type of Foundation: imports must be as public.
  private(set) var showsGraph = false
  private(set) var showsFoundation = false

  mutating func add(_ line: String = "") { lines.append(line) }

  mutating func add(_ text: SourceText) {
    lines += text.lines
    showsGraph = showsGraph || text.showsGraph
    showsFoundation = showsFoundation || text.showsFoundation
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

  /// A literal for any text, on lines of its own.
  static func rawLiteral(_ text: String) -> String {
    var pounds = "#"
    while text.contains("\"\"\"" + pounds) || text.contains("\\" + pounds) { pounds += "#" }
    let body = text.replacingLineEndings
    return "\(pounds)\"\"\"\n\(body)\n\"\"\"\(pounds)"
  }
}

extension String {
  /// The text with line feeds only: a literal must not depend on how the file was checked out.
  fileprivate var replacingLineEndings: String {
    var result = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in unicodeScalars {
      // A line feed after a carriage return has been written already.
      if !(scalar == "\n" && previous == "\r") { result.append(scalar == "\r" ? "\n" : scalar) }
      previous = scalar
    }
    return String(result)
  }
}
