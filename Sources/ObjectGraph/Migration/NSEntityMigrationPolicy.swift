public import Foundation

/// What a migration does for one entity mapping. Migration with mapping models is not built yet: nothing calls these
/// methods, and the base class's throw.
open class NSEntityMigrationPolicy: NSObject {
  /// A policy.
  public override init() { super.init() }

  /// Called before the mapping begins. Not built yet: throws.
  open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
    throw Self.unbuilt("begin(_:with:)")
  }

  /// Makes the new objects of one old one. Not built yet: throws.
  open func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    throw Self.unbuilt("createDestinationInstances(forSource:in:manager:)")
  }

  /// Called when all objects are made. Not built yet: throws.
  open func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    throw Self.unbuilt("endInstanceCreation(forMapping:manager:)")
  }

  /// Makes the relationships of one new object. Not built yet: throws.
  open func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    throw Self.unbuilt("createRelationships(forDestination:in:manager:)")
  }

  /// Called when all relationships are made. Not built yet: throws.
  open func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    throw Self.unbuilt("endRelationshipCreation(forMapping:manager:)")
  }

  /// Checks the new objects. Not built yet: throws.
  open func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    throw Self.unbuilt("performCustomValidation(forMapping:manager:)")
  }

  /// Called when the mapping is done. Not built yet: throws.
  open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    throw Self.unbuilt("end(_:manager:)")
  }

  private static func unbuilt(_ method: String) -> any Error {
    Unbuilt.error(
      "NSEntityMigrationPolicy.\(method)", "Copy the objects from one store to another.",
      code: NSEntityMigrationPolicyError)
  }
}

/// Under which name expressions of a mapping find the manager.
public let NSMigrationManagerKey: String = "manager"
/// Under which name expressions of a mapping find the old object.
public let NSMigrationSourceObjectKey: String = "source"
/// Under which name expressions of a mapping find the new object.
public let NSMigrationDestinationObjectKey: String = "destination"
/// Under which name expressions of a mapping find the entity mapping.
public let NSMigrationEntityMappingKey: String = "entityMapping"
/// Under which name expressions of a mapping find the property mapping.
public let NSMigrationPropertyMappingKey: String = "propertyMapping"
/// Under which name expressions of a mapping find the policy.
public let NSMigrationEntityPolicyKey: String = "entityPolicy"
