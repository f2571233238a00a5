/// The name under which a value transformer is registered.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
  /// The name as model files write it.
  public let rawValue: String

  /// A name as model files write it.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// A name as model files write it.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// True for false and the other way round.
  public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")
  /// True for nothing.
  public static let isNilTransformerName = NSValueTransformerName("NSIsNil")
  /// True for anything but nothing.
  public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")
  /// Archives without a check of classes: old models name it. Reads as the secure one here.
  public static let unarchiveFromDataTransformerName = NSValueTransformerName("NSUnarchiveFromData")
  /// Reads as the secure one here.
  public static let keyedUnarchiveFromDataTransformerName = NSValueTransformerName("NSKeyedUnarchiveFromData")
  /// What a transformable attribute uses that names no transformer.
  public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName("NSSecureUnarchiveFromData")
}
