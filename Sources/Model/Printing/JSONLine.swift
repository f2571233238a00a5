/// One JSON object on a line, its members in the order in which they are added.
struct JSONLine {
  private var members: [String] = []

  init(kind: String) {
    add("schema", ModelPrinter.jsonSchema)
    add("kind", kind)
  }

  var text: String { "{\(members.joined(separator: ","))}" }

  mutating func add(_ name: String, _ value: String?) {
    if let value { members.append("\(Self.quote(name)):\(Self.quote(value))") }
  }

  mutating func add(_ name: String, _ value: Int?) {
    if let value { members.append("\(Self.quote(name)):\(value)") }
  }

  mutating func add(_ name: String, _ value: Bool) { members.append("\(Self.quote(name)):\(value)") }

  mutating func add(_ name: String, _ values: [String]) {
    members.append("\(Self.quote(name)):[\(values.map { Self.quote($0) }.joined(separator: ","))]")
  }

  mutating func add(_ name: String, _ values: [[String]]) {
    let lists: [String] = values.map { "[\($0.map { Self.quote($0) }.joined(separator: ","))]" }
    members.append("\(Self.quote(name)):[\(lists.joined(separator: ","))]")
  }

  mutating func add(_ name: String, _ values: [(String, String)]) {
    let entries: [String] = values.map { "\(Self.quote($0.0)):\(Self.quote($0.1))" }
    members.append("\(Self.quote(name)):{\(entries.joined(separator: ","))}")
  }

  static func quote(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\u{0}"..."\u{1F}", "\u{7F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
