import Bytes
import Foundation
import Schema

/// How stored values are shown: on one line for a person, as JSON for a program.
struct ValueFormatter {
  /// Binary values whole, however long.
  let isFull: Bool
  /// An object's name, "Package/42".
  let objectName: (ObjectKey) -> String

  private static let wholeBytesMax = 48
  private static let startBytes = 24
  private static let textCharactersMax = 60

  func text(_ value: Value) -> String {
    switch value {
    case .null: "nil"
    case .bool(let flag): flag ? "true" : "false"
    case .int(let number): String(number)
    case .float(let number): NumberText.text(number)
    case .double(let number): NumberText.text(number)
    case .decimal(let decimal): decimal.isNaN ? "NaN" : decimal.description
    case .string(let string): quoted(string)
    case .date(let seconds): TimeText.short(seconds)
    case .data(let data): text(data)
    case .uuid(let uuid): uuid.uuidString
    case .url(let url): "<\(Self.escaped(url))>"
    case .object(let key): objectName(key)
    }
  }

  func json(_ value: Value) -> JSON {
    switch value {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .int(let number): .integer(number)
    case .float(let number): NumberText.json(number)
    case .double(let number): NumberText.json(number)
    case .decimal(let decimal): .string(decimal.isNaN ? "NaN" : decimal.description)
    case .string(let string): .string(string)
    case .date(let seconds): TimeText.json(seconds)
    case .data(let data): json(data)
    case .uuid(let uuid): .string(uuid.uuidString)
    case .url(let url): .string(url)
    case .object(let key): .string(objectName(key))
    }
  }

  private func text(_ data: Data) -> String {
    let shown = isFull ? data.count : min(data.count, Self.startBytes)
    let digits = data.prefix(shown).map { Self.hexadecimal($0) }.joined()
    if shown == data.count { return "x'\(digits)' (\(data.count) bytes)" }
    return "x'\(digits)…' (\(data.count) bytes, xxh3 \(Self.hash(data)))"
  }

  private func json(_ data: Data) -> JSON {
    var object = JSONObject()
    object.add("bytes", .integer(data.count))
    if isFull || data.count <= Self.wholeBytesMax {
      object.add("base64", .string(data.base64EncodedString()))
    } else {
      object.add("xxh3", .string(Self.hash(data)))
      object.add("start", .string(data.prefix(Self.startBytes).base64EncodedString()))
    }
    return .object(object)
  }

  /// What stands for a long binary value: its XXH3-64, in hexadecimal.
  private static func hash(_ data: Data) -> String {
    let hash = data.withUnsafeBytes { Checksum.xxh3_64($0) }
    return String(StoreFault.hexadecimal(hash, 16).dropFirst(2))
  }

  private func quoted(_ string: String) -> String {
    let shown = isFull ? Substring(string) : string.prefix(Self.textCharactersMax)
    let isWhole = shown.endIndex == string.endIndex
    return "\"\(Self.escaped(String(shown)))\(isWhole ? "\"" : "\"…")"
  }

  /// A stored string can hold what a terminal obeys; only what is visible is printed.
  static func escaped(_ string: String) -> String {
    var text = ""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      default:
        switch scalar.properties.generalCategory {
        case .format where scalar == "\u{200D}": text.unicodeScalars.append(scalar)  // joins emoji
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
          text += "\\u{\(String(scalar.value, radix: 16))}"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
    return text
  }

  static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }

  /// "1 segment", "2 segments".
  static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
