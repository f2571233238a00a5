internal import Schema

/// An object as an undo step remembers it: by its key, and while that is temporary by the object itself, whose key the
/// next save changes.
struct UndoReference {
  private let key: ObjectKey
  private let object: NSManagedObject?

  init(_ key: ObjectKey, seenFrom owner: NSManagedObject) {
    self.key = key
    object = key.isTemporary ? owner.resolve(key) : nil
  }

  /// The key it has now.
  var currentKey: ObjectKey { object?.key ?? key }
}

/// A property's value as an undo step remembers it.
enum UndoValue {
  case value(Value, object: Any?)
  case toOne(UndoReference)
  /// Members that the event added and removed; the order before and after it, where there is one.
  case members(added: [UndoReference], removed: [UndoReference], before: [UndoReference], after: [UndoReference])
}
