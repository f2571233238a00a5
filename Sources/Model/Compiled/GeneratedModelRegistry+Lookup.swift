internal import Foundation

extension GeneratedModelRegistry {
  /// The registry of a module; `nil` for one without generated code.
  package static func registry(ofModule module: String) -> GeneratedModelRegistry.Type? {
    NSClassFromString("\(module).AnnalsGeneratedModels") as? GeneratedModelRegistry.Type
  }

  /// The models compiled into the modules that bundles belong to, each with its module.
  ///
  /// - Parameters:
  ///   - bundles: `nil` for the main bundle.
  ///   - fileID: of the caller, `Module/File.swift`.
  static func models(of bundles: [Bundle]?, fileID: String) -> [(module: String, model: GeneratedModel)] {
    var modules: [String] = []
    for bundle in bundles ?? [Bundle.main] {
      for module in names(of: bundle, fileID: fileID) where !modules.contains(module) { modules.append(module) }
    }
    return modules.flatMap { module in registry(ofModule: module)?.models.map { (module, $0) } ?? [] }
  }

  /// The modules that a bundle may belong to. SwiftPM names a target's bundle `Package_Target.resources`.
  private static func names(of bundle: Bundle, fileID: String) -> [String] {
    func module(_ name: some StringProtocol) -> String { String(name.map { $0 == "-" || $0 == " " ? "_" : $0 }) }
    let name: String = bundle.bundleURL.deletingPathExtension().lastPathComponent
    guard bundle.bundleURL != Bundle.main.bundleURL else {
      let executable: String? = bundle.executableURL?.deletingPathExtension().lastPathComponent
      return [String(fileID.prefix { $0 != "/" })] + (executable.map { [module($0)] } ?? [])
    }
    // Either part may have underscores: every place where the name can be cut is tried.
    return name.indices.filter { name[$0] == "_" }.map { module(name[name.index(after: $0)...]) }
  }
}
