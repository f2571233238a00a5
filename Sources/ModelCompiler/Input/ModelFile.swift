internal import Foundation
internal import Model
internal import Schema

/// A model in a target: the version that is current, read.
struct ModelFile {
  /// The file's name without its extension.
  let name: String
  let versionName: String
  /// The path of the version's `contents`.
  let path: String
  let contents: String
  let model: NSManagedObjectModel
  let schema: Schema

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
      guard let data = FileManager.default.contents(atPath: place) else {
        throw ModelError("The model \(place) can't be read.")
      }
      let file = ModelFile(
        name: url.deletingPathExtension().lastPathComponent,
        versionName: found.file.deletingLastPathComponent().deletingPathExtension().lastPathComponent, path: place,
        contents: String(decoding: data, as: UTF8.self), model: reading.model, schema: schema)
      return (file, warnings.map { CompilerDiagnostic($0, defaultPath: place) })
    } catch {
      // The error repeats the warnings of what failed.
      var diagnostics = error.diagnostics.map { CompilerDiagnostic($0, defaultPath: place) }
      if !diagnostics.contains(where: { $0.severity == .error }) {
        diagnostics.append(CompilerDiagnostic(.error, error.message, at: SourceLocation(path: place, line: 1)))
      }
      return (nil, diagnostics)
    }
  }
}
