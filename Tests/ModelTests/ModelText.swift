import Foundation
import Testing

@testable import Model

/// Model files written in tests: the lines inside `<model>`, the first of which is line 3 of the file.
enum ModelText {
  static func file(_ lines: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
    \(lines)
    </model>

    """
  }

  static func read(_ lines: String) throws -> ModelReading {
    try ModelReader.read(Data(file(lines).utf8), file: "Test.xcdatamodel/contents")
  }

  /// The diagnostics of a file, whether it can be read or not.
  static func diagnostics(_ lines: String) -> [String] {
    do {
      return try ModelReader.read(Data(file(lines).utf8), file: "M").diagnostics.map { $0.description }
    } catch {
      return error.diagnostics.map { $0.description }
    }
  }

  /// A model with one entity `Note`.
  static func note(_ lines: String) -> String { "<entity name=\"Note\">\n\(lines)\n</entity>" }

  static func attribute(_ lines: String) throws -> NSAttributeDescription {
    let model: NSManagedObjectModel = try read(note(lines)).model
    return try #require(model.entitiesByName["Note"]?.ownProperties.first as? NSAttributeDescription)
  }
}
