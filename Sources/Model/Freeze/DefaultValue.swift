internal import Foundation
internal import Schema

/// A description's default value as stored values.
enum DefaultValue {
  /// `nil` when the value is not one of the type; `.null` when only the description can hold it.
  static func lower(_ value: Any, of type: NSAttributeType) -> Value? {
    if value is NSNull { return .null }
    switch type {
    case .integer16AttributeType: return integer(value, Int64(Int16.min)...Int64(Int16.max))
    case .integer32AttributeType: return integer(value, Int64(Int32.min)...Int64(Int32.max))
    case .integer64AttributeType: return integer(value, Int64.min...Int64.max)
    case .decimalAttributeType: return AttributeText.decimal(value).map { .decimal($0) }
    case .doubleAttributeType: return number(value).map { .double($0.doubleValue) }
    case .floatAttributeType: return number(value).map { .float($0.floatValue) }
    case .booleanAttributeType: return number(value).map { .bool($0.boolValue) }
    case .stringAttributeType: return (value as? String).map { .string($0) }
    case .dateAttributeType: return (value as? Date).map { .date($0.timeIntervalSinceReferenceDate) }
    case .binaryDataAttributeType: return (value as? Data).map { .data($0) }
    case .UUIDAttributeType: return (value as? UUID).map { .uuid($0) }
    case .URIAttributeType: return (value as? URL).map { .url($0.absoluteString) }
    case .undefinedAttributeType, .transformableAttributeType, .objectIDAttributeType, .compositeAttributeType:
      return .null
    }
  }

  private static func number(_ value: Any) -> NSNumber? {
    if let number = value as? NSNumber { return number }
    // A Swift number in Any doesn't always bridge by a cast.
    switch value {
    case let value as Bool: return NSNumber(value: value)
    case let value as any BinaryInteger: return Int64(exactly: value).map { NSNumber(value: $0) }
    case let value as Double: return NSNumber(value: value)
    case let value as Float: return NSNumber(value: value)
    case let value as Decimal: return NSDecimalNumber(decimal: value)
    default: return nil
    }
  }

  private static func integer(_ value: Any, _ range: ClosedRange<Int64>) -> Value? {
    guard let number = number(value) else { return nil }
    let integer: Int64 = number.int64Value
    guard range.contains(integer), number.doubleValue == number.doubleValue.rounded() else { return nil }
    return .int(integer)
  }
}
