internal import Foundation

/// Shows a model to people, as text, and to programs, as JSON.
public enum ModelPrinter {
  /// Version of the JSON below: it changes when a field changes its meaning, not when one is added.
  public static let jsonSchema = 1

  /// A readable form: entities by name, their properties, constraints and indexes; then requests and configurations.
  public static func text(of model: NSManagedObjectModel) -> String {
    var lines: [String] = []
    let name: String = model.url?.lastPathComponent ?? "model"
    let count: Int = model.entities.count
    lines.append("\(name): \(count) \(count == 1 ? "entity" : "entities"), checksum \(model.versionChecksum)")
    for entity in sorted(model.entities) {
      lines.append("")
      lines += text(of: entity)
    }
    let templates: [FetchRequestTemplate] = model.templates.values.sorted { ModelWriter.precedes($0.name, $1.name) }
    if !templates.isEmpty { lines.append("") }
    for template in templates {
      let predicate: String = template.predicateFormat.map { " where \($0)" } ?? ""
      lines.append("fetch request \(template.name): \(template.entityName)\(predicate)")
    }
    if !model.configurations.isEmpty { lines.append("") }
    for name in model.configurations {
      let members: [String] = (model.entityNamesByConfiguration[name] ?? []).sorted()
      lines.append("configuration \(name): \(members.joined(separator: ", "))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Diagnostics as compilers write them, `file:line: severity: message`, one a line.
  public static func text(of diagnostics: [ModelDiagnostic]) -> String {
    diagnostics.map { $0.description + "\n" }.joined()
  }

  static func sorted(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
    entities.sorted { ModelWriter.precedes($0.name, $1.name) }
  }

  static func sorted(_ properties: [NSPropertyDescription]) -> [NSPropertyDescription] {
    properties.sorted { ModelWriter.precedes($0.name, $1.name) }
  }

  // MARK: Entities

  private static func text(of entity: NSEntityDescription) -> [String] {
    var notes: [String] = []
    if let parent = entity.superentity?.name { notes.append("inherits \(parent)") }
    if entity.isAbstract { notes.append("abstract") }
    if let name = entity.storedClassName { notes.append("class \(name)") }
    if entity.codeGeneration != .manual { notes.append("generates \(entity.codeGeneration.rawValue)") }
    if let old = entity.storedRenamingIdentifier { notes.append("was \(old)") }
    let suffix: String = notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"
    var lines: [String] = ["entity \(entity.name ?? "")\(suffix)"]
    let properties: [NSPropertyDescription] = sorted(entity.ownProperties)
    let width: Int = min(32, properties.map { $0.name.count }.max() ?? 0)
    for property in properties {
      let padding = String(repeating: " ", count: max(0, width - property.name.count))
      lines.append("  \(property.name)\(padding)  \(summary(of: property))")
    }
    for constraint in entity.uniquenessConstraints {
      let names: [String] = constraint.map { "\(NSEntityDescription.propertyName(inConstraint: $0))" }
      lines.append("  unique: \(names.joined(separator: ", "))")
    }
    for index in entity.indexes {
      let columns: [String] = index.elements.map { ($0.propertyName ?? "") + ($0.isAscending ? "" : " descending") }
      let part: String = index.partialPredicateText.map { " where \($0)" } ?? ""
      lines.append("  index \(index.name): \(columns.joined(separator: ", "))\(part)")
    }
    return lines
  }

  private static func summary(of property: NSPropertyDescription) -> String {
    var words: [String] = []
    switch property {
    case let attribute as NSAttributeDescription: words = self.words(of: attribute)
    case let relationship as NSRelationshipDescription: words = self.words(of: relationship)
    case let fetched as NSFetchedPropertyDescription:
      words = ["fetches \(fetched.template?.entityName ?? "?")"]
      if let format = fetched.template?.predicateFormat { words.append("where \(format)") }
    default: break
    }
    words.append(property.isOptional ? "optional" : "required")
    if property.isTransient { words.append("transient") }
    if let old = property.storedRenamingIdentifier { words.append("was \(old)") }
    return words.joined(separator: ", ")
  }

  private static func words(of attribute: NSAttributeDescription) -> [String] {
    var words: [String] = [attribute.attributeType.fileName ?? "any object"]
    if let name = attribute.storedValueClassName { words[0] += " of \(name)" }
    if let composite = attribute as? NSCompositeAttributeDescription {
      words[0] += " {\(composite.elements.map { $0.name }.joined(separator: ", "))}"
    }
    if let value = attribute.defaultValue {
      let written: String? = AttributeText.attribute(for: value, of: attribute.attributeType)?.text
      words.append(
        "default \(attribute.attributeType == .stringAttributeType ? "\"\(value)\"" : written ?? "\(value)")")
    }
    if let text = (attribute as? NSDerivedAttributeDescription)?.derivationText { words.append("derived from \(text)") }
    if let name = attribute.valueTransformerName { words.append("transformer \(name)") }
    if attribute.allowsExternalBinaryDataStorage { words.append("external storage") }
    if attribute.preservesValueInHistoryOnDeletion { words.append("kept after deletion") }
    let limits: AttributeLimits = attribute.limits
    if let low = limits.minNumber { words.append("at least \(low)") }
    if let high = limits.maxNumber { words.append("at most \(high)") }
    if let low = limits.minLength { words.append("at least \(low) long") }
    if let high = limits.maxLength { words.append("at most \(high) long") }
    if let low = limits.minDate { words.append("from \(AttributeText.number(low))") }
    if let high = limits.maxDate { words.append("to \(AttributeText.number(high))") }
    if let pattern = limits.pattern { words.append("matches \(pattern)") }
    return words
  }

  private static func words(of relationship: NSRelationshipDescription) -> [String] {
    let inverse: String = relationship.inverseRelationship.map { ".\($0.name)" } ?? " (no inverse)"
    let destination: String = relationship.destinationEntity?.name ?? relationship.destinationName ?? "?"
    var words: [String] = ["→ \(destination)\(inverse)", relationship.isToMany ? "to many" : "to one"]
    if relationship.isOrdered { words.append("ordered") }
    if relationship.minCount > 0 { words.append("at least \(relationship.minCount)") }
    if relationship.maxCount > 1 { words.append("at most \(relationship.maxCount)") }
    words.append("on delete \(relationship.deleteRule.fileName.lowercased())")
    return words
  }
}
