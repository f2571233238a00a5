internal import Foundation
internal import Model

/// Makes Swift source from models: classes, accessors, and the registry that a program finds them by.
public enum ModelCompiler {
  /// What a module's models came to.
  public struct Output: Sendable {
    /// Swift source by file name; empty when there are errors.
    public let files: [String: String]
    public let diagnostics: [CompilerDiagnostic]
    /// What was made, in a sentence.
    public let summary: String

    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
  }

  /// The names of the files that `compile` makes for models of these names.
  public static func outputNames(models: [String]) -> [String] {
    models.map(ModuleWriter.fileName(ofModel:)) + [ModuleWriter.registryName]
  }

  /// Compiles a model by itself, all its versions.
  ///
  /// - Parameter path: of a `.xcdatamodeld` or `.xcdatamodel` directory.
  /// - Returns: the text of a file that `NSManagedObjectModel(contentsOf:)` reads, `nil` when there are errors.
  public static func compiledModel(_ path: String) -> (text: String?, diagnostics: [CompilerDiagnostic]) {
    let loaded = ModelFile.load(path)
    return (loaded.model?.compiled, loaded.diagnostics)
  }

  /// Compiles the models of a module.
  ///
  /// - Parameters:
  ///   - module: the Swift module that the files belong to.
  ///   - models: paths of `.xcdatamodeld` or `.xcdatamodel` directories.
  ///   - sources: paths of the module's own Swift files.
  ///   - dependencies: paths of the Swift files of modules that it depends on, by the module's name: types of properties
  ///     may be declared there.
  public static func compile(
    module: String, models: [String], sources: [String], dependencies: [String: [String]] = [:]
  ) -> Output {
    var diagnostics: [CompilerDiagnostic] = []
    var files: [ModelFile] = []
    for path in models.sorted() {
      let loaded = ModelFile.load(path)
      diagnostics += loaded.diagnostics
      if let model = loaded.model { files.append(model) }
    }
    diagnostics += sharedNames(of: models)
    let scanned: [ScannedSource] = scan(sources, &diagnostics)
    let read: [(name: String, sources: [ScannedSource])] = dependencies.keys.sorted().map { name in
      (name, scan(dependencies[name] ?? [], &diagnostics))
    }
    // Each may have aliases for types of the others.
    let plain: [TypeTable] = read.map { TypeTable(module: $0.name, sources: $0.sources) }
    let tables: [TypeTable] = read.map { TypeTable(module: $0.name, sources: $0.sources, dependencies: plain) }
    return compile(module: module, files: files, sources: scanned, dependencies: tables, diagnostics: diagnostics)
  }

  /// Models are found by their names, so that a module can't have two of one.
  private static func sharedNames(of models: [String]) -> [CompilerDiagnostic] {
    var paths: [String: String] = [:]
    var found: [CompilerDiagnostic] = []
    for path in models.sorted() {
      let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
      guard let other = paths.updateValue(path, forKey: name) else { continue }
      found.append(
        CompilerDiagnostic(
          .error,
          "the module has another model named '\(name)', \(other): a program finds models by name, so rename one of them",
          at: SourceLocation(path: path, line: 1)))
    }
    return found
  }

  private static func scan(_ paths: [String], _ diagnostics: inout [CompilerDiagnostic]) -> [ScannedSource] {
    var scanned: [ScannedSource] = []
    for path in paths.sorted() {
      guard let data = FileManager.default.contents(atPath: path) else {
        diagnostics.append(
          CompilerDiagnostic(.error, "the file cannot be read", at: SourceLocation(path: path, line: 1)))
        continue
      }
      scanned.append(SwiftScanner.scan(String(decoding: data, as: UTF8.self), path: path))
    }
    return scanned
  }

  static func compile(
    module: String, files: [ModelFile], sources: [ScannedSource], dependencies: [TypeTable],
    diagnostics: [CompilerDiagnostic]
  ) -> Output {
    guard !diagnostics.contains(where: { $0.severity == .error }) else {
      return Output(files: [:], diagnostics: diagnostics, summary: "")
    }
    var writer = ModuleWriter(
      plan: ModulePlan(module: module, files: files, sources: sources, dependencies: dependencies))
    let texts = writer.write()
    let all = diagnostics + writer.plan.diagnostics
    let hasErrors = all.contains { $0.severity == .error }
    return Output(files: hasErrors ? [:] : texts, diagnostics: all, summary: summary(of: writer.plan))
  }

  private static func summary(of plan: ModulePlan) -> String {
    func count(_ number: Int, _ one: String, _ many: String) -> String { "\(number) \(number == 1 ? one : many)" }
    let classes = plan.classes.values
    let made = classes.filter { $0.mode == .generated }.count
    let extended = classes.filter { $0.mode == .category }.count
    let members = classes.flatMap(\.declarations).map { $0.properties.count + $0.methods.count }.reduce(0, +)
    let models = plan.files.map { "\($0.name) (version \($0.versionName))" }.joined(separator: ", ")
    return "\(plan.module): \(models.isEmpty ? "no model" : models): \(count(made, "class", "classes")) and "
      + "\(count(extended, "extension", "extensions")) generated, \(count(members, "@NSManaged member", "@NSManaged members")) "
      + "supplied"
  }
}
