public import Foundation

/// A model that was read, and what the reader found odd about it.
public struct ModelReading {
  /// Mutable; belongs to the caller.
  public let model: NSManagedObjectModel
  /// Warnings, in the order of the file.
  public let diagnostics: [ModelDiagnostic]
}

/// Reads model files: `.xcdatamodeld` and `.xcdatamodel` directories, the XML in them, and compiled models.
///
/// Nothing outside the file is ever looked at, and size and depth are bounded, so that any file may be given.
public enum ModelReader {
  /// Reads a model. Costs a read of the whole file and a pass over it; about a millisecond for a common model.
  ///
  /// - Parameter url: a `.xcdatamodeld` directory, whose current version is read (the last by name where the marker is
  ///   missing), a `.xcdatamodel` directory, a `contents` file, or a compiled model, whose current
  ///   version is read.
  /// - Throws: `ModelError` with every fault and warning of the file.
  public static func read(_ url: URL) throws(ModelError) -> ModelReading {
    let (file, warnings) = try ModelFiles.contents(of: url)
    let data: Data = try ModelFiles.read(file, bytesMax: ModelLimits.fileBytesMax)
    let reading: ModelReading = try read(data, file: file.path)
    reading.model.url = url
    return ModelReading(model: reading.model, diagnostics: warnings + reading.diagnostics)
  }

  /// Reads a model from the XML of a `contents` file, or a compiled model.
  ///
  /// - Parameters:
  ///   - data: the file, in UTF-8.
  ///   - file: the name that diagnostics give it.
  /// - Throws: `ModelError` with every fault and warning of the file.
  public static func read(_ data: Data, file: String = "model") throws(ModelError) -> ModelReading {
    if CompiledModel.isCompiled(data) {
      return ModelReading(model: try CompiledModel(data: data, file: file).model(), diagnostics: [])
    }
    let root: XMLNode = try XMLTreeParser.parse(data, file: file)
    let builder = ModelBuilder(file: file)
    builder.build(root)
    let diagnostics: [ModelDiagnostic] = builder.finish()
    if builder.hasErrors {
      throw ModelError("The model \(file) can't be read.", diagnostics: diagnostics)
    }
    return ModelReading(model: builder.model, diagnostics: diagnostics)
  }
}
