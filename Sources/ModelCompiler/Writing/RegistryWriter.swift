internal import Model

/// Writes the class by which the graph finds out about a module.
struct RegistryWriter {
  let plan: ModulePlan

  func text() -> SourceText {
    var text = SourceText()
    text.add("nonisolated final class AnnalsGeneratedModels: GeneratedModelRegistry {")
    text.add("  override class var models: [GeneratedModel] {")
    text.add("    [\(plan.files.map { functionName($0) + "()" }.joined(separator: ", "))]")
    text.add("  }")
    text.add()
    addDependencies(to: &text)
    let table = "[\(plan.spelled("AnyKeyPath")): \(plan.spelled("String"))]"
    text.add("  override class func keyPathNames() -> \(table) {")
    text.add("    // Making key paths touches nothing that an actor guards, and a property may be the main actor's.")
    text.add("    let make: @MainActor () -> \(table) = _annalsKeyPathNames")
    text.add("    return unsafe unsafeBitCast(make, to: (() -> \(table)).self)()")
    text.add("  }")
    addValidators(to: &text)
    text.add("}")
    addKeyPaths(to: &text)
    for file in plan.files { addModel(file, to: &text) }
    return text
  }

  private func addDependencies(to text: inout SourceText) {
    let names = plan.types.dependencies.map { "\"\($0.module)\"" }
    if names.isEmpty { return }
    text.add("  override class var dependencies: [\(plan.spelled("String"))] {")
    text.add("    [\(names.joined(separator: ", "))]")
    text.add("  }")
    text.add()
  }

  private func functionName(_ file: ModelFile) -> String {
    let index = plan.files.firstIndex { $0.path == file.path } ?? 0
    return "_annalsModel\(index)"
  }

  // MARK: Models

  private func addModel(_ file: ModelFile, to text: inout SourceText) {
    text.add()
    text.add("nonisolated private func \(functionName(file))() -> GeneratedModel {")
    text.add("  let entities: [GeneratedEntity] = [")
    for entity in plan.entities where entity.file.path == file.path {
      let names = (plan.layouts[ModulePlan.key(entity)] ?? []).map { "\"\($0)\"" }
      let className = entity.className.map { "\(plan.module).\($0)" } ?? "ObjectGraph.NSManagedObject"
      text.add("    GeneratedEntity(")
      text.add("      name: \"\(entity.name)\", className: \"\(className)\",")
      let isWhole: Bool = isWhollyGenerated(entity)
      let rest = (isWhole ? ", isWhollyGenerated: true" : "") + nestedClass(of: entity)
      text.add("      propertyNames: [\(names.joined(separator: ", "))]\(rest)),")
    }
    text.add("  ]")
    text.add("  let compiled: \(plan.spelled("StaticString")) = \(SourceText.literal(file.compiled))")
    text.add("  return GeneratedModel(")
    let names = "name: \(SourceText.quoted(file.name)), versionName: \(SourceText.quoted(file.versionName))"
    text.add("    \(names), compiled: compiled,")
    text.add("    checksum: \"\(file.checksum)\", entities: entities)")
    text.add("}")
  }

  /// An argument with the class, where it is inside another type and always compiled.
  private func nestedClass(of entity: PlannedEntity) -> String {
    guard let managed = entity.className.flatMap({ plan.classes[$0] }), managed.type.path.count > 1,
      managed.access >= .internal, let declared = plan.types.find(managed.type.path.map(\.name), in: []),
      declared.condition == nil
    else { return "" }
    return ", nestedClass: { \(managed.type.sourceName()).self }"
  }

  // MARK: Key paths

  private struct Named {
    let name: String
    let condition: String?
  }

  private func addKeyPaths(to text: inout SourceText) {
    text.add()
    let table = "[\(plan.spelled("AnyKeyPath")): \(plan.spelled("String"))]"
    text.add("@MainActor private func _annalsKeyPathNames() -> \(table) {")
    var body = SourceText()
    let destinations: Set<String> = toOneDestinations()
    for managed in plan.sortedClasses where managed.access >= .internal {
      let type = managed.type.sourceName()
      var seen: Set<String> = []
      for owner in plan.lineage(of: managed) {
        for named in properties(of: owner) where isKeyPathComponent(named.name) && seen.insert(named.name).inserted {
          var lines = SourceText()
          lines.add("  names[\\\(type).\(escaped(named.name))] = \"\(named.name)\"")
          // What follows a question mark in a longer key path: see `KeyPathNames`.
          if destinations.contains(managed.name) {
            lines.add("  names[\\\(type)?.?.\(escaped(named.name))] = \"\(named.name)\"")
          }
          body.add(lines, under: named.condition)
        }
      }
    }
    if body.lines.isEmpty {
      text.add("  [:]")
    } else {
      text.add("  var names: \(table) = [:]")
      text.add(body)
      text.add("  return names")
    }
    text.add("}")
  }

  private func addValidators(to text: inout SourceText) {
    if plan.validators.isEmpty { return }
    text.add()
    text.add("  override class func validators() -> [GeneratedValidator] {")
    text.add("    var all: [GeneratedValidator] = []")
    for (type, method) in plan.validators {
      var line = SourceText()
      let call = "try $0.\(method.name)($1)"
      line.add(
        "    all.append(GeneratedValidator(\"\(method.name.dropFirst(8))\", \(type.sourceName()).self) { \(call) })")
      text.add(line, under: method.condition)
    }
    text.add("    return all")
    text.add("  }")
  }

  /// The classes that to-one relationships lead to, and those above them, which a property may have for a type.
  private func toOneDestinations() -> Set<String> {
    var names: Set<String> = []
    for relationship in plan.entities.flatMap({ $0.description.relationshipsByName.values })
    where !relationship.isToMany {
      let type: NominalType = plan.objectType(of: relationship)
      guard let managed = plan.classes[type.path.map(\.name).joined(separator: ".")] else { continue }
      names.formUnion(plan.lineage(of: managed).map(\.name))
    }
    return names
  }

  /// The properties that a class itself has.
  private func properties(of managed: ManagedClass) -> [Named] {
    var result: [Named] = []
    for property in managed.declarations.flatMap(\.properties) where property.access >= .internal {
      result.append(Named(name: property.name, condition: property.condition))
    }
    let declared = Set(result.map(\.name))
    if managed.mode != .handWritten, let entity = managed.entities.first {
      var copy = plan
      for property in copy.generatedProperties(of: managed, entity) where !declared.contains(property.name) {
        result.append(Named(name: property.name, condition: nil))
      }
    }
    return result
  }

  /// Whether an entity's class and all above it are written here.
  private func isWhollyGenerated(_ entity: PlannedEntity) -> Bool {
    var name: String? = entity.className
    guard name != nil else { return false }
    while let current = name {
      guard let managed = plan.classes[current], managed.mode == .generated,
        !plan.validators.contains(where: { $0.type == managed.type })
      else { return false }
      name = managed.superclass.map { $0.path.map(\.name).joined(separator: ".") }
    }
    return true
  }
}
