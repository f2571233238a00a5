/// A JSON value that keeps the order in which its members were given, so that lines can be compared byte for byte.
///
/// Text is UTF-8 as it is; only the quote, the backslash and characters below U+0020 are escaped. There are no spaces
/// between tokens. Formats/json-lines.md defines it for other writers.
indirect enum JSON {
  case null
  case bool(Bool)
  /// Digits that are valid as a JSON number as they stand.
  case number(String)
  case string(String)
  case array([JSON])
  case object(JSONObject)

  /// A number, or the same digits as a string where a reader that keeps numbers as doubles would lose some.
  static func integer(_ value: Int64) -> JSON {
    value.magnitude <= Self.exactMax ? .number(String(value)) : .string(String(value))
  }

  static func integer(_ value: UInt64) -> JSON {
    value <= Self.exactMax ? .number(String(value)) : .string(String(value))
  }

  static func integer(_ value: Int) -> JSON { integer(Int64(value)) }

  static func text(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }

  private static let exactMax: UInt64 = 1 << 53 - 1

  func append(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .number(let digits): text += digits
    case .string(let string): Self.appendQuoted(string, to: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.append(to: &text)
      }
      text += "]"
    case .object(let object): object.append(to: &text)
    }
  }

  static func appendQuoted(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{8}": text += "\\b"
      case "\u{C}": text += "\\f"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

/// Members in the order they were added.
struct JSONObject {
  /// The version of the tool's JSON lines: the first member of every line.
  static let schemaVersion = 1
  private(set) var members: [(name: String, value: JSON)] = []

  init() {}

  /// A line of output of some kind.
  init(kind: String) {
    add("schema", .integer(Self.schemaVersion))
    add("kind", .string(kind))
  }

  mutating func add(_ name: String, _ value: JSON) { members.append((name, value)) }

  var text: String {
    var text = ""
    append(to: &text)
    return text
  }

  func append(to text: inout String) {
    text += "{"
    for (index, member) in members.enumerated() {
      if index > 0 { text += "," }
      JSON.appendQuoted(member.name, to: &text)
      text += ":"
      member.value.append(to: &text)
    }
    text += "}"
  }
}
