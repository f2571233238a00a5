public import Foundation

/// Objects that would share the values of a uniqueness constraint.
///
/// Belongs to the queue of the objects' context.
public final class NSConstraintConflict: NSObject {
  /// Names of the constraint's properties.
  public let constraint: [String]
  /// The values shared, by property.
  public let constraintValues: [String: Any]
  /// The object that has them in the store; `nil` when only unsaved objects share them.
  public let databaseObject: NSManagedObject?
  /// The stored values of `databaseObject`.
  public let databaseSnapshot: [String: Any]?
  /// The context's objects that want them.
  public let conflictingObjects: [NSManagedObject]
  /// Their committed values; empty for new objects.
  public let conflictingSnapshots: [[AnyHashable: Any]]

  /// A conflict as a store found it.
  public init(
    constraint: [String], database databaseObject: NSManagedObject?, databaseSnapshot: [AnyHashable: Any]?,
    conflictingObjects: [NSManagedObject], conflictingSnapshots: [Any]
  ) {
    self.constraint = constraint
    self.databaseObject = databaseObject
    var snapshot: [String: Any] = [:]
    for (key, value) in databaseSnapshot ?? [:] { if let key = key as? String { snapshot[key] = value } }
    self.databaseSnapshot = databaseSnapshot == nil ? nil : snapshot
    self.conflictingObjects = conflictingObjects
    self.conflictingSnapshots = conflictingSnapshots.map { ($0 as? [AnyHashable: Any]) ?? [:] }
    var values: [String: Any] = [:]
    if let object = conflictingObjects.first {
      let current: [String: Any] = ConflictSnapshot.values(of: object)
      for name in constraint { values[name] = current[name] }
    }
    constraintValues = values
    super.init()
  }

  public override var description: String {
    let objects: String = conflictingObjects.map { "\($0.objectID)" }.joined(separator: ", ")
    let holder: String = databaseObject.map { ", stored in \($0.objectID)" } ?? ""
    return "<NSConstraintConflict: \(constraint.joined(separator: ", ")) of \(objects)\(holder)>"
  }
}
