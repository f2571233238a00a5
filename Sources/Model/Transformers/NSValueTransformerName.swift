/// The name under which a value transformer is registered.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }

  public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")
  public static let isNilTransformerName = NSValueTransformerName("NSIsNil")
  public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")
  /// Archives without a check of classes: old models name it. Reads as the secure one here.
  public static let unarchiveFromDataTransformerName = NSValueTransformerName("NSUnarchiveFromData")
  public static let keyedUnarchiveFromDataTransformerName = NSValueTransformerName("NSKeyedUnarchiveFromData")
  /// What a transformable attribute uses that names no transformer.
  public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName("NSSecureUnarchiveFromData")
}
