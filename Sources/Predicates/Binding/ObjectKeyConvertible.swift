public import Foundation
public import Schema

/// Something that stands for a managed object in a predicate: the object, or its identifier.
public protocol ObjectKeyConvertible {
  /// The object's key in a store, temporary for one that is not saved yet; `nil` when it belongs to another store, and
  /// so equals nothing there.
  func objectKey(inStore identifier: UUID) -> ObjectKey?

  /// Equal for an object and its identifier, and for nothing else: what `==` and `IN` compare in memory.
  var predicateIdentity: AnyHashable { get }
}

/// An object whose values predicates, expressions and sort descriptors can read by key when they are evaluated in
/// memory. Managed objects are; dictionaries work without it.
public protocol KeyValueObject {
  /// The value as key-value coding gives it: scalars as `NSNumber` or Swift values, to-many relationships as sets,
  /// ordered sets or arrays, `nil` or `NSNull` where there is none.
  func predicateValue(forKey key: String) -> Any?
}
