extension NSAttributeDescription {
  /// What an attribute holds, by its newer name. The raw values are those of `NSAttributeType`.
  public struct AttributeType: RawRepresentable, Hashable, Sendable {
    /// Core Data's number for the type.
    public let rawValue: UInt

    /// A type by Core Data's number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    private init(_ type: NSAttributeType) { rawValue = type.rawValue }

    /// For transient attributes only: any object.
    public static let undefined = AttributeType(.undefinedAttributeType)
    /// A number from -32768 to 32767.
    public static let integer16 = AttributeType(.integer16AttributeType)
    /// A number of 32 bits.
    public static let integer32 = AttributeType(.integer32AttributeType)
    /// A number of 64 bits.
    public static let integer64 = AttributeType(.integer64AttributeType)
    /// A decimal number of up to 38 digits.
    public static let decimal = AttributeType(.decimalAttributeType)
    /// A floating point number of 64 bits.
    public static let double = AttributeType(.doubleAttributeType)
    /// A floating point number of 32 bits.
    public static let float = AttributeType(.floatAttributeType)
    /// Text.
    public static let string = AttributeType(.stringAttributeType)
    /// True or false.
    public static let boolean = AttributeType(.booleanAttributeType)
    /// A point in time.
    public static let date = AttributeType(.dateAttributeType)
    /// Bytes.
    public static let binaryData = AttributeType(.binaryDataAttributeType)
    /// A UUID.
    public static let uuid = AttributeType(.UUIDAttributeType)
    /// A URL.
    public static let uri = AttributeType(.URIAttributeType)
    /// Bytes that a value transformer makes of a value.
    public static let transformable = AttributeType(.transformableAttributeType)
    /// The identity of an object.
    public static let objectID = AttributeType(.objectIDAttributeType)
    /// Named parts.
    public static let composite = AttributeType(.compositeAttributeType)
  }
}
