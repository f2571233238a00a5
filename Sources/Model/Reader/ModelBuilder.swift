internal import Foundation

/// Makes a model of a parsed file, and collects everything that is wrong with it.
final class ModelBuilder {
  let file: String
  let model = NSManagedObjectModel()
  private(set) var diagnostics: [ModelDiagnostic] = []
  private var omitted = 0
  var composites: [String: NSCompositeAttributeDescription] = [:]
  var circularComposites: Set<String> = []
  var expandedElements = 0
  var entityNames: Set<String> = []

  init(file: String) { self.file = file }

  private(set) var hasErrors = false

  func build(_ root: XMLNode) {
    guard root.name == "model" else {
      report(.error, "the outermost element is <\(root.name)>; a model file has <model>", at: root)
      return
    }
    checkVocabulary(root)
    model.fileAttributes = root.attributes
    if let version = root.attributes["userDefinedModelVersionIdentifier"], !version.isEmpty {
      model.versionIdentifiers = [version]
    }
    buildComposites(root.children(named: "composite"))
    buildEntities(root.children(named: "entity"))
    for node in root.children(named: "fetchRequest") { buildTemplate(node) }
    for node in root.children(named: "configuration") { buildConfiguration(node) }
    for diagnostic in ModelChecker(model: model, file: file).check() { add(diagnostic) }
  }

  /// The diagnostics by line, with a last one that counts those beyond the bound.
  func finish() -> [ModelDiagnostic] {
    var all: [ModelDiagnostic] = diagnostics.enumerated().sorted { a, b in
      (a.element.line ?? 0, a.offset) < (b.element.line ?? 0, b.offset)
    }.map { $0.element }
    if omitted > 0 { all.append(ModelDiagnostic(.warning, "\(omitted) more are not listed", file: file)) }
    return all
  }

  // MARK: Reporting

  func report(
    _ severity: ModelDiagnostic.Severity, _ message: String, at node: XMLNode, entity: String? = nil,
    property: String? = nil
  ) {
    add(ModelDiagnostic(severity, message, file: file, line: node.line, entity: entity, property: property))
  }

  func add(_ diagnostic: ModelDiagnostic) {
    guard diagnostics.count < ModelLimits.diagnosticsMax || (diagnostic.severity == .error && !hasErrors) else {
      omitted += 1
      return
    }
    if diagnostic.severity == .error { hasErrors = true }
    diagnostics.append(diagnostic)
  }

  private func checkVocabulary(_ node: XMLNode) {
    guard let known = ModelVocabulary.elements[node.name] else { return }
    let subject: String? = node.attributes["name"]
    for attribute in node.attributes.keys.sorted() where !known.attributes.contains(attribute) {
      report(.warning, "unknown attribute '\(attribute)' of <\(node.name)>; it is ignored", at: node, entity: subject)
    }
    for child in node.children {
      if known.children.contains(child.name) {
        checkVocabulary(child)
      } else {
        report(
          .warning, "unknown element <\(child.name)> in <\(node.name)>; it is ignored", at: child, entity: subject)
      }
    }
  }

  // MARK: Values

  /// An attribute's text; `nil` when absent or empty.
  func text(_ name: String, of node: XMLNode) -> String? {
    guard let value = node.attributes[name], !value.isEmpty else { return nil }
    return value
  }

  func flag(_ name: String, of node: XMLNode, entity: String? = nil, property: String? = nil) -> Bool {
    guard let value = text(name, of: node) else { return false }
    if let flag = AttributeText.bool(value) { return flag }
    report(.error, "\(name) is '\(value)'; write YES or NO", at: node, entity: entity, property: property)
    return false
  }

  func count(_ name: String, of node: XMLNode, entity: String?, property: String?) -> Int? {
    guard let value = text(name, of: node) else { return nil }
    if let number = Int(value), number >= 0 { return number }
    report(
      .error, "\(name) is '\(value)'; write a whole number from 0", at: node, entity: entity, property: property)
    return nil
  }

  func userInfo(of node: XMLNode, entity: String, property: String? = nil) -> [AnyHashable: Any]? {
    let nodes: [XMLNode] = node.children(named: "userInfo")
    guard !nodes.isEmpty else { return nil }
    var entries: [AnyHashable: Any] = [:]
    for entry in nodes.flatMap({ $0.children(named: "entry") }) {
      guard let key = entry.attributes["key"] else {
        report(.warning, "a user info entry without a key is ignored", at: entry, entity: entity, property: property)
        continue
      }
      if entries[key] != nil {
        report(
          .warning, "the user info key '\(key)' occurs twice; the last counts", at: entry, entity: entity,
          property: property)
      }
      entries[key] = entry.attributes["value"] ?? ""
    }
    return entries.isEmpty ? nil : entries
  }

  func origin(_ node: XMLNode) -> ModelOrigin { ModelOrigin(file: file, line: node.line) }
}
