internal import Model
internal import Schema

/// Everything that is to be generated for a module: its classes, their entities, and the order of their properties.
struct ModulePlan {
  let module: String
  let files: [ModelFile]
  var entities: [PlannedEntity] = []
  /// By name.
  var classes: [String: ManagedClass] = [:]
  /// The names that an entity's accessors count by; the key is the model's path and the entity's name.
  var layouts: [String: [String]] = [:]
  var types: TypeTable
  /// Methods `validate<Key>(_:)` of managed classes.
  var validators: [(type: NominalType, method: ScannedMethod)] = []
  /// Names that mean something of the module's own in generated source: its types and their properties.
  private(set) var takenNames: Set<String> = []
  /// Modules that some file imports with an access level.
  let explicitImports: Set<String>
  var diagnostics: [CompilerDiagnostic] = []

  init(module: String, files: [ModelFile], sources: [ScannedSource], dependencies: [TypeTable] = []) {
    self.module = module
    self.files = files
    types = TypeTable(module: module, sources: sources, dependencies: dependencies)
    explicitImports = sources.reduce(into: []) { $0.formUnion($1.explicitImports) }
    for file in files {
      for (index, description) in file.model.entityDescriptions.enumerated() {
        entities.append(
          PlannedEntity(
            file: file, description: description, schema: file.schema.entities[index],
            className: className(of: description)))
      }
    }
    declareGeneratedClasses()
    collectClasses(from: sources)
    for name in classes.keys.sorted() { findSuperclass(of: name) }
    collectTakenNames(from: sources)
    assignLayouts()
    collectValidators(from: sources)
    for place in sources.flatMap(\.managedInBodies) {
      report(
        .error,
        "@NSManaged in a class inside a function cannot be supplied, since other files do not see the class: move it out "
          + "of the function",
        at: place)
    }
  }

  private mutating func collectTakenNames(from sources: [ScannedSource]) {
    for declared in types.declared.values { takenNames.formUnion(declared.type.path.map(\.name)) }
    for entity in entities { takenNames.formUnion(entity.schema.properties.map(\.name)) }
    for declaration in sources.flatMap(\.types) { takenNames.formUnion(declaration.propertyNames) }
  }

  private mutating func collectValidators(from sources: [ScannedSource]) {
    for declaration in sources.flatMap(\.types) where !declaration.validators.isEmpty {
      guard let type = types.find(declaration.path, in: [])?.type, isManaged(type) else { continue }
      for method in declaration.validators {
        guard min(method.access, types.access(of: type)) >= .internal else {
          report(
            .warning, "'\(method.fullName)' is private, so that no other file can call it: make it internal",
            at: method.location)
          continue
        }
        validators.append((type, method))
      }
    }
    validators.sort {
      ($0.type.sourceName(), $0.method.name) < ($1.type.sourceName(), $1.method.name)
    }
  }

  /// Whether a class is one of managed objects.
  private func isManaged(_ type: NominalType) -> Bool {
    var next: NominalType? = type
    for _ in 0..<100 {
      guard let current = next else { return false }
      if current == NominalType("ObjectGraph", "NSManagedObject", .classType) { return true }
      let name = current.path.map(\.name).joined(separator: ".")
      if current.module == module, classes[name] != nil { return true }
      next = types.superclass(of: current)
    }
    return false
  }

  var sortedClasses: [ManagedClass] { classes.keys.sorted().compactMap { classes[$0] } }

  static func key(_ entity: PlannedEntity) -> String { entity.file.path + "\n" + entity.name }

  /// The class name that a model gives, without its module.
  private func className(of description: NSEntityDescription) -> String? {
    guard let named = description.storedClassName, !named.isEmpty, named != "NSManagedObject" else { return nil }
    let parts: [String] = named.split(separator: ".").map(String.init)
    guard let last = parts.last else { return nil }
    // `.Post` and `App.Post` mean this module; a class inside a type is found by its whole path.
    let path = parts.first == module ? parts.dropFirst().joined(separator: ".") : parts.joined(separator: ".")
    if types.find(path.split(separator: ".").map(String.init), in: []) != nil { return path }
    return last
  }

  // MARK: Classes

  private mutating func declareGeneratedClasses() {
    for entity in entities where entity.description.codeGeneration == .classDefinition {
      guard let name = entity.className else { continue }
      guard isSwiftIdentifier(name), !["Any", "Self"].contains(name) else {
        report(.error, "the class name '\(name)' of entity '\(entity.name)' is not a Swift name", at: entity.location)
        continue
      }
      if let other = types.find([name], in: []) {
        let place = other.location.map { " in \($0.path):\($0.line)" } ?? " for another entity"
        report(
          .error,
          "the class '\(name)' of entity '\(entity.name)' is to be generated, and is also declared\(place): set the "
            + "entity's Codegen to Manual/None or Category/Extension, or remove the declaration",
          at: entity.location)
        continue
      }
      types.add(generatedClass: name, access: .public)
      classes[name] = ManagedClass(
        type: NominalType(module, name, .classType), mode: .generated, entities: [], superclass: nil, access: .public,
        declarations: [], layout: nil)
    }
  }

  private mutating func collectClasses(from sources: [ScannedSource]) {
    for entity in entities {
      guard let name = entity.className else { continue }
      if classes[name] == nil, !addHandWritten(name, for: entity) { continue }
      classes[name]?.entities.append(entity)
    }
    for declaration in sources.flatMap(\.types) {
      guard !declaration.properties.isEmpty || !declaration.methods.isEmpty else { continue }
      guard let found = types.find(declaration.path, in: []) else {
        report(
          .error,
          "'\(declaration.path.joined(separator: "."))' has @NSManaged members here but is not declared in this "
            + "target: accessors can be supplied only in the module of the class; move the extension there",
          at: declaration.location)
        continue
      }
      let name = found.type.path.map(\.name).joined(separator: ".")
      if classes[name] == nil { add(found, name: name, mode: .handWritten) }
      classes[name]?.declarations.append(declaration)
    }
  }

  private mutating func add(_ declared: TypeTable.Declared, name: String, mode: ManagedClass.Mode) {
    classes[name] = ManagedClass(
      type: declared.type, mode: mode, entities: [], superclass: nil, access: types.access(of: declared.type),
      declarations: [], layout: nil)
  }

  private mutating func addHandWritten(_ name: String, for entity: PlannedEntity) -> Bool {
    let isCategory = entity.description.codeGeneration == .category
    guard let declared = types.find(name.split(separator: ".").map(String.init), in: []) else {
      // Class generation that failed has been reported.
      if entity.description.codeGeneration == .classDefinition { return false }
      report(
        isCategory ? .error : .warning,
        "no class '\(name)' is declared in this target for entity '\(entity.name)'"
          + (isCategory
            ? ", whose Codegen is Category/Extension: declare 'class \(name): NSManagedObject', or set Codegen to "
              + "Class Definition"
            : ": its objects will be plain NSManagedObjects unless another module declares it"),
        at: entity.location)
      return false
    }
    add(declared, name: name, mode: isCategory ? .category : .handWritten)
    return true
  }

  private mutating func findSuperclass(of name: String) {
    guard let planned = classes[name] else { return }
    guard planned.mode == .generated, let entity = planned.entities.first else {
      classes[name]?.superclass = types.superclass(of: planned.type)
      return
    }
    var parent = entity.description.superentity
    while let current = parent {
      let found = entities.first { $0.description === current }
      if let className = found?.className, className != name, let superclass = classes[className] {
        classes[name]?.superclass = superclass.type
        return
      }
      parent = current.superentity
    }
  }

  /// The class and its superclasses in this module, nearest first.
  func lineage(of managed: ManagedClass) -> [ManagedClass] {
    var lineage: [ManagedClass] = [managed]
    var seen: Set<String> = [managed.name]
    var next = managed.superclass
    while let type = next, type.module == module {
      let name = type.path.map(\.name).joined(separator: ".")
      guard seen.insert(name).inserted else { break }
      if let found = classes[name] {
        lineage.append(found)
        next = found.superclass
      } else {
        // A class without managed members between two that have some.
        next = types.superclass(of: type)
      }
    }
    return lineage
  }
}
