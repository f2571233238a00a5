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
    /// The class's methods `validate<Key>(_:)`, inherited ones too.
    var validators: [GeneratedValidator] = []
  }

  /// Modules to look in, the most likely first.
  let modules: [String]
  let generated: [String: GeneratedEntity]
  /// Methods `validate<Key>(_:)` of the modules' classes.
  let validators: [GeneratedValidator]

  /// - Parameter modules: names of the modules whose classes the model may name.
  init(modules: [String]) {
    self.modules = modules
    var generated: [String: GeneratedEntity] = [:]
    var validators: [GeneratedValidator] = []
    for module in modules {
      guard let registry = GeneratedModelRegistry.registry(ofModule: module) else {
        continue
      }
      for entity in registry.models.flatMap({ $0.entities }) { generated["\(module)/\(entity.name)"] = entity }
      validators += registry.validators()
    }
    self.generated = generated
    self.validators = validators
  }

  func resolve(_ entity: NSEntityDescription) -> Answer {
    var answer: Answer = find(entity)
    guard let found = answer.objectClass, found != NSManagedObject.self else { return answer }
    let module = String(String(reflecting: found).prefix { $0 != "." })
    var known: [GeneratedValidator] = validators
    if !modules.contains(module) { known += GeneratedModelRegistry.registry(ofModule: module)?.validators() ?? [] }
    answer.validators = known.filter { $0.serves(found) }
    return answer
  }

  /// A class by its name with its module. Linux finds none that is declared inside another type, and says so on the
  /// error output: the generated code has them.
  private func objectClass(_ name: String, of entity: NSEntityDescription) -> NSManagedObject.Type? {
    let parts: [Substring] = name.split(separator: ".")
    if parts.count < 3 { return NSClassFromString(name) as? NSManagedObject.Type }
    let entry: GeneratedEntity? = generated["\(parts[0])/\(entity.name ?? "")"]
    guard let entry, entry.className == name else { return nil }
    return entry.nestedClass?() as? NSManagedObject.Type
  }

  private func find(_ entity: NSEntityDescription) -> Answer {
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
      guard let found = objectClass(candidate, of: entity) else { continue }
      let module: Substring = candidate.split(separator: ".").first ?? ""
      let entry: GeneratedEntity? = generated["\(module)/\(entity.name ?? "")"]
      guard let entry, entry.className == candidate else { return Answer(objectClass: found, propertyNames: nil) }
      return Answer(
        objectClass: found, propertyNames: entry.propertyNames, isWhollyGenerated: entry.isWhollyGenerated)
    }
    return Answer(objectClass: isPlain ? NSManagedObject.self : nil, propertyNames: nil)
  }
}
