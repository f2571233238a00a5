public import Foundation
internal import Schema
package import Synchronization

/// A model: the entities of a store, read from a model file or built in code.
///
/// Mutable until a coordinator or context first uses it; after that any change stops the program. Use it from one
/// thread until then, from any thread afterwards.
open class NSManagedObjectModel: NSObject, NSCopying, @unchecked Sendable {
  // unchecked: see NSPropertyDescription; freezing itself is done under a lock.

  /// The entities. Setting them puts each in this model; an entity's sub-entities have to be listed too.
  public var entities: [NSEntityDescription] = [] {
    willSet {
      willChange("entities")
      for entity in entities where entity.model === self { entity.model = nil }
    }
    didSet { for entity in entities { entity.model = self } }
  }

  /// Strings that tell versions of the model apart.
  public var versionIdentifiers: Set<AnyHashable> = [] { willSet { willChange("versionIdentifiers") } }
  /// Names for people: "Entity/Article", "Property/title/Entity/Article" and "ErrorString/…" to texts.
  public var localizationDictionary: [String: String]? { willSet { willChange("localizationDictionary") } }

  /// Entities by name. Costs a pass over them.
  public var entitiesByName: [String: NSEntityDescription] {
    if isFrozen { return frozenEntitiesByName }
    var byName: [String: NSEntityDescription] = [:]
    for entity in entities { if let name = entity.name { byName[name] = entity } }
    return byName
  }

  /// Names of the configurations, sorted.
  public var configurations: [String] { entityNamesByConfiguration.keys.sorted() }

  /// Fetch request templates as a model file gives them, by name. The layer above makes requests of them.
  package var templates: [String: FetchRequestTemplate] = [:] { willSet { willChange("fetchRequestTemplates") } }
  /// The object graph's fetch requests, made from templates or set by the program.
  package var templateObjects: [String: AnyObject] = [:] { willSet { willChange("fetchRequestTemplates") } }
  package var entityNamesByConfiguration: [String: [String]] = [:]
  /// Configurations that a model file marks for CloudKit; kept for writing them again.
  package var cloudConfigurations: Set<String> = []
  /// Named composites of a model file, in order.
  package var composites: [NSCompositeAttributeDescription] = []
  /// The root element's attributes in the model file.
  package var fileAttributes: [String: String] = [:]
  /// Where it was read from.
  package var url: URL?
  package var isFrozen = false
  var frozenEntitiesByName: [String: NSEntityDescription] = [:]
  let freezeLock = Mutex<FrozenModel?>(nil)
  /// What the object graph works out about the frozen model; kept here so that it lives as long as the model.
  package let runtime = Mutex<(any AnyObject & Sendable)?>(nil)
  /// Modules in which classes that the model names without one are looked for, the most likely first. Set before the
  /// model is first used.
  package var classModules: [String] = [] { willSet { willChange("classModules") } }

  /// A model without entities.
  public override init() { super.init() }

  /// The entities that a store of this configuration holds; `nil` for a configuration the model doesn't have.
  ///
  /// - Parameter name: `nil` or "PF_DEFAULT_CONFIGURATION_NAME" mean all entities.
  public func entities(forConfigurationName name: String?) -> [NSEntityDescription]? {
    guard let name, name != Self.defaultConfigurationName else { return entities }
    guard let names = entityNamesByConfiguration[name] else { return nil }
    let wanted = Set<String>(names)
    return entities.filter { wanted.contains($0.name ?? "") }
  }

  /// Sets which of the model's entities a configuration has.
  public func setEntities(_ entities: [NSEntityDescription], forConfigurationName name: String) {
    willChange("configuration \(name)")
    let known: Set<ObjectIdentifier> = Set(self.entities.map { ObjectIdentifier($0) })
    for entity in entities where !known.contains(ObjectIdentifier(entity)) {
      ProgrammerError.stop(
        "The configuration '\(name)' can't have the entity '\(entity.name ?? "")': it is not among the model's entities."
      )
    }
    entityNamesByConfiguration[name] = entities.compactMap { $0.name }
  }

  static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

  /// Stops the program if the model is frozen.
  package func willChange(_ what: String) {
    guard isFrozen else { return }
    ProgrammerError.stop(
      "'\(what)' of the model can't be set: the model is in use and can no longer change. "
        + "Change a copy of it, or make the change before a coordinator or context first uses it.")
  }

  /// Models are equal whose entities, configurations and templates are.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectModel else { return false }
    if self === other { return true }
    return entityVersionHashesByName == other.entityVersionHashesByName
      && ModelWriter.xml(of: self) == ModelWriter.xml(of: other)
  }

  open override var hash: Int { entities.count }

  open override var description: String {
    "NSManagedObjectModel \(entities.compactMap { $0.name }.sorted().joined(separator: ", "))"
  }
}

/// What freezing works out once for a model.
struct FrozenModel {
  var schema: Schema
  var entities: [NSEntityDescription]
}
