public import Foundation
public import Model

/// An object's values as an incremental store gives them.
open class NSIncrementalStoreNode: NSObject {
  /// Whose values they are.
  public let objectID: NSManagedObjectID
  private var values: [String: Any]
  private var storedVersion: UInt64

  /// - Parameters:
  ///   - objectID: of the object whose values these are.
  ///   - values: by property name; ids for relationships.
  ///   - version: compared when the object is saved.
  public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
    self.objectID = objectID
    self.values = values
    storedVersion = version
    super.init()
  }

  /// The version of the values.
  open var version: UInt64 { storedVersion }

  /// Takes other values.
  open func update(withValues values: [String: Any], version: UInt64) {
    self.values = values
    storedVersion = version
  }

  /// A property's value; `nil` or `NSNull` for none.
  open func value(for prop: NSPropertyDescription) -> Any? { values[prop.name] }
}
