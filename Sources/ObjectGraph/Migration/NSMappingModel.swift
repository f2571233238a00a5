public import Foundation
public import Model

/// How the entities of one model become those of another.
///
/// Mapping models can be made and passed on; migrating with one is not built yet, and what would read or use one says so.
open class NSMappingModel: NSObject {
  /// One mapping for each pair of entities.
  open var entityMappings: [NSEntityMapping]! = []

  /// A mapping model without mappings.
  public override init() { super.init() }

  /// Finds the compiled mapping model for two models in bundles.
  ///
  /// - Returns: `nil` when the bundles have no mapping model at all. Stops the program when they have one, since reading
  ///   it is not built yet.
  public convenience init?(
    from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
    destinationModel: NSManagedObjectModel?
  ) {
    for bundle in bundles ?? [Bundle.main] {
      for kind in ["cdm", "xcmappingmodel"] {
        guard let found = bundle.urls(forResourcesWithExtension: kind, subdirectory: nil)?.first else { continue }
        Unbuilt.stop(
          "NSMappingModel(from:forSourceModel:destinationModel:)",
          "It can't read \(found.path ?? "it"): write the mapping model in code.")
      }
    }
    return nil
  }

  /// Reads a compiled mapping model.
  ///
  /// - Returns: `nil` when there is no such file. Stops the program when there is one, since reading it is not built yet.
  public convenience init?(contentsOf url: URL?) {
    guard let url, FileManager.default.fileExists(atPath: url.path) else { return nil }
    Unbuilt.stop("NSMappingModel(contentsOf:)", "It can't read \(url.path): write the mapping model in code.")
  }

  /// The mapping model that follows from comparing two models: not built yet, throws.
  open class func inferredMappingModel(
    forSourceModel source: NSManagedObjectModel, destinationModel destination: NSManagedObjectModel
  ) throws -> NSMappingModel {
    throw Unbuilt.error(
      "NSMappingModel.inferredMappingModel(forSourceModel:destinationModel:)",
      "Write the mapping model in code, or copy the objects from one store to another.",
      code: NSInferredMappingModelError)
  }

  /// The mappings by their names.
  open var entityMappingsByName: [String: NSEntityMapping] {
    Dictionary((entityMappings ?? []).map { ($0.name ?? "", $0) }) { first, _ in first }
  }
}
