internal import Foundation

extension ModelPrinter {
  /// JSON objects, one a line: the model, then each entity followed by its properties and indexes, then fetch requests
  /// and configurations. Each has `schema` and `kind`.
  public static func jsonLines(of model: NSManagedObjectModel) -> String {
    var lines: [JSONLine] = []
    var head = JSONLine(kind: "model")
    head.add("file", model.url?.path)
    head.add("entities", model.entities.count)
    head.add("checksum", model.versionChecksum)
    head.add("versionIdentifiers", model.versionIdentifiers.map { "\($0.base)" }.sorted())
    lines.append(head)
    for entity in sorted(model.entities) {
      lines.append(line(of: entity))
      lines += sorted(entity.ownProperties).map { line(of: $0) }
      lines += entity.indexes.map { line(of: $0) }
    }
    for template in model.templates.values.sorted(by: { ModelWriter.precedes($0.name, $1.name) }) {
      var line = JSONLine(kind: "fetchRequest")
      line.add("name", template.name)
      line.add("entity", template.entityName)
      line.add("predicate", template.predicateFormat)
      lines.append(line)
    }
    for name in model.configurations {
      var line = JSONLine(kind: "configuration")
      line.add("name", name)
      line.add("entities", (model.entityNamesByConfiguration[name] ?? []).sorted())
      lines.append(line)
    }
    return lines.map { $0.text + "\n" }.joined()
  }

  /// Diagnostics as JSON objects, one a line.
  public static func jsonLines(of diagnostics: [ModelDiagnostic]) -> String {
    diagnostics.map { diagnostic in
      var line = JSONLine(kind: "diagnostic")
      line.add("severity", diagnostic.severity.rawValue)
      line.add("file", diagnostic.file)
      line.add("line", diagnostic.line)
      line.add("entity", diagnostic.entity)
      line.add("property", diagnostic.property)
      line.add("message", diagnostic.message)
      return line.text + "\n"
    }.joined()
  }

  private static func line(of entity: NSEntityDescription) -> JSONLine {
    var line = JSONLine(kind: "entity")
    line.add("name", entity.name)
    line.add("class", entity.storedClassName)
    line.add("parent", entity.superentity?.name)
    line.add("abstract", entity.isAbstract)
    line.add("codeGeneration", entity.codeGeneration.rawValue)
    line.add("renamedFrom", entity.storedRenamingIdentifier)
    line.add(
      "constraints",
      entity.uniquenessConstraints.map { $0.map { "\(NSEntityDescription.propertyName(inConstraint: $0))" } })
    addUserInfo(entity.userInfo, to: &line)
    line.add("versionHash", hexadecimal(entity.versionHash))
    line.add("line", entity.origin.line)
    return line
  }

  private static func line(of property: NSPropertyDescription) -> JSONLine {
    let kind: String =
      switch property {
      case is NSAttributeDescription: "attribute"
      case is NSRelationshipDescription: "relationship"
      default: "fetchedProperty"
      }
    var line = JSONLine(kind: kind)
    line.add("entity", property.owner?.name)
    line.add("name", property.name)
    line.add("optional", property.isOptional)
    line.add("transient", property.isTransient)
    line.add("renamedFrom", property.storedRenamingIdentifier)
    switch property {
    case let attribute as NSAttributeDescription: addFields(of: attribute, to: &line)
    case let relationship as NSRelationshipDescription: addFields(of: relationship, to: &line)
    case let fetched as NSFetchedPropertyDescription:
      line.add("fetches", fetched.template?.entityName)
      line.add("predicate", fetched.template?.predicateFormat)
    default: break
    }
    addUserInfo(property.userInfo, to: &line)
    line.add("line", property.origin.line)
    return line
  }

  private static func addFields(of attribute: NSAttributeDescription, to line: inout JSONLine) {
    line.add("type", attribute.attributeType.fileName ?? "undefined")
    if let value = attribute.defaultValue {
      line.add("default", AttributeText.attribute(for: value, of: attribute.attributeType)?.text ?? "\(value)")
    }
    line.add("derivation", (attribute as? NSDerivedAttributeDescription)?.derivationText)
    if let composite = attribute as? NSCompositeAttributeDescription {
      line.add("elements", composite.elements.map { $0.name })
    }
    line.add("transformer", attribute.valueTransformerName)
    line.add("valueClass", attribute.storedValueClassName)
    line.add("scalar", attribute.usesScalarValueType)
    line.add("externalStorage", attribute.allowsExternalBinaryDataStorage)
    line.add("keptAfterDeletion", attribute.preservesValueInHistoryOnDeletion)
    let limits: AttributeLimits = attribute.limits
    let low: String? = limits.minNumber.map { "\($0)" } ?? limits.minDate.map { AttributeText.number($0) }
    let high: String? = limits.maxNumber.map { "\($0)" } ?? limits.maxDate.map { AttributeText.number($0) }
    line.add("min", low)
    line.add("max", high)
    line.add("minLength", limits.minLength)
    line.add("maxLength", limits.maxLength)
    line.add("pattern", limits.pattern)
  }

  private static func addFields(of relationship: NSRelationshipDescription, to line: inout JSONLine) {
    line.add("destination", relationship.destinationEntity?.name ?? relationship.destinationName)
    line.add("inverse", relationship.inverseRelationship?.name)
    line.add("toMany", relationship.isToMany)
    line.add("ordered", relationship.isOrdered)
    line.add("minCount", relationship.minCount)
    line.add("maxCount", relationship.maxCount)
    line.add("deleteRule", relationship.deleteRule.fileName)
  }

  private static func line(of index: NSFetchIndexDescription) -> JSONLine {
    var line = JSONLine(kind: "fetchIndex")
    line.add("entity", index.entity?.name)
    line.add("name", index.name)
    line.add("elements", index.elements.map { ($0.isAscending ? "+" : "-") + ($0.propertyName ?? "") })
    line.add("predicate", index.partialPredicateText)
    return line
  }

  private static func addUserInfo(_ userInfo: [AnyHashable: Any]?, to line: inout JSONLine) {
    guard let userInfo else { return }
    let entries: [(String, String)] = userInfo.map { ("\($0.key.base)", "\($0.value)") }
    line.add("userInfo", entries.sorted { ModelWriter.precedes($0.0, $1.0) })
  }

  private static func hexadecimal(_ data: Data) -> String {
    data.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}
