internal import Foundation

/// Writes a model as the XML of a `contents` file, always in the same order, so that equal models give equal text.
///
/// What only a program can give a model (validation predicates, defaults of classes that a file can't name) is left
/// out.
public enum ModelWriter {
  /// The whole file, in UTF-8.
  public static func xml(of model: NSManagedObjectModel) -> String {
    var writer = XMLText()
    writer.raw("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>")
    var root: [(String, String?)] = [
      ("type", "com.apple.IDECoreDataModeler.DataModel"), ("documentVersion", "1.0"),
      ("lastSavedToolsVersion", model.fileAttributes["lastSavedToolsVersion"] ?? "1"),
      ("systemVersion", model.fileAttributes["systemVersion"] ?? ""),
      ("minimumToolsVersion", model.fileAttributes["minimumToolsVersion"] ?? "Automatic"),
    ]
    for name in ["sourceLanguage", "macOSVersion", "iOSVersion", "name", "usedWithCloudKit", "usedWithSwiftData"] {
      root.append((name, model.fileAttributes[name]))
    }
    let identifiers: [String] = model.versionIdentifiers.map { "\($0.base)" }.sorted()
    root.append(("userDefinedModelVersionIdentifier", identifiers.first ?? ""))
    writer.open("model", root)
    for entity in model.entities.sorted(by: { precedes($0.name, $1.name) }) { write(entity, to: &writer) }
    for composite in model.composites.sorted(by: { precedes($0.name, $1.name) }) {
      writer.open("composite", [("name", composite.name)])
      for element in composite.elements { write(element, to: &writer) }
      writer.close()
    }
    for template in model.templates.values.sorted(by: { precedes($0.name, $1.name) }) {
      write(template, to: &writer)
    }
    for name in model.configurations {
      writer.open(
        "configuration", [("name", name), ("usedWithCloudKit", yes(model.cloudConfigurations.contains(name)))])
      for member in (model.entityNamesByConfiguration[name] ?? []).sorted(by: { precedes($0, $1) }) {
        writer.empty("memberEntity", [("name", member)])
      }
      writer.close()
    }
    writer.close()
    return writer.text
  }

  static func xml(of entity: NSEntityDescription) -> String {
    var writer = XMLText()
    write(entity, to: &writer)
    return writer.text
  }

  static func xml(of property: NSPropertyDescription) -> String {
    var writer = XMLText()
    write(property, to: &writer)
    return writer.text
  }

  static func precedes(_ a: String?, _ b: String?) -> Bool {
    (a ?? "").utf8.lexicographicallyPrecedes((b ?? "").utf8)
  }

  static func yes(_ flag: Bool) -> String? { flag ? "YES" : nil }

  // MARK: Entities

  private static func write(_ entity: NSEntityDescription, to writer: inout XMLText) {
    let generation: String? = entity.codeGeneration == .manual ? nil : entity.codeGeneration.rawValue
    writer.open(
      "entity",
      [
        ("name", entity.name ?? ""), ("representedClassName", entity.storedClassName),
        ("parentEntity", entity.superentity?.name), ("isAbstract", yes(entity.isAbstract)),
        ("elementID", entity.storedRenamingIdentifier), ("versionHashModifier", entity.versionHashModifier),
        ("coreSpotlightDisplayNameExpression", entity.spotlightNameText), ("codeGenerationType", generation),
      ])
    for property in entity.ownProperties.sorted(by: { precedes($0.name, $1.name) }) { write(property, to: &writer) }
    for index in entity.indexes.sorted(by: { precedes($0.name, $1.name) }) { write(index, to: &writer) }
    writeNames(entity.compoundIndexes, "compoundIndexes", "compoundIndex", "index", to: &writer)
    writeNames(
      entity.uniquenessConstraints, "uniquenessConstraints", "uniquenessConstraint", "constraint", to: &writer)
    write(entity.userInfo, to: &writer)
    writer.close()
  }

  private static func writeNames(
    _ groups: [[Any]], _ outer: String, _ middle: String, _ inner: String, to writer: inout XMLText
  ) {
    guard !groups.isEmpty else { return }
    writer.open(outer, [])
    for group in groups {
      writer.open(middle, [])
      for element in group {
        writer.empty(inner, [("value", "\(NSEntityDescription.propertyName(inConstraint: element))")])
      }
      writer.close()
    }
    writer.close()
  }

  private static func write(_ index: NSFetchIndexDescription, to writer: inout XMLText) {
    let predicate: String? = index.partialPredicateText
    writer.open("fetchIndex", [("name", index.name), ("partialIndexPredicate", predicate)])
    for element in index.elements {
      let expression: NSExpressionDescription? = element.property as? NSExpressionDescription
      writer.empty(
        "fetchIndexElement",
        [
          ("property", expression == nil ? element.propertyName : nil), ("expression", expression?.expressionText),
          ("expressionType", expression?.expressionResultType.fileName),
          ("type", element.collationType == .binary ? "Binary" : "RTree"),
          ("order", element.isAscending ? "ascending" : "descending"),
        ])
    }
    writer.close()
  }

  static func write(_ userInfo: [AnyHashable: Any]?, to writer: inout XMLText) {
    guard let userInfo, !userInfo.isEmpty else { return }
    let entries: [(key: String, value: String)] = userInfo.map { ("\($0.key.base)", "\($0.value)") }
    writer.open("userInfo", [])
    for entry in entries.sorted(by: { precedes($0.key, $1.key) }) {
      writer.empty("entry", [("key", entry.key), ("value", entry.value)])
    }
    writer.close()
  }
}
