public import Foundation

/// An object's values as an atomic store keeps them.
open class NSAtomicStoreCacheNode: NSObject {
  /// Whose values they are.
  public let objectID: NSManagedObjectID
  /// The values by property name; those of relationships are other nodes, or collections of them.
  open var propertyCache: NSMutableDictionary?

  /// A node without values.
  public init(objectID moid: NSManagedObjectID) {
    objectID = moid
    super.init()
  }

  /// A value by its property's name.
  open func value(forKey key: String) -> Any? { propertyCache?[key] }

  /// Sets a value by its property's name.
  open func setValue(_ value: Any?, forKey key: String) {
    let cache: NSMutableDictionary = propertyCache ?? NSMutableDictionary()
    cache[key] = value
    propertyCache = cache
  }
}
