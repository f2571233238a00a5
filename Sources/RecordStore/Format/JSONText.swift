/// A JSON value with its members in order, so that the same schema always has the same text.
indirect enum JSONText: Equatable {
  case null
  case bool(Bool)
  case number(Int)
  case string(String)
  case array([JSONText])
  case object([(String, JSONText)])

  static func == (a: JSONText, b: JSONText) -> Bool { a.text == b.text }

  subscript(name: String) -> JSONText? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.0 == name }?.1
  }

  var stringValue: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  var intValue: Int? {
    guard case .number(let number) = self else { return nil }
    return number
  }

  var boolValue: Bool? {
    guard case .bool(let flag) = self else { return nil }
    return flag
  }

  var arrayValue: [JSONText]? {
    guard case .array(let items) = self else { return nil }
    return items
  }

  var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .number(let number): text += String(number)
    case .string(let string): Self.quote(string, to: &text)
    case .array(let items):
      text += "["
      for (index, item) in items.enumerated() {
        if index > 0 { text += "," }
        item.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.quote(member.0, to: &text)
        text += ":"
        member.1.write(to: &text)
      }
      text += "}"
    }
  }

  private static func quote(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

/// Reads JSON text; anything that is not JSON gives a message with the byte where it goes wrong.
struct JSONParser {
  struct Fault: Error {
    let message: String
    let offsetBytes: Int
  }
  static let depthMax = 64

  private let bytes: [UInt8]
  private var offset = 0

  static func parse(_ bytes: UnsafeRawBufferPointer) throws(Fault) -> JSONText {
    var parser = JSONParser(bytes: Array(bytes))
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.offset == parser.bytes.count else { throw parser.fault("text behind the end") }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func fault(_ message: String) -> Fault { Fault(message: message, offsetBytes: offset) }

  private mutating func skipSpace() {
    while offset < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) { offset += 1 }
  }

  private mutating func take(_ character: Character) -> Bool {
    guard offset < bytes.count, bytes[offset] == character.asciiValue else { return false }
    offset += 1
    return true
  }

  private mutating func word(_ word: String) -> Bool {
    guard bytes[offset...].starts(with: word.utf8) else { return false }
    offset += word.utf8.count
    return true
  }

  private mutating func value(depth: Int) throws(Fault) -> JSONText {
    guard depth < Self.depthMax else { throw fault("nested too deeply") }
    skipSpace()
    if take("{") { return try object(depth: depth) }
    if take("[") { return try array(depth: depth) }
    if offset < bytes.count, bytes[offset] == 0x22 { return .string(try string()) }
    if word("null") { return .null }
    if word("true") { return .bool(true) }
    if word("false") { return .bool(false) }
    return try number()
  }

  private mutating func object(depth: Int) throws(Fault) -> JSONText {
    var members: [(String, JSONText)] = []
    skipSpace()
    if take("}") { return .object(members) }
    repeat {
      skipSpace()
      let name = try string()
      skipSpace()
      guard take(":") else { throw fault("expected a colon") }
      members.append((name, try value(depth: depth + 1)))
      skipSpace()
    } while take(",")
    guard take("}") else { throw fault("expected a comma or a brace") }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(Fault) -> JSONText {
    var items: [JSONText] = []
    skipSpace()
    if take("]") { return .array(items) }
    repeat {
      items.append(try value(depth: depth + 1))
      skipSpace()
    } while take(",")
    guard take("]") else { throw fault("expected a comma or a bracket") }
    return .array(items)
  }

  private mutating func number() throws(Fault) -> JSONText {
    let start = offset
    _ = take("-")
    while offset < bytes.count, (0x30...0x39).contains(bytes[offset]) { offset += 1 }
    guard let number = Int(String(decoding: bytes[start..<offset], as: UTF8.self)) else {
      offset = start
      throw fault("expected a value")
    }
    return .number(number)
  }

  private mutating func string() throws(Fault) -> String {
    guard take("\"") else { throw fault("expected a string") }
    var text: [UInt8] = []
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if byte == 0x22 {
        guard let string = String(validating: text, as: UTF8.self) else { throw fault("a string is not UTF-8") }
        return string
      }
      guard byte == 0x5C else {
        text.append(byte)
        continue
      }
      try escape(into: &text)
    }
    throw fault("a string does not end")
  }

  private mutating func escape(into text: inout [UInt8]) throws(Fault) {
    if take("n") {
      text.append(0x0A)
    } else if take("u") {
      let digits = bytes[offset..<min(offset + 4, bytes.count)]
      guard let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16), let scalar = Unicode.Scalar(code)
      else { throw fault("a bad escape") }
      offset += 4
      text.append(contentsOf: Array(String(Character(scalar)).utf8))
    } else if offset < bytes.count, [0x22, 0x5C, 0x2F].contains(bytes[offset]) {
      text.append(bytes[offset])
      offset += 1
    } else {
      throw fault("an unknown escape")
    }
  }
}
