import Foundation
import ModelCompiler

/// A module's models and sources in a temporary place, to be compiled.
struct TemporaryTarget {
  let directory: URL
  private var models: [String] = []
  private var sources: [String] = []
  private var dependencies: [String: [String]] = [:]

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("target-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(at: directory) }

  /// Adds a model of these entities.
  mutating func add(model name: String, entities: String) throws {
    try add(
      model: name,
      contents: """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
        \(entities)
        </model>
        """)
  }

  mutating func add(model name: String, contents: String) throws {
    let url = directory.appendingPathComponent("\(name).xcdatamodel")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try Data(contents.utf8).write(to: url.appendingPathComponent("contents"))
    models.append(url.path)
  }

  mutating func add(source name: String, _ text: String) throws {
    let url = directory.appendingPathComponent(name)
    try Data(text.utf8).write(to: url)
    sources.append(url.path)
  }

  /// Adds a file of another module.
  mutating func add(dependency module: String, _ name: String, _ text: String) throws {
    let url = directory.appendingPathComponent("\(module)-\(name)")
    try Data(text.utf8).write(to: url)
    dependencies[module, default: []].append(url.path)
  }

  func compile(module: String = "App") -> ModelCompiler.Output {
    ModelCompiler.compile(module: module, models: models, sources: sources, dependencies: dependencies)
  }

  /// Compiles one model and perhaps one source, `Classes.swift`.
  static func compile(entities: String, source: String? = nil) throws -> ModelCompiler.Output {
    var target = try TemporaryTarget()
    defer { target.remove() }
    try target.add(model: "Model", entities: entities)
    if let source { try target.add(source: "Classes.swift", source) }
    return target.compile()
  }
}

extension ModelCompiler.Output {
  /// The generated text of `Model`.
  var model: String { files["AnnalsGenerated_Model.swift"] ?? "" }
  var registry: String { files["AnnalsGeneratedModels.swift"] ?? "" }

  var errors: [CompilerDiagnostic] { diagnostics.filter { $0.severity == .error } }

  /// Messages of errors, each with the file's name and line before it.
  var errorTexts: [String] {
    errors.map { error in
      let file = error.location.map { URL(fileURLWithPath: $0.path).lastPathComponent } ?? "?"
      return "\(file):\(error.location?.line ?? 0): \(error.message)"
    }
  }
}
