public import Foundation
public import Model
internal import Schema

/// A step of a staged migration.
///
/// Stages can be made and passed on; a store that is opened with a staged migration manager throws, since migration is
/// not built yet.
open class NSMigrationStage: NSObject {
  /// A name for people.
  open var label: String?
  init(label: String? = nil) {
    self.label = label
    super.init()
  }
}

/// A step that needs no code: models whose differences follow from comparing them.
open class NSLightweightMigrationStage: NSMigrationStage {
  /// Checksums of the models, in their order.
  public let versionChecksums: [String]

  /// - Parameter versionChecksums: as `NSManagedObjectModel.versionChecksum` gives them, in their order.
  public init(_ versionChecksums: [String]) {
    self.versionChecksums = versionChecksums
    super.init()
  }
}

/// A step from one model to the next with code before and after it.
open class NSCustomMigrationStage: NSMigrationStage {
  /// The model before.
  public let currentModel: NSManagedObjectModelReference
  /// The model after.
  public let nextModel: NSManagedObjectModelReference
  /// Called before the step.
  open var willMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
  /// Called after the step.
  open var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?

  /// A step between two models.
  public init(migratingFrom currentModel: NSManagedObjectModelReference, to nextModel: NSManagedObjectModelReference) {
    self.currentModel = currentModel
    self.nextModel = nextModel
    super.init()
  }
}

/// The steps of a migration, given to a store as `NSPersistentStoreStagedMigrationManagerOptionKey`. Not built yet:
/// opening a store with that option throws.
open class NSStagedMigrationManager: NSObject {
  /// The steps, in their order.
  public let stages: [NSMigrationStage]

  /// A manager of steps.
  public init(_ stages: [NSMigrationStage]) {
    self.stages = stages
    super.init()
  }

  /// The container that is migrating: `nil`, since none is.
  open var container: NSPersistentContainer? { nil }
}

/// Names a version of a model: by itself, by a file, by name, or by its entities.
open class NSManagedObjectModelReference: NSObject {
  private enum Source {
    case model(NSManagedObjectModel)
    case file(URL)
    case name(String, Bundle?)
    case hashes([AnyHashable: Any], Bundle?)
  }

  private let source: Source
  /// The checksum that the model has to have.
  public let versionChecksum: String

  /// Names a model at hand.
  public init(model: NSManagedObjectModel, versionChecksum: String) {
    source = .model(model)
    self.versionChecksum = versionChecksum
    super.init()
  }

  /// Names a model in a file.
  public init(fileURL: URL, versionChecksum: String) {
    source = .file(fileURL)
    self.versionChecksum = versionChecksum
    super.init()
  }

  /// Names a model by its file's name in a bundle.
  public init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
    source = .name(modelName, bundle)
    self.versionChecksum = versionChecksum
    super.init()
  }

  /// Names a model by the version hashes of its entities, to be looked for in a bundle.
  public init(entityVersionHashes versionHash: [AnyHashable: Any], in bundle: Bundle?, versionChecksum: String) {
    source = .hashes(versionHash, bundle)
    self.versionChecksum = versionChecksum
    super.init()
  }

  /// The model. Stops the program when there is none, or when its checksum is another one.
  open var resolvedModel: NSManagedObjectModel {
    let model: NSManagedObjectModel = resolve()
    guard model.versionChecksum == versionChecksum else {
      ProgrammerError.stop(
        "The model that \(self) names has the checksum \(model.versionChecksum), not \(versionChecksum).")
    }
    return model
  }

  private func resolve() -> NSManagedObjectModel {
    switch source {
    case .model(let model): return model
    case .file(let url):
      if let model = NSManagedObjectModel(contentsOf: url) { return model }
      ProgrammerError.stop("There is no model at \(url.path), which a model reference names.")
    case .name(let name, let bundle):
      for kind in ["momd", "mom", "xcdatamodeld", "xcdatamodel"] {
        guard let url = (bundle ?? Bundle.main).url(forResource: name, withExtension: kind),
          let model = NSManagedObjectModel(contentsOf: url)
        else { continue }
        return model
      }
      ProgrammerError.stop("There is no model named '\(name)' in \((bundle ?? Bundle.main).bundlePath).")
    case .hashes:
      Unbuilt.stop(
        "NSManagedObjectModelReference(entityVersionHashes:in:versionChecksum:)",
        "Name the model itself, its file or its name.")
    }
  }
}
