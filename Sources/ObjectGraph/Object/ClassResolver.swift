internal import Foundation
internal import Model

/// Finds the classes that models name.
struct ClassResolver {
  struct Answer {
    var objectClass: NSManagedObject.Type?
    /// The names that the class's generated accessors count by; `nil` for a class without generated accessors.
    var propertyNames: [String]?
    /// Whether nothing in the class can be an override.
    var isWhollyGenerated = false
  }

  /// Modules to look in, the most likely first.
  let modules: [String]
  let generated: [String: GeneratedEntity]

  /// - Parameter modules: names of the modules whose classes the model may name.
  init(modules: [String]) {
    self.modules = modules
    var generated: [String: GeneratedEntity] = [:]
    for module in modules {
      guard let registry = GeneratedModelRegistry.registry(ofModule: module) else {
        continue
      }
      for entity in registry.models.flatMap({ $0.entities }) { generated["\(module)/\(entity.name)"] = entity }
    }
    self.generated = generated
  }

  func resolve(_ entity: NSEntityDescription) -> Answer {
    let named: String = entity.managedObjectClassName ?? ""
    let isPlain: Bool = named.isEmpty || named == "NSManagedObject"
    var candidates: [String] = []
    if named.contains("."), !named.hasPrefix(".") { candidates.append(named) }
    let short: String = named.hasPrefix(".") ? String(named.dropFirst()) : named
    for module in modules {
      let entry: GeneratedEntity? = generated["\(module)/\(entity.name ?? "")"]
      if let entry, !isPlain { candidates.append(entry.className) }
      if !isPlain { candidates.append("\(module).\(short)") }
    }
    for candidate in candidates {
      guard let found = NSClassFromString(candidate) as? NSManagedObject.Type else { continue }
      let module: Substring = candidate.split(separator: ".").first ?? ""
      let entry: GeneratedEntity? = generated["\(module)/\(entity.name ?? "")"]
      guard let entry, entry.className == candidate else { return Answer(objectClass: found, propertyNames: nil) }
      return Answer(
        objectClass: found, propertyNames: entry.propertyNames, isWhollyGenerated: entry.isWhollyGenerated)
    }
    return Answer(objectClass: isPlain ? NSManagedObject.self : nil, propertyNames: nil)
  }
}
