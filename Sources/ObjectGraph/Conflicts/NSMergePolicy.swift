public import Foundation

/// Decides what becomes of objects that changed in the store since they were read, or that share the values of a
/// uniqueness constraint. A save finds all conflicts at once, asks its context's policy, and tries again.
///
/// A policy has no state: any thread; it is called on the queue of the context that saves.
open class NSMergePolicy: NSObject, @unchecked Sendable {
  // unchecked: immutable; subclasses that add state answer for it.

  /// What it does with conflicts that a subclass leaves to it.
  public let mergeType: NSMergePolicyType

  /// A policy of one of the five kinds; subclass it to decide some conflicts yourself.
  public init(merge ty: NSMergePolicyType) {
    mergeType = ty
    super.init()
  }

  /// The save throws: the default.
  public class var error: NSMergePolicy { NSErrorMergePolicy }
  /// Property by property; what changed on both sides takes the store's value.
  public class var mergeByPropertyStoreTrump: NSMergePolicy { NSMergeByPropertyStoreTrumpMergePolicy }
  /// Property by property; what changed on both sides takes the object's value.
  public class var mergeByPropertyObjectTrump: NSMergePolicy { NSMergeByPropertyObjectTrumpMergePolicy }
  /// The whole object in memory replaces the stored one.
  public class var overwrite: NSMergePolicy { NSOverwriteMergePolicy }
  /// The stored object replaces the one in memory.
  public class var rollback: NSMergePolicy { NSRollbackMergePolicy }

  /// Resolves conflicts of any kind: calls the two methods below, each with its own kind.
  ///
  /// - Throws: what they throw; the save then throws it and changes nothing.
  open func resolve(mergeConflicts list: [Any]) throws {
    let locking: [NSMergeConflict] = list.compactMap { $0 as? NSMergeConflict }
    if !locking.isEmpty { try resolve(optimisticLockingConflicts: locking) }
    let constraints: [NSConstraintConflict] = list.compactMap { $0 as? NSConstraintConflict }
    if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
  }

  /// Resolves conflicts with newer stored versions, by changing the objects concerned.
  ///
  /// - Throws: `NSManagedObjectMergeError` with the conflicts, for the error policy.
  open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    guard mergeType != .errorMergePolicyType else { throw MergeErrors.versions(list) }
    for conflict in list { try VersionConflictResolution(conflict, mergeType).resolve() }
  }

  /// Resolves violations of uniqueness constraints, by changing and deleting the objects concerned.
  ///
  /// - Throws: `NSManagedObjectConstraintMergeError` with the conflicts, for the error policy.
  open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    guard mergeType != .errorMergePolicyType else { throw MergeErrors.constraints(list) }
    for conflict in list { ConstraintConflictResolution(conflict, mergeType).resolve() }
  }
}

/// The save throws: the default.
public let NSErrorMergePolicy: NSMergePolicy = NSMergePolicy(merge: .errorMergePolicyType)
/// Property by property; what changed on both sides takes the store's value.
public let NSMergeByPropertyStoreTrumpMergePolicy: NSMergePolicy = NSMergePolicy(
  merge: .mergeByPropertyStoreTrumpMergePolicyType)
/// Property by property; what changed on both sides takes the object's value.
public let NSMergeByPropertyObjectTrumpMergePolicy: NSMergePolicy = NSMergePolicy(
  merge: .mergeByPropertyObjectTrumpMergePolicyType)
/// The whole object in memory replaces the stored one.
public let NSOverwriteMergePolicy: NSMergePolicy = NSMergePolicy(merge: .overwriteMergePolicyType)
/// The stored object replaces the one in memory.
public let NSRollbackMergePolicy: NSMergePolicy = NSMergePolicy(merge: .rollbackMergePolicyType)
