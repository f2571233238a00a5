internal import Foundation
internal import Model
internal import Schema

/// Finds a model by name for a container: in the main bundle, in what the build plugin generated for the modules
/// concerned and for those that they depend on, then beside the executable, where resource bundles of packages are too.
struct ModelLookup {
  let name: String
  /// Modules whose generated models count: the caller's and the container class's.
  let modules: [String]

  private static let extensions = ["xcdatamodeld", "xcdatamodel", "annalsmodel"]

  /// Stops the program when there is no such model, or one with faults: the program was built without what it names.
  func model() -> NSManagedObjectModel {
    var looked: [String] = []
    for ext in Self.extensions {
      if let url = Bundle.main.url(forResource: name, withExtension: ext) { return read(url) }
    }
    looked.append("the main bundle (\(Bundle.main.bundleURL.path))")
    for module in modules {
      if let model = generated(in: module) { return model }
      looked.append("the models compiled into the module \(module)")
    }
    if let model = generatedInDependency(&looked) { return model }
    for directory in Self.directoriesBesideExecutable() {
      for ext in Self.extensions {
        let url: URL = directory.appendingPathComponent(name).appendingPathExtension(ext)
        if FileManager.default.fileExists(atPath: url.path) { return read(url) }
      }
      looked.append(directory.path)
    }
    ProgrammerError.stop(
      "There is no model named '\(name)'. Looked in: \(looked.joined(separator: "; ")). "
        + "Add \(name).xcdatamodeld to a target that uses the build plugin ModelPlugin, put it beside the executable, "
        + "or use NSPersistentContainer(name:managedObjectModel:).")
  }

  private func read(_ url: URL) -> NSManagedObjectModel {
    do throws(ModelError) {
      let model: NSManagedObjectModel = try ModelReader.read(url).model
      model.classModules = modules
      return model
    } catch {
      ProgrammerError.stop("The model '\(name)' at \(url.path) can't be read: \(error.description)")
    }
  }

  private func generated(in module: String) -> NSManagedObjectModel? {
    guard let registry = GeneratedModelRegistry.registry(ofModule: module),
      let found = registry.models.first(where: { $0.name == name })
    else { return nil }
    do throws(ModelError) {
      let model: NSManagedObjectModel = try found.model()
      model.classModules = [module]
      return model
    } catch {
      ProgrammerError.stop("The model '\(name)' compiled into \(module) can't be read: \(error.description)")
    }
  }

  /// A model of a module that one of the modules concerned depends on. Two of the name are one too many to choose from.
  private func generatedInDependency(_ looked: inout [String]) -> NSManagedObjectModel? {
    var dependencies: [String] = []
    for module in modules {
      for other in GeneratedModelRegistry.registry(ofModule: module)?.dependencies ?? []
      where !dependencies.contains(other) && !modules.contains(other) {
        dependencies.append(other)
      }
    }
    let found: [String] = dependencies.filter { module in
      GeneratedModelRegistry.registry(ofModule: module)?.models.contains { $0.name == name } == true
    }
    if found.count > 1 {
      ProgrammerError.stop(
        "There is a model named '\(name)' in each of the modules \(found.joined(separator: ", ")): make the container in "
          + "one of them, or use NSPersistentContainer(name:managedObjectModel:).")
    }
    if !dependencies.isEmpty {
      looked.append("the models compiled into the modules it depends on: \(dependencies.joined(separator: ", "))")
    }
    return found.first.flatMap { generated(in: $0) }
  }

  /// The executable's directory, and the resource bundles in it that a package's targets have.
  private static func directoriesBesideExecutable() -> [URL] {
    guard let directory = Bundle.main.executableURL?.deletingLastPathComponent() else { return [] }
    let entries: [URL] =
      (try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)) ?? []
    let bundles: [URL] = entries.filter { ["resources", "bundle"].contains($0.pathExtension) }
    return [directory] + bundles.sorted { $0.path < $1.path }
  }

  /// The module in a `#fileID`, which is `Module/File.swift`.
  static func module(ofFileID fileID: String) -> String {
    String(fileID.prefix { $0 != "/" })
  }

  /// The module of a class.
  static func module(of type: AnyClass) -> String {
    String(String(reflecting: type).prefix { $0 != "." })
  }
}
