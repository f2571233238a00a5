public import Foundation
internal import Schema

extension NSManagedObjectModel {
  /// One model of several.
  ///
  /// Entities of the same name that are described alike count once.
  ///
  /// - Parameter models: copies of their entities are taken; the models themselves don't change.
  /// - Returns: `nil` when `models` is `nil`. Entities of the same name that differ stop the program, as in Core Data;
  ///   `init(merging:)` throws instead.
  public convenience init?(byMerging models: [NSManagedObjectModel]?) {
    guard let models else { return nil }
    do {
      try self.init(merging: models)
    } catch {
      ProgrammerError.stop(error.description)
    }
  }

  /// One model of several. Entities of the same name that are described alike count once.
  ///
  /// - Throws: `ModelError` that names every entity that two models describe differently, and where.
  public convenience init(merging models: [NSManagedObjectModel]) throws(ModelError) {
    self.init()
    var entities: [NSEntityDescription] = []
    var byName: [String: NSEntityDescription] = [:]
    var faults: [ModelDiagnostic] = []
    for model in models {
      for entity in model.entities {
        guard let known = byName[entity.name ?? ""] else {
          byName[entity.name ?? ""] = entity
          entities.append(entity)
          continue
        }
        guard ModelWriter.xml(of: known) != ModelWriter.xml(of: entity) else { continue }
        let other: String = Self.place(known)
        faults.append(
          ModelDiagnostic(
            .error, "the entity is described differently in \(other): \(Self.difference(known, entity))",
            file: entity.origin.file, line: entity.origin.line, entity: entity.name))
      }
    }
    guard faults.isEmpty else { throw ModelError("The models can't be merged.", diagnostics: faults) }
    setCopies(of: entities)
    for model in models {
      versionIdentifiers.formUnion(model.versionIdentifiers)
      templates.merge(model.templates) { first, _ in first }
      templateObjects.merge(model.templateObjects) { first, _ in first }
      cloudConfigurations.formUnion(model.cloudConfigurations)
      for (name, members) in model.entityNamesByConfiguration {
        let listed: [String] = entityNamesByConfiguration[name] ?? []
        entityNamesByConfiguration[name] = listed + members.filter { !listed.contains($0) }
      }
      if let dictionary = model.localizationDictionary {
        localizationDictionary = (localizationDictionary ?? [:]).merging(dictionary) { first, _ in first }
      }
    }
  }

  /// One model of those entities, out of several models, that a store was written with.
  ///
  /// - Parameters:
  ///   - models: those to choose from; they don't change.
  ///   - metadata: a store's, with "NSStoreModelVersionHashes".
  /// - Returns: `nil` when no model has one of the store's entities in the store's version.
  public convenience init?(byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]) {
    guard let stored = metadata[Self.versionHashesKey] as? [String: Data] else { return nil }
    var entities: [NSEntityDescription] = []
    for (name, hash) in stored.sorted(by: { $0.key < $1.key }) {
      let versions: [NSEntityDescription] = models.compactMap { $0.entitiesByName[name] }
      guard let entity = versions.first(where: { $0.versionHash == hash }) else { return nil }
      entities.append(entity)
    }
    self.init()
    setCopies(of: entities)
  }

  /// One model of all the models in bundles, and of those compiled into the modules that the bundles belong to.
  ///
  /// - Parameters:
  ///   - bundles: `nil` for the main bundle. A package target's `Bundle.module` stands for its module, the main bundle
  ///     for the executable's and the caller's.
  ///   - fileID: tells the caller's module; leave it out.
  /// - Returns: `nil` when a model can't be read; what is wrong is then on the error output.
  public class func mergedModel(from bundles: [Bundle]?, fileID: String = #fileID) -> NSManagedObjectModel? {
    guard let models = models(in: bundles, fileID) else { return nil }
    let merged: NSManagedObjectModel? = NSManagedObjectModel(byMerging: models)
    merged?.classModules = models.flatMap { $0.classModules }
    return merged
  }

  /// One model of those entities, out of all versions of all models in bundles, that a store was written with.
  ///
  /// - Parameters:
  ///   - bundles: `nil` for the main bundle.
  ///   - metadata: a store's, with "NSStoreModelVersionHashes".
  ///   - fileID: tells the caller's module; leave it out.
  public class func mergedModel(
    from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any], fileID: String = #fileID
  ) -> NSManagedObjectModel? {
    var models: [NSManagedObjectModel] = []
    for url in modelURLs(in: bundles) {
      if let compiled = (try? Data(contentsOf: url)).flatMap({ try? CompiledModel(data: $0) }) {
        models += compiled.versionNames.compactMap { try? compiled.model(version: $0) }
        continue
      }
      let versions: [URL] = (try? ModelFiles.versions(in: url)) ?? [url]
      models += versions.compactMap { NSManagedObjectModel(contentsOf: $0) }
    }
    for (_, generated) in GeneratedModelRegistry.models(of: bundles, fileID: fileID) {
      models += ((try? generated.versionNames()) ?? []).compactMap { try? generated.model(version: $0) }
    }
    return NSManagedObjectModel(byMerging: models, forStoreMetadata: metadata)
  }

  private class func models(in bundles: [Bundle]?, _ fileID: String) -> [NSManagedObjectModel]? {
    var models: [NSManagedObjectModel] = []
    for url in modelURLs(in: bundles) {
      guard let model = NSManagedObjectModel(contentsOf: url) else { return nil }
      models.append(model)
    }
    // A model that lies in the bundle too counts once: it is the same, or the newer.
    let names: Set<String> = Set(models.compactMap { $0.url?.deletingPathExtension().lastPathComponent })
    for (module, generated) in GeneratedModelRegistry.models(of: bundles, fileID: fileID)
    where !names.contains(generated.name) {
      do throws(ModelError) {
        let model: NSManagedObjectModel = try generated.model()
        model.classModules = [module]
        models.append(model)
      } catch {
        FileHandle.standardError.write(Data((error.description + "\n").utf8))
        return nil
      }
    }
    return models
  }

  private class func modelURLs(in bundles: [Bundle]?) -> [URL] {
    (bundles ?? [Bundle.main]).flatMap { bundle -> [URL] in
      let directory: URL = bundle.resourceURL ?? bundle.bundleURL
      let names: [String] = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
      return names.sorted().compactMap { name in
        let isDirectory: Bool = name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcdatamodel")
        guard isDirectory || name.hasSuffix(".annalsmodel") else { return nil }
        return directory.appendingPathComponent(name, isDirectory: isDirectory)
      }
    }
  }

  private static func place(_ entity: NSEntityDescription) -> String {
    guard let file = entity.origin.file else { return "another model" }
    return "\(file)\(entity.origin.line.map { ":\($0)" } ?? "")"
  }

  /// What differs between two entities, in the fewest words that help.
  private static func difference(_ a: NSEntityDescription, _ b: NSEntityDescription) -> String {
    let first: [String: NSPropertyDescription] = a.propertiesByName
    let second: [String: NSPropertyDescription] = b.propertiesByName
    let names: [String] = Set(first.keys).union(second.keys).sorted()
    let differing: [String] = names.filter { name in
      guard let one = first[name], let other = second[name] else { return true }
      return ModelWriter.xml(of: one) != ModelWriter.xml(of: other)
    }
    if differing.isEmpty { return "its class, parent, indexes, constraints or user info differ" }
    return "\(differing.prefix(5).joined(separator: ", "))\(differing.count > 5 ? "…" : "") differ"
  }
}
