public import Foundation
internal import Schema

/// An object that changed in its store since the context read it.
///
/// Belongs to the queue of the object's context.
public final class NSMergeConflict: NSObject {
  /// The context's object.
  public let sourceObject: NSManagedObject
  /// Its values now: attributes, and ids of to-one relationships' destinations. `NSNull` stands for none.
  public let objectSnapshot: [String: Any]?
  /// The coordinator's values, which are the stored ones; `nil` when the object was deleted from the store.
  public let cachedSnapshot: [String: Any]?
  /// Always `nil` here: a coordinator never knows other values than its store.
  public let persistedSnapshot: [String: Any]?
  /// Number of the transaction that last wrote the stored object; 0 when it was deleted.
  public let newVersionNumber: Int
  /// The version that the context read.
  public let oldVersionNumber: Int

  /// The stored row, when a save found the conflict.
  let storedRow: Row?

  /// - Parameters:
  ///   - source: the object that was to be saved.
  ///   - newVersion: 0 when the object was deleted from the store.
  ///   - oldVersion: the version that the context read.
  ///   - cachedSnapshot: values that the context read.
  ///   - persistedSnapshot: values that the store holds now.
  public convenience init(
    source: NSManagedObject, newVersion: Int, oldVersion: Int, cachedSnapshot: [String: Any]?,
    persistedSnapshot: [String: Any]?
  ) {
    self.init(
      source: source, newVersion: newVersion, oldVersion: oldVersion, cachedSnapshot: cachedSnapshot,
      persistedSnapshot: persistedSnapshot, storedRow: nil)
  }

  init(
    source: NSManagedObject, newVersion: Int, oldVersion: Int, cachedSnapshot: [String: Any]?,
    persistedSnapshot: [String: Any]?, storedRow: Row?
  ) {
    sourceObject = source
    objectSnapshot = ConflictSnapshot.values(of: source)
    self.cachedSnapshot = cachedSnapshot
    self.persistedSnapshot = persistedSnapshot
    newVersionNumber = newVersion
    oldVersionNumber = oldVersion
    self.storedRow = storedRow
    super.init()
  }

  public override var description: String {
    "<NSMergeConflict: \(sourceObject.objectID), read at version \(oldVersionNumber), stored "
      + (newVersionNumber == 0 ? "no more>" : "at version \(newVersionNumber)>")
  }
}
