import Foundation
import Model
import Schema

/// `annals model`: a model file, or its faults.
enum ModelCommand: Command {
  static let spec = CommandSpec(
    name: "model", summary: "A model file, printed; or its faults, with file and line.", arguments: ["FILE"],
    about: """
      Reads the model FILE: a .xcdatamodeld directory (its current version), a .xcdatamodel directory or the XML file
      in it. Prints each entity with its class, attributes, relationships, unique values and indexes. What is wrong
      or odd is printed first, as FILE:LINE: SEVERITY: MESSAGE; when there is an error, nothing else is.
      """,
    options: [],
    exitCodes: [
      (.fine, "the model is sound; there may be warnings"), (.differs, "the model has errors"),
      (.usage, "bad command line"), (.cannotOpen, "the file cannot be read"),
    ],
    examples: ["annals model Sources/App/App.xcdatamodeld", "annals model --json App.xcdatamodeld | jq -r .name"])

  static func run(_ arguments: CommandLineArguments, _ output: Output) throws -> ExitCode {
    let path = try arguments.only("FILE")
    guard FileManager.default.fileExists(atPath: path) else {
      throw ToolFailure(.cannotOpen, "\(path): no such file or directory", path: path)
    }
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw ToolFailure(.cannotOpen, "\(path): permission denied", path: path)
    }
    let outcome = read(path)
    switch outcome {
    case .failure(let error):
      for diagnostic in error.diagnostics { try print(diagnostic, path, output) }
      if error.diagnostics.isEmpty { try print(ModelDiagnostic(.error, error.message, file: path), path, output) }
      return .differs
    case .success(let (reading, schema)):
      for diagnostic in reading.diagnostics { try print(diagnostic, path, output) }
      try printModel(path, reading.model, schema, output)
      return .fine
    }
  }

  /// Freezing finds what the reader alone can't: entities that inherit from themselves, derivations that lead nowhere.
  private static func read(_ path: String) -> Result<(ModelReading, Schema), ModelError> {
    do throws(ModelError) {
      let reading = try ModelReader.read(URL(fileURLWithPath: path))
      return .success((reading, try reading.model.schema()))
    } catch {
      return .failure(error)
    }
  }

  private static func print(_ diagnostic: ModelDiagnostic, _ path: String, _ output: Output) throws {
    guard output.isJSON else {
      let style: Style = diagnostic.severity == .error ? .bad : .number
      return try output.line(output.styled(diagnostic.description, style))
    }
    var object = JSONObject(kind: "fault")
    object.add("severity", .string(diagnostic.severity.rawValue))
    object.add("message", .string(diagnostic.message))
    object.add("path", .text(diagnostic.file ?? path))
    object.add("line", diagnostic.line.map { .integer($0) } ?? .null)
    object.add("entity", .text(diagnostic.entity))
    object.add("property", .text(diagnostic.property))
    try output.line(object)
  }

  private static func printModel(
    _ path: String, _ model: NSManagedObjectModel, _ schema: Schema, _ output: Output
  ) throws {
    let printer = SchemaPrinter(schema)
    let identifiers = model.versionIdentifiers.map { "\($0)" }.sorted()
    if output.isJSON {
      var object = JSONObject(kind: "model")
      object.add("path", .string(path))
      object.add("version_identifiers", .array(identifiers.map { .string($0) }))
      object.add("configurations", .array(model.configurations.map { .string($0) }))
      object.add("entities", .integer(schema.entities.count))
      try output.line(object)
    } else {
      let version = identifiers.isEmpty ? "" : ", version \(identifiers.joined(separator: ", "))"
      try output.line(
        "\(path): \(schema.entities.count) \(schema.entities.count == 1 ? "entity" : "entities")\(version)")
    }
    let byName = model.entitiesByName
    for entity in schema.entities {
      let className = byName[entity.name]?.managedObjectClassName
      if output.isJSON {
        var object = JSONObject(kind: "entity")
        object.add("name", .string(entity.name))
        object.add("class", .text(className))
        printer.add(entity, to: &object)
        try output.line(object)
      } else {
        try output.line()
        try output.line("\(printer.headline(entity))\(className.map { ", class \($0)" } ?? "")")
        for line in printer.lines(entity) { try output.line("  \(line)") }
      }
    }
  }
}
