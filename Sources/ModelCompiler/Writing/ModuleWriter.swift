internal import Model

/// Writes the files of a module.
struct ModuleWriter {
  var plan: ModulePlan
  private var written: Set<String> = []

  init(plan: ModulePlan) { self.plan = plan }

  static let registryName = "AnnalsGeneratedModels.swift"
  static func fileName(ofModel name: String) -> String { "AnnalsGenerated_\(name).swift" }

  /// All files by name.
  mutating func write() -> [String: String] {
    var files: [String: String] = [:]
    for file in plan.files {
      var text = SourceText()
      for managed in plan.sortedClasses where managed.entities.first?.file.path == file.path {
        add(managed, to: &text)
      }
      files[Self.fileName(ofModel: file.name)] = whole(
        text, about: "the model \(file.name), version \(file.versionName)")
    }
    var rest = SourceText()
    // Classes without entities: bases of others, and classes of models that are made in code.
    for managed in plan.sortedClasses where managed.entities.isEmpty { add(managed, to: &rest) }
    let registry = RegistryWriter(plan: plan).text()
    rest.add(registry)
    files[Self.registryName] = whole(rest, about: "the models of \(plan.module)")
    return files
  }

  private mutating func add(_ managed: ManagedClass, to text: inout SourceText) {
    if managed.mode != .handWritten, let entity = managed.entities.first {
      var writer = ClassWriter(plan: plan)
      text.add(writer.text(of: managed, entity))
      plan.diagnostics = writer.plan.diagnostics
    }
    var writer = ManagedMemberWriter(plan: plan)
    text.add(writer.text(of: managed))
    plan.diagnostics = writer.plan.diagnostics
  }

  private func whole(_ text: SourceText, about subject: String) -> String {
    var lines: [String] = ["// Generated from \(subject). Changes here are lost at the next build.", ""]
    // A module's files must agree: where imports are public unless they say otherwise, a plain one beside one with an
    // access level is an error.
    var imports: [(module: String, isPublic: Bool)] = [
      ("Annals", text.showsGraph), ("Foundation", text.showsFoundation),
    ]
    for (module, isPublic) in text.otherModules.sorted(by: { $0.key < $1.key }) { imports.append((module, isPublic)) }
    lines.append("#if hasFeature(InternalImportsByDefault)")
    for item in imports { lines.append("  \(item.isPublic ? "public" : "internal") import \(item.module)") }
    lines.append("#else")
    for item in imports {
      let access = item.isPublic ? "public " : "internal "
      lines.append("  \(plan.explicitImports.contains(item.module) ? access : "")import \(item.module)")
    }
    lines.append("#endif")
    lines.append("")
    return (lines + text.lines).joined(separator: "\n") + "\n"
  }
}
