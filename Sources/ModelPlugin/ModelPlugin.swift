import Foundation
import PackagePlugin

/// Turns the models of a target into Swift source, and supplies the accessors that its hand-written classes declare as
/// `@NSManaged`. In Package.swift a target needs nothing but `plugins: [.plugin(name: "ModelPlugin", package: …)]`.
@main
struct ModelPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    let models = findModels(in: target.directoryURL)
    let sources: [URL] = target.sourceFiles(withSuffix: ".swift").map(\.url)
    let output = context.pluginWorkDirectoryURL.appending(path: "Generated")
    var arguments: [String] = ["--module", target.moduleName, "--output", output.path(percentEncoded: false)]
    // Everything inside a model is an input, so that a change of any file of it, the current version's marker
    // included, makes the code anew; the model itself is one, or SwiftPM would warn that nothing handles it.
    var inputs: [URL] = sources
    for model in models {
      arguments += ["--model", model.path(percentEncoded: false)]
      inputs += [model] + files(in: model)
    }
    for source in sources { arguments += ["--source", source.path(percentEncoded: false)] }
    for dependency in dependencies(of: target) {
      for source in dependency.sourceFiles(withSuffix: ".swift").map(\.url) {
        arguments += ["--dependency", "\(dependency.moduleName)=\(source.path(percentEncoded: false))"]
        inputs.append(source)
      }
    }
    // What model-compiler writes; the two must agree. Models of one name are its to refuse.
    let names: Set<String> = Set(
      models.map { "AnnalsGenerated_\($0.deletingPathExtension().lastPathComponent).swift" })
    let outputs: [URL] = (names.sorted() + ["AnnalsGeneratedModels.swift"]).map { output.appending(path: $0) }
    return [
      .buildCommand(
        displayName: "Compiling the models of \(target.name)",
        executable: try context.tool(named: "model-compiler").url, arguments: arguments, inputFiles: inputs,
        outputFiles: outputs)
    ]
  }

  /// The targets that a target depends on, directly and through others, of its package and of others: properties may
  /// have their types, and containers their models. Those of the graph are known without reading them.
  private func dependencies(of target: any Target) -> [any SourceModuleTarget] {
    var found: [any SourceModuleTarget] = []
    var waiting: [any Target] = [target]
    while let next = waiting.popLast() {
      for dependency in next.dependencies.flatMap(targets) where !found.contains(where: { $0.id == dependency.id }) {
        guard let module = dependency as? any SourceModuleTarget, !Self.ownModules.contains(module.name) else {
          continue
        }
        found.append(module)
        waiting.append(dependency)
      }
    }
    return found.sorted { $0.moduleName < $1.moduleName }
  }

  /// The modules of this package that a target can depend on.
  private static let ownModules: Set<String> = [
    "Annals", "CoreData", "LogStore", "FileSystem", "RowStore", "SimulatedDisk",
  ]

  private func targets(of dependency: TargetDependency) -> [any Target] {
    switch dependency {
    case .target(let target): [target]
    case .product(let product): product.targets
    @unknown default: []
    }
  }

  private static let modelExtensions: Set<String> = ["xcdatamodeld", "xcdatamodel"]

  /// The models below a directory, wherever the manifest puts them: among the sources, as resources, or excluded.
  /// Packages inside the target have models of their own.
  private func findModels(in directory: URL) -> [URL] {
    var models: [URL] = []
    for entry in entries(of: directory) where isDirectory(entry) {
      if Self.modelExtensions.contains(entry.pathExtension) {
        models.append(entry)
      } else if !FileManager.default.fileExists(atPath: entry.appending(path: "Package.swift").path) {
        models += findModels(in: entry)
      }
    }
    return models
  }

  private func files(in directory: URL) -> [URL] {
    var files: [URL] = []
    for entry in entries(of: directory, withHidden: true) {
      if isDirectory(entry) { files += self.files(in: entry) } else { files.append(entry) }
    }
    return files
  }

  private func entries(of directory: URL, withHidden: Bool = false) -> [URL] {
    let names: [String] = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    return names.filter { withHidden || !$0.hasPrefix(".") }.sorted().map { directory.appending(path: $0) }
  }

  private func isDirectory(_ url: URL) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && isDirectory.boolValue
  }
}
