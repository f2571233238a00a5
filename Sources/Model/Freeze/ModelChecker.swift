internal import Foundation
internal import Predicates

/// Finds what is wrong in a model, read or built in code: everything at once, each with its place.
struct ModelChecker {
  let model: NSManagedObjectModel
  /// The file it was read from, for faults that have no place of their own.
  let file: String?
  private var found: [ModelDiagnostic] = []
  private var members: Set<ObjectIdentifier> = []
  private var entityNames: Set<String> = []
  /// How many elements each composite attribute has, nested ones included.
  var elementCounts: [ObjectIdentifier: Int] = [:]

  init(model: NSManagedObjectModel, file: String? = nil) {
    self.model = model
    self.file = file
  }

  func check() -> [ModelDiagnostic] {
    var checker = self
    checker.checkAll()
    return checker.found
  }

  private mutating func checkAll() {
    if model.entities.count > ModelLimits.entitiesMax {
      found.append(
        ModelDiagnostic(
          .error, "there are \(model.entities.count) entities; a model may have \(ModelLimits.entitiesMax)",
          file: file))
      return
    }
    members = Set(model.entities.map { ObjectIdentifier($0) })
    entityNames = Set(model.entities.compactMap { $0.name })
    var names: Set<String> = []
    var isSound = true
    for entity in model.entities {
      checkName(of: entity, &names)
      if !checkAncestors(of: entity) { isSound = false }
    }
    // What is inherited can only be said when inheritance ends somewhere.
    guard isSound else { return }
    for entity in model.entities {
      for subentity in entity.subentities where !members.contains(ObjectIdentifier(subentity)) {
        report(.error, "its sub-entity '\(subentity.name ?? "")' is not among the model's entities", entity)
      }
      checkProperties(of: entity)
      checkConstraints(of: entity)
      checkIndexes(of: entity)
    }
    for entity in model.entities { checkElementCount(of: entity) }
    checkTemplates()
  }

  // MARK: Reporting

  mutating func report(
    _ severity: ModelDiagnostic.Severity, _ message: String, _ entity: NSEntityDescription,
    _ property: NSPropertyDescription? = nil
  ) {
    let origin: ModelOrigin = property?.origin ?? entity.origin
    found.append(
      ModelDiagnostic(
        severity, message, file: origin.file ?? file, line: origin.line ?? entity.origin.line, entity: entity.name,
        property: property?.name))
  }

  mutating func add(_ diagnostic: ModelDiagnostic) { found.append(diagnostic) }

  func hasEntity(named name: String) -> Bool { entityNames.contains(name) }

  func isMember(_ entity: NSEntityDescription) -> Bool { members.contains(ObjectIdentifier(entity)) }

  // MARK: Entities

  private mutating func checkName(of entity: NSEntityDescription, _ names: inout Set<String>) {
    guard let name = entity.name, !name.isEmpty else {
      return report(.error, "an entity without a name", entity)
    }
    if !ReservedNames.isIdentifier(name) {
      report(.error, "the name is not an identifier: use letters, digits and underscores", entity)
    }
    if !names.insert(name).inserted { report(.error, "there are two entities of this name", entity) }
  }

  private mutating func checkAncestors(of entity: NSEntityDescription) -> Bool {
    var current: NSEntityDescription? = entity.superentity
    var steps = 0
    while let here = current {
      steps += 1
      if here === entity {
        report(.error, "the entity is its own ancestor", entity)
        return false
      }
      if steps > NSEntityDescription.depthMax {
        report(.error, "its ancestors are more than \(NSEntityDescription.depthMax) deep, or form a circle", entity)
        return false
      }
      if !isMember(here) {
        report(.error, "its parent entity '\(here.name ?? "")' is not among the model's entities", entity)
      }
      current = here.superentity
    }
    return true
  }

  // MARK: Templates

  private mutating func checkTemplates() {
    for template in model.templates.values.sorted(by: { ModelWriter.precedes($0.name, $1.name) }) {
      func fault(_ message: String) -> ModelDiagnostic {
        ModelDiagnostic(
          .error, "the fetch request '\(template.name)' \(message)", file: template.origin.file ?? file,
          line: template.origin.line)
      }
      if !entityNames.contains(template.entityName) {
        found.append(fault("is for an entity '\(template.entityName)' that doesn't exist"))
      }
      if let message = Self.fault(inPredicate: template.predicateFormat) { found.append(fault(message)) }
    }
  }

  /// What is wrong with the text of a predicate: its grammar only. Keys are looked up when it is used.
  static func fault(inPredicate text: String?) -> String? {
    guard let text else { return nil }
    do throws(Predicates.QueryError) {
      _ = try NSPredicate(parsing: text)
      return nil
    } catch {
      return "has a predicate with a fault: \(error.message)"
    }
  }
}
