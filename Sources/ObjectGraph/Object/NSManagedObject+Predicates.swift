public import Foundation
public import Predicates
public import Schema

extension NSManagedObject: KeyValueObject {
  /// A property's value as a predicate sees it.
  public final func predicateValue(forKey key: String) -> Any? { value(forKey: key) }
}

extension NSManagedObject: ObjectKeyConvertible {
  /// The key in a store; `nil` for an object of another one.
  public final func objectKey(inStore identifier: UUID) -> ObjectKey? {
    key.isTemporary || place?.store.identifier == identifier.uuidString ? key : nil
  }
  /// Equal for the object and its id.
  public final var predicateIdentity: AnyHashable { objectID.predicateIdentity }
}

extension NSManagedObjectID: ObjectKeyConvertible {
  /// The key in a store; `nil` for an id of another one. Ids that are not saved yet belong to every store.
  public final func objectKey(inStore identifier: UUID) -> ObjectKey? {
    let id: NSManagedObjectID = resolved
    return id.key.isTemporary || id.persistentStore?.identifier == identifier.uuidString ? id.key : nil
  }
  /// Equal for an object and its id.
  public final var predicateIdentity: AnyHashable { AnyHashable(resolved) }
}
