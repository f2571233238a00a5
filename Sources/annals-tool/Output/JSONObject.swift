/// A JSON value that keeps the order in which its members were given, so that lines can be compared byte for byte.
///
/// Text is UTF-8 as it is; only the quote, the backslash and characters below U+0020 are escaped. There are no spaces
/// between tokens. Formats/json-lines.md defines it for other writers.
enum JSON {
  case null
  case bool(Bool)
  /// Digits that are valid as a JSON number as they stand.
  case number(String)
  case string(String)
  case array([JSON])
  /// An object: names, and a value for each. Only this type in its own cases: through another one, or through tuples,
  /// the compiler at times reports a circular reference.
  case members([String], [JSON])

  static func object(_ object: JSONObject) -> JSON { .members(object.names, object.values) }

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
    case .members(let names, let values):
      text += "{"
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        Self.appendQuoted(names[index], to: &text)
        text += ":"
        value.append(to: &text)
      }
      text += "}"
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
  private(set) var names: [String] = []
  private(set) var values: [JSON] = []

  init() {}

  /// A line of output of some kind.
  init(kind: String) {
    add("schema", .integer(Self.schemaVersion))
    add("kind", .string(kind))
  }

  var isEmpty: Bool { names.isEmpty }

  mutating func add(_ name: String, _ value: JSON) {
    names.append(name)
    values.append(value)
  }

  var text: String {
    var text = ""
    JSON.object(self).append(to: &text)
    return text
  }
}
