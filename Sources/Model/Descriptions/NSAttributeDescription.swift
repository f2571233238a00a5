internal import Foundation

/// An attribute of an entity: a value with a type.
open class NSAttributeDescription: NSPropertyDescription, @unchecked Sendable {
  // unchecked: see NSPropertyDescription.

  /// What the attribute holds.
  public var attributeType: NSAttributeType = .undefinedAttributeType {
    willSet { willChange("attributeType") }
  }

  /// What the attribute holds, by its newer name. A raw value that names no type reads as undefined.
  public var type: AttributeType {
    get { AttributeType(rawValue: attributeType.rawValue) }
    set { attributeType = NSAttributeType(rawValue: newValue.rawValue) ?? .undefinedAttributeType }
  }

  /// What a new object starts with.
  public var defaultValue: Any? { willSet { willChange("defaultValue") } }

  /// Name of the class of the values. Follows from the type except for a transformable attribute, where it may be
  /// set.
  public var attributeValueClassName: String? {
    get { storedValueClassName ?? attributeType.valueClassName }
    set {
      willChange("attributeValueClassName")
      storedValueClassName = newValue
    }
  }

  /// Name under which a transformable attribute's transformer is registered; `nil` means the secure unarchiver.
  public var valueTransformerName: String? { willSet { willChange("valueTransformerName") } }
  /// Whether large binary values may be kept beside the rows.
  public var allowsExternalBinaryDataStorage: Bool = false {
    willSet { willChange("allowsExternalBinaryDataStorage") }
  }
  /// Whether history keeps the value of a deleted object.
  public var preservesValueInHistoryOnDeletion: Bool = false {
    willSet { willChange("preservesValueInHistoryOnDeletion") }
  }
  /// Kept for models that say so; has no effect.
  public var allowsCloudEncryption: Bool = false { willSet { willChange("allowsCloudEncryption") } }

  package var storedValueClassName: String?
  /// Whether generated code gives it a scalar type.
  package var usesScalarValueType = false
  /// The bounds and pattern a model file gives, as they stand there.
  package var limits = AttributeLimits()

  package override func makeEmpty() -> NSPropertyDescription { NSAttributeDescription() }

  package override func copyContents(to copy: NSPropertyDescription) {
    super.copyContents(to: copy)
    guard let copy = copy as? NSAttributeDescription else { return }
    copy.attributeType = attributeType
    copy.defaultValue = defaultValue
    copy.storedValueClassName = storedValueClassName
    copy.valueTransformerName = valueTransformerName
    copy.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    copy.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
    copy.allowsCloudEncryption = allowsCloudEncryption
    copy.usesScalarValueType = usesScalarValueType
    copy.limits = limits
  }
}
