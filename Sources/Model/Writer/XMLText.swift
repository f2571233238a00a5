/// XML being written, four spaces a level, as Xcode writes it.
struct XMLText {
  private(set) var text: String = ""
  private var openNames: [String] = []
  /// Whether the last start tag is still without its end: it becomes an empty element if nothing follows.
  private var isTagOpen = false

  mutating func raw(_ line: String) { text += line + "\n" }

  /// Starts an element. Attributes without a value are left out.
  mutating func open(_ name: String, _ attributes: [(String, String?)]) {
    finishTag()
    text += String(repeating: "    ", count: openNames.count) + "<" + name
    for (attribute, value) in attributes { if let value { text += " \(attribute)=\"\(Self.escape(value))\"" } }
    openNames.append(name)
    isTagOpen = true
  }

  mutating func empty(_ name: String, _ attributes: [(String, String?)]) {
    open(name, attributes)
    close()
  }

  mutating func close() {
    guard let name = openNames.popLast() else { return }
    if isTagOpen {
      text += "/>\n"
      isTagOpen = false
    } else {
      text += String(repeating: "    ", count: openNames.count) + "</" + name + ">\n"
    }
  }

  private mutating func finishTag() {
    if isTagOpen { text += ">\n" }
    isTagOpen = false
  }

  /// Characters that XML can't hold at all are left out.
  static func escape(_ value: String) -> String {
    var escaped = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": break
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
