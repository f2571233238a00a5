internal import Foundation
internal import Model
internal import Schema

/// A model in a target: the version that is current, read, and all versions, compiled.
struct ModelFile {
  /// The file's name without its extension.
  let name: String
  let versionName: String
  /// The path of the version's `contents`.
  let path: String
  /// All versions, as the program carries them.
  let compiled: String
  let model: NSManagedObjectModel
  let schema: Schema

  /// Stands in the compiled model's second line, and beside the layouts that are generated.
  var checksum: Substring { compiled.split(separator: "\n", maxSplits: 2)[1] }

  /// Reads the current version of a model.
  /// - Returns: the model, unless it has errors, and everything to say about it.
  static func load(_ path: String) -> (model: ModelFile?, diagnostics: [CompilerDiagnostic]) {
    let url = URL(fileURLWithPath: path)
    var warnings: [ModelDiagnostic] = []
    var place = path
    do throws(ModelError) {
      let found = try ModelFiles.contents(of: url)
      warnings += found.warnings
      place = found.file.path
      let reading = try ModelReader.read(found.file)
      warnings += reading.diagnostics
      let schema = try reading.model.schema()
      let versionName = found.file.deletingLastPathComponent().deletingPathExtension().lastPathComponent
      let versions = try versions(of: url, current: versionName, reading.model, &warnings)
      let file = ModelFile(
        name: url.deletingPathExtension().lastPathComponent, versionName: versionName, path: place,
        compiled: CompiledModel.text(of: versions, current: versions.firstIndex { $0.name == versionName } ?? 0),
        model: reading.model, schema: schema)
      return (file, warnings.map { CompilerDiagnostic($0, defaultPath: place) })
    } catch {
      // The error repeats the warnings of what failed; those about the directory come before it.
      let known: Set<CompilerDiagnostic> = Set(error.diagnostics.map { CompilerDiagnostic($0, defaultPath: place) })
      var diagnostics = warnings.map { CompilerDiagnostic($0, defaultPath: place) }.filter { !known.contains($0) }
      diagnostics += error.diagnostics.map { CompilerDiagnostic($0, defaultPath: place) }
      if !diagnostics.contains(where: { $0.severity == .error }) {
        diagnostics.append(CompilerDiagnostic(.error, error.message, at: SourceLocation(path: place, line: 1)))
      }
      return (nil, diagnostics)
    }
  }

  /// All versions of a model, for migration. An old one that can't be read or used is left out, and said so: the
  /// program is built without it.
  private static func versions(
    of url: URL, current: String, _ currentModel: NSManagedObjectModel, _ warnings: inout [ModelDiagnostic]
  ) throws(ModelError) -> [(name: String, model: NSManagedObjectModel)] {
    guard url.pathExtension == "xcdatamodeld" else { return [(current, currentModel)] }
    var versions: [(name: String, model: NSManagedObjectModel)] = []
    for version in try ModelFiles.versions(in: url) {
      let name = version.deletingPathExtension().lastPathComponent
      if name == current {
        versions.append((name, currentModel))
        continue
      }
      do throws(ModelError) {
        let model = try ModelReader.read(version).model
        _ = try model.schema()
        versions.append((name, model))
      } catch {
        let first = error.diagnostics.first { $0.severity == .error }
        warnings.append(
          ModelDiagnostic(
            .warning,
            "the version '\(name)' has errors and is left out, so that stores of that version can't be migrated: "
              + (first?.message ?? error.message), file: first?.file ?? version.path, line: first?.line))
      }
    }
    return versions
  }
}
