public import Foundation
public import Model

/// Migrates a store to another model by a mapping model. Not built yet: `migrateStore` throws, and what only exists
/// while it runs stops the program.
open class NSMigrationManager: NSObject {
  /// The model that is read.
  public let sourceModel: NSManagedObjectModel
  /// The model that is written.
  public let destinationModel: NSManagedObjectModel
  /// Kept for ported code.
  open var usesStoreSpecificMigrationManager: Bool = true
  /// For the program's use.
  open var userInfo: [AnyHashable: Any]?

  /// A manager for two models.
  public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
    self.sourceModel = sourceModel
    self.destinationModel = destinationModel
    super.init()
  }

  /// Not built yet: throws `NSMigrationError`, and touches neither store.
  open func migrateStore(
    from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
    with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
    destinationOptions dOptions: [AnyHashable: Any]? = nil
  ) throws {
    throw Unbuilt.error(
      "NSMigrationManager.migrateStore",
      "Open the old store with its model and copy its objects into a new one.", code: NSMigrationError)
  }

  /// Not built yet: throws `NSMigrationError`, and touches neither store.
  public func migrateStore(
    from sourceURL: URL, type sourceType: NSPersistentStore.StoreType, options sourceOptions: [AnyHashable: Any]? = nil,
    mapping: NSMappingModel, to destinationURL: URL, type destinationType: NSPersistentStore.StoreType,
    options destinationOptions: [AnyHashable: Any]? = nil
  ) throws {
    try migrateStore(
      from: sourceURL, sourceType: sourceType.rawValue, options: sourceOptions, with: mapping,
      toDestinationURL: destinationURL, destinationType: destinationType.rawValue,
      destinationOptions: destinationOptions)
  }

  /// Forgets the objects of a migration, of which there are none.
  open func reset() { userInfo = nil }

  /// How much of the migration is done: 0, since none runs.
  open var migrationProgress: Float { 0 }

  /// Stops a migration that is running: none can be. Stops the program.
  open func cancelMigrationWithError(_ error: any Error) { Self.stop("cancelMigrationWithError(_:)") }
  /// Stops the program: no migration runs.
  open var mappingModel: NSMappingModel { Self.stop("mappingModel") }
  /// Stops the program: no migration runs.
  open var sourceContext: NSManagedObjectContext { Self.stop("sourceContext") }
  /// Stops the program: no migration runs.
  open var destinationContext: NSManagedObjectContext { Self.stop("destinationContext") }
  /// Stops the program: no migration runs.
  open var currentEntityMapping: NSEntityMapping { Self.stop("currentEntityMapping") }

  /// The entity that a mapping reads.
  open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.sourceEntityName.flatMap { sourceModel.entitiesByName[$0] }
  }

  /// The entity that a mapping writes.
  open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.destinationEntityName.flatMap { destinationModel.entitiesByName[$0] }
  }

  /// Stops the program: no migration runs.
  open func associate(
    sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
    for entityMapping: NSEntityMapping
  ) {
    Self.stop("associate(sourceInstance:withDestinationInstance:for:)")
  }

  /// Stops the program: no migration runs.
  open func destinationInstances(
    forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    Self.stop("destinationInstances(forEntityMappingName:sourceInstances:)")
  }

  /// Stops the program: no migration runs.
  open func sourceInstances(
    forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    Self.stop("sourceInstances(forEntityMappingName:destinationInstances:)")
  }

  private static func stop(_ member: String) -> Never {
    Unbuilt.stop(
      "NSMigrationManager.\(member)", "Open the old store with its model and copy its objects into a new one.")
  }
}
