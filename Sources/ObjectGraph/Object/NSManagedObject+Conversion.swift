internal import Foundation
internal import Model
internal import Schema

// Between stored values and what key-value code holds.
extension NSManagedObject {
  /// An attribute's value as key-value access gives it.
  final func boxed(_ value: Value, _ attribute: AttributeSchema) -> Any? {
    if case .object(let key) = value { return resolve(key)?.objectID }
    return Self.boxedScalar(value, attribute)
  }

  /// The value of an attribute of any type but object id.
  static func boxedScalar(_ value: Value, _ attribute: AttributeSchema) -> Any? {
    switch value {
    case .null: return nil
    case .bool(let flag): return NSNumber(value: flag)
    case .int(let number): return boxedInteger(number, attribute.type)
    case .float(let number): return NSNumber(value: number)
    case .double(let number): return NSNumber(value: number)
    case .decimal(let number): return NSDecimalNumber(decimal: number)
    case .string(let text): return text
    case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
    case .data(let data): return data
    case .uuid(let uuid): return uuid
    case .url(let text): return URL(string: text)
    case .object: return nil
    }
  }

  private static func boxedInteger(_ number: Int64, _ type: AttributeType) -> NSNumber {
    switch type {
    case .integer16: return Int16(exactly: number).map { NSNumber(value: $0) } ?? NSNumber(value: number)
    case .integer32: return Int32(exactly: number).map { NSNumber(value: $0) } ?? NSNumber(value: number)
    default: return NSNumber(value: number)
    }
  }

  /// What an attribute of a type holds when it is given `value`; `nil` when it can't hold it. Numbers that are out of
  /// the type's range are kept as they are and refused by validation.
  static func converted(_ value: Any, to type: AttributeType) -> Value? {
    switch type {
    case .boolean: return boolean(value).map { .bool($0) }
    case .integer16, .integer32, .integer64: return integer(value).map { .int($0) }
    case .float: return floating(value).map { .float(Float($0)) }
    case .double: return floating(value).map { .double($0) }
    case .decimal: return decimal(value).map { .decimal($0) }
    case .string: return (value as? String).map { .string($0) }
    case .date: return (value as? Date).map { .date($0.timeIntervalSinceReferenceDate) }
    case .binary, .transformable: return (value as? Data).map { .data($0) }
    case .uuid: return (value as? UUID).map { .uuid($0) }
    case .uri: return (value as? URL).map { .url($0.absoluteString) }
    case .objectID: return (value as? NSManagedObjectID).map { .object($0.key) }
    }
  }

  private static func boolean(_ value: Any) -> Bool? {
    if let flag = value as? Bool { return flag }
    return integer(value).map { $0 != 0 }
  }

  static func integer(_ value: Any) -> Int64? {
    switch value {
    case let number as Int: return Int64(number)
    case let number as Int64: return number
    case let number as Int32: return Int64(number)
    case let number as Int16: return Int64(number)
    case let number as NSNumber: return integer(of: number)
    case let number as Bool: return number ? 1 : 0
    case let number as any BinaryInteger: return Int64(exactly: number)
    case let number as Double: return Int64(exactly: number.rounded(.towardZero))
    case let number as Float: return Int64(exactly: number.rounded(.towardZero))
    default: return nil
    }
  }

  private static func integer(of number: NSNumber) -> Int64? {
    if number is NSDecimalNumber { return Int64(exactly: number.doubleValue.rounded(.towardZero)) }
    let kind: Character = Character(UnicodeScalar(UInt8(bitPattern: number.objCType.pointee)))
    if kind == "d" || kind == "f" { return Int64(exactly: number.doubleValue.rounded(.towardZero)) }
    if kind == "Q" { return Int64(exactly: number.uint64Value) }
    return number.int64Value
  }

  static func floating(_ value: Any) -> Double? {
    switch value {
    case let number as Double: return number
    case let number as Float: return Double(number)
    case let number as NSNumber: return number.doubleValue
    case let number as Int: return Double(number)
    case let number as any BinaryInteger: return Double(number)
    case let number as Decimal: return NSDecimalNumber(decimal: number).doubleValue
    default: return nil
    }
  }

  private static func decimal(_ value: Any) -> Decimal? {
    switch value {
    case let number as Decimal: return number
    case let number as NSDecimalNumber: return number.decimalValue
    case let number as NSNumber: return number.decimalValue
    case let number as Int: return Decimal(number)
    case let number as Int64: return Decimal(number)
    case let number as Double: return Decimal(number)
    case let number as Float: return Decimal(Double(number))
    case let number as any BinaryInteger: return Int64(exactly: number).map { Decimal($0) }
    default: return nil
    }
  }

  final func stopForUnknownKey(_ key: String) -> Never {
    ProgrammerError.stop(
      "The entity '\(info.entity.name)' has no property '\(key)' (asked of \(type(of: self)) \(objectID))."
    )
  }

  final func stopForWrongValue(_ value: Any, _ property: Int) -> Never {
    let schema: PropertySchema = info.entity.properties[property]
    let wanted: String
    switch schema.kind {
    case .attribute(let attribute): wanted = "an attribute of type \(attribute.type.name)"
    case .relationship(let relationship): wanted = relationship.isToMany ? "a to-many relationship" : "a relationship"
    case .fetched:
      wanted = isComposite(property) ? "a composite attribute" : "a fetched property, which can't be set"
    }
    ProgrammerError.stop(
      "\(info.entity.name).\(schema.name) is \(wanted) and can't hold '\(value)' of type \(type(of: value)).")
  }
}
