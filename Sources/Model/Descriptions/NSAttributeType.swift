/// What an attribute holds. The raw values are Core Data's.
public enum NSAttributeType: UInt, Sendable, CaseIterable {
  /// For transient attributes only: any object.
  case undefinedAttributeType = 0
  /// A number from -32768 to 32767.
  case integer16AttributeType = 100
  /// A number of 32 bits.
  case integer32AttributeType = 200
  /// A number of 64 bits.
  case integer64AttributeType = 300
  /// A decimal number of up to 38 digits.
  case decimalAttributeType = 400
  /// A floating point number of 64 bits.
  case doubleAttributeType = 500
  /// A floating point number of 32 bits.
  case floatAttributeType = 600
  /// Text.
  case stringAttributeType = 700
  /// True or false.
  case booleanAttributeType = 800
  /// A point in time.
  case dateAttributeType = 900
  /// Bytes.
  case binaryDataAttributeType = 1000
  /// A UUID.
  case UUIDAttributeType = 1100
  /// A URL.
  case URIAttributeType = 1200
  /// Bytes that a value transformer makes of a value.
  case transformableAttributeType = 1800
  /// The identity of an object.
  case objectIDAttributeType = 2000
  /// Named parts.
  case compositeAttributeType = 2100
}

extension NSAttributeType {
  /// The name a model file uses, as in `Integer 16`; `nil` for an undefined type, which has none.
  package var fileName: String? {
    switch self {
    case .undefinedAttributeType: nil
    case .integer16AttributeType: "Integer 16"
    case .integer32AttributeType: "Integer 32"
    case .integer64AttributeType: "Integer 64"
    case .decimalAttributeType: "Decimal"
    case .doubleAttributeType: "Double"
    case .floatAttributeType: "Float"
    case .stringAttributeType: "String"
    case .booleanAttributeType: "Boolean"
    case .dateAttributeType: "Date"
    case .binaryDataAttributeType: "Binary"
    case .UUIDAttributeType: "UUID"
    case .URIAttributeType: "URI"
    case .transformableAttributeType: "Transformable"
    case .objectIDAttributeType: "Object ID"
    case .compositeAttributeType: "Composite"
    }
  }

  package init?(fileName: String) {
    guard let type = Self.allCases.first(where: { $0.fileName == fileName }) else { return nil }
    self = type
  }

  /// Name of the class whose instances the attribute holds, as Core Data reports it.
  package var valueClassName: String? {
    switch self {
    case .undefinedAttributeType, .transformableAttributeType, .compositeAttributeType: nil
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
      .floatAttributeType, .booleanAttributeType:
      "NSNumber"
    case .decimalAttributeType: "NSDecimalNumber"
    case .stringAttributeType: "NSString"
    case .dateAttributeType: "NSDate"
    case .binaryDataAttributeType: "NSData"
    case .UUIDAttributeType: "NSUUID"
    case .URIAttributeType: "NSURL"
    case .objectIDAttributeType: "NSManagedObjectID"
    }
  }
}
