package import Foundation

/// The text by which model files write values, read and written.
package enum AttributeText {
  package static func bool(_ text: String) -> Bool? { word(text) ?? Decimal(exactly: text).map { $0 != 0 } }

  /// YES or NO, in any of the spellings that files have.
  static func word(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "true": true
    case "no", "false": false
    default: nil
    }
  }

  /// A default value of a type, as descriptions hold it; `nil` when the text is no such value.
  static func value(_ text: String, of type: NSAttributeType) -> Any? {
    switch type {
    case .integer16AttributeType: return integer(text, Int64(Int16.min)...Int64(Int16.max))
    case .integer32AttributeType: return integer(text, Int64(Int32.min)...Int64(Int32.max))
    case .integer64AttributeType: return integer(text, Int64.min...Int64.max)
    case .decimalAttributeType: return Decimal(exactly: text).map { NSDecimalNumber(decimal: $0) }
    case .doubleAttributeType: return Double(text).map { NSNumber(value: $0) }
    case .floatAttributeType: return Float(text).map { NSNumber(value: $0) }
    case .stringAttributeType: return text
    case .booleanAttributeType: return bool(text).map { NSNumber(value: $0) }
    case .UUIDAttributeType: return UUID(uuidString: text)
    case .URIAttributeType: return URL(string: text)
    case .binaryDataAttributeType: return Data(base64Encoded: text)
    case .dateAttributeType: return Double(text).flatMap { date($0) }
    case .undefinedAttributeType, .transformableAttributeType, .objectIDAttributeType, .compositeAttributeType:
      return nil
    }
  }

  static func date(_ seconds: Double) -> Date? {
    seconds.isFinite ? Date(timeIntervalSinceReferenceDate: seconds) : nil
  }

  /// Xcode writes whole numbers as "0.0" when an attribute's type was changed.
  static func integer(_ text: String, _ range: ClosedRange<Int64>) -> NSNumber? {
    var digits: Substring = text[...]
    if let point = text.firstIndex(of: "."), text[text.index(after: point)...].allSatisfy({ $0 == "0" }) {
      digits = text[..<point]
    }
    guard let number = Int64(digits), range.contains(number) else { return nil }
    return NSNumber(value: number)
  }

  /// The text of a default value, and the attribute that holds it; `nil` for a value that no file can hold.
  static func attribute(for value: Any, of type: NSAttributeType) -> (name: String, text: String)? {
    let name = "defaultValueString"
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      return (value as? NSNumber).map { (name, String($0.int64Value)) }
    case .decimalAttributeType: return decimal(value).map { (name, "\($0)") }
    case .doubleAttributeType: return (value as? NSNumber).map { (name, "\($0.doubleValue)") }
    case .floatAttributeType: return (value as? NSNumber).map { (name, "\($0.floatValue)") }
    case .stringAttributeType: return (value as? String).map { (name, $0) }
    case .booleanAttributeType: return (value as? NSNumber).map { (name, $0.boolValue ? "YES" : "NO") }
    case .UUIDAttributeType: return (value as? UUID).map { (name, $0.uuidString) }
    case .URIAttributeType: return (value as? URL).map { (name, $0.absoluteString) }
    case .binaryDataAttributeType: return (value as? Data).map { (name, $0.base64EncodedString()) }
    case .dateAttributeType:
      return (value as? Date).map { ("defaultDateTimeInterval", number($0.timeIntervalSinceReferenceDate)) }
    case .undefinedAttributeType, .transformableAttributeType, .objectIDAttributeType, .compositeAttributeType:
      return nil
    }
  }

  static func decimal(_ value: Any) -> Decimal? {
    if let number = value as? NSDecimalNumber { return number.decimalValue }
    if let number = value as? Decimal { return number }
    return (value as? NSNumber)?.decimalValue
  }

  /// Seconds without a fraction are written as Xcode does, without a point.
  static func number(_ value: Double) -> String {
    Int64(exactly: value).map { String($0) } ?? "\(value)"
  }
}

extension Decimal {
  /// The whole text as a decimal number, or nothing.
  package init?(exactly text: String) {
    let allowed: Bool = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E")
    }
    guard allowed, Double(text) != nil, let value = Decimal(string: text) else { return nil }
    self = value
  }
}
