public import Foundation
public import Predicates

/// What kind of mapping an entity mapping is.
public enum NSEntityMappingType: UInt, Sendable {
  case undefinedEntityMappingType = 0
  /// A policy of the program's own.
  case customEntityMappingType = 1
  /// The entity is new.
  case addEntityMappingType = 2
  /// The entity is gone.
  case removeEntityMappingType = 3
  /// The entity is as it was.
  case copyEntityMappingType = 4
  /// The entity has changed.
  case transformEntityMappingType = 5
}

/// How the objects of one entity become those of another.
open class NSEntityMapping: NSObject {
  /// Names the mapping within its model.
  open var name: String!
  /// What kind of mapping it is.
  open var mappingType: NSEntityMappingType = .undefinedEntityMappingType
  /// The entity that is read.
  open var sourceEntityName: String?
  /// The version of it.
  open var sourceEntityVersionHash: Data?
  /// The entity that is written.
  open var destinationEntityName: String?
  /// The version of it.
  open var destinationEntityVersionHash: Data?
  /// How its attributes get their values.
  open var attributeMappings: [NSPropertyMapping]?
  /// How its relationships get their members.
  open var relationshipMappings: [NSPropertyMapping]?
  /// Gives the objects to read.
  open var sourceExpression: Predicates.NSExpression?
  /// For the program's use.
  open var userInfo: [AnyHashable: Any]?
  /// Class of the policy, with its module; `nil` for `NSEntityMigrationPolicy`.
  open var entityMigrationPolicyClassName: String?

  /// A mapping without anything set.
  public override init() { super.init() }
}

/// How one property gets its value.
open class NSPropertyMapping: NSObject {
  /// The property that is written.
  open var name: String?
  /// Gives its value.
  open var valueExpression: Predicates.NSExpression?
  /// For the program's use.
  open var userInfo: [AnyHashable: Any]?

  /// A mapping without anything set.
  public override init() { super.init() }
}
