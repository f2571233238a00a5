public import Foundation

/// A model that was read, and what the reader found odd about it.
public struct ModelReading {
  public let model: NSManagedObjectModel
  /// Warnings, in the order of the file.
  public let diagnostics: [ModelDiagnostic]
}

/// Reads model files: `.xcdatamodeld` and `.xcdatamodel` directories, and the XML in them.
public enum ModelReader {
  /// Reads a model.
  ///
  /// - Parameter url: a `.xcdatamodeld` directory, whose current version is read, a `.xcdatamodel` directory, or a
  ///   `contents` file.
  /// - Throws: `ModelError` with every fault of the file.
  public static func read(_ url: URL) throws(ModelError) -> ModelReading {
    throw ModelError("reading is being built")
  }

  /// Reads a model from the XML of a `contents` file.
  ///
  /// - Parameters:
  ///   - data: the XML.
  ///   - file: the name that diagnostics give it.
  public static func read(_ data: Data, file: String = "model") throws(ModelError) -> ModelReading {
    throw ModelError("reading is being built")
  }
}
