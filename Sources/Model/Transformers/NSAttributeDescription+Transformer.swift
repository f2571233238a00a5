package import Foundation

extension NSAttributeDescription {
  /// The transformer of a transformable attribute; `nil` when it names one that isn't registered.
  package var transformer: ValueTransformer? {
    let name = valueTransformerName.map { NSValueTransformerName($0) } ?? .secureUnarchiveFromDataTransformerName
    return ValueTransformer(forName: name)
  }
}

extension ValueTransformer {
  /// The bytes to store for a value; `nil` when the transformer can't make any.
  ///
  /// Transformers of one's own make data of values; the secure unarchiver and what derives from it makes values of data,
  /// and is used backwards, as in Core Data.
  package func storedData(of value: Any) -> Data? {
    let made: Any? =
      self is NSSecureUnarchiveFromDataTransformer ? reverseTransformedValue(value) : transformedValue(value)
    return (made as? Data) ?? (made as? NSData).map { Data(referencing: $0) }
  }

  /// The value of stored bytes; `nil` when the transformer can't make one.
  package func value(ofStored data: Data) -> Any? {
    self is NSSecureUnarchiveFromDataTransformer ? transformedValue(data) : reverseTransformedValue(data)
  }
}
