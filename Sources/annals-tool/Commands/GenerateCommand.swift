import Foundation
import ModelCompiler

/// `annals generate`: what the build plugin generates, for those who commit generated code.
enum GenerateCommand: Command {
  static let spec = CommandSpec(
    name: "generate", summary: "Swift classes and accessors from models, as the build plugin makes them.",
    arguments: ["MODEL…"],
    about: """
      Writes Swift source for the managed object classes of a module into the folder DIR: a file for each MODEL (a
      .xcdatamodeld or .xcdatamodel directory) and AnnalsGeneratedModels.swift, just as the plugin ModelPlugin makes
      them while building. For those who commit generated code; a target has either the files or the plugin. Name the
      hand-written sources of the module with --source, or the accessors of their @NSManaged properties are missing.
      Files that would not change are left alone. Problems are printed as FILE:LINE:COLUMN: SEVERITY: MESSAGE; when
      there is an error, nothing is written.
      """,
    options: [
      OptionSpec("output", short: "o", value: "DIR", "Where to write; made if missing. Required."),
      OptionSpec("module", value: "NAME", "The module of the sources; else named as the first model's folder."),
      OptionSpec("source", value: "FILE", "A Swift file of the module; may be repeated."),
      OptionSpec(
        "dependency", value: "MODULE=FILE", "A Swift file of a module that it depends on; may be repeated."),
    ],
    exitCodes: [
      (.fine, "written, or nothing to change"), (.differs, "errors in models or sources; nothing was written"),
      (.usage, "bad command line"), (.cannotOpen, "a model or source cannot be read, or the output not be written"),
    ],
    examples: [
      "annals generate Sources/App/App.xcdatamodeld --output Sources/App/Generated",
      "annals generate App.xcdatamodeld -o Generated --module App --source Post.swift --source Tag.swift",
    ])

  static func run(_ arguments: CommandLineArguments, _ output: Output) throws -> ExitCode {
    let models = arguments.positional
    guard let first = models.first else { throw arguments.fault("MODEL is missing") }
    guard let folder = try arguments.value("output"), !folder.isEmpty else {
      throw arguments.fault("--output DIR is missing")
    }
    let sources = arguments.all("source")
    let dependencies = try readDependencies(arguments)
    for path in models + sources + dependencies.values.flatMap({ $0 })
    where !FileManager.default.isReadableFile(atPath: path) {
      let isThere = FileManager.default.fileExists(atPath: path)
      throw ToolFailure(
        .cannotOpen, "\(path): \(isThere ? "permission denied" : "no such file or directory")", path: path)
    }
    let module = try arguments.value("module") ?? defaultModule(first)
    guard isModuleName(module) else {
      throw arguments.fault("'\(module)' is no name of a module; give one with --module NAME")
    }
    let result = ModelCompiler.compile(module: module, models: models, sources: sources, dependencies: dependencies)
    for diagnostic in result.diagnostics { try print(diagnostic, output) }
    if result.hasErrors { return .differs }
    try write(result, module: module, to: folder, output)
    return .fine
  }

  private static func readDependencies(_ arguments: CommandLineArguments) throws -> [String: [String]] {
    var files: [String: [String]] = [:]
    for text in arguments.all("dependency") {
      let parts: [String] = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw arguments.fault("--dependency takes MODULE=FILE, not '\(text)'") }
      files[parts[0], default: []].append(parts[1])
    }
    return files
  }

  /// A target's folder is named as its module, but for signs that a name can't have.
  private static func defaultModule(_ model: String) -> String {
    let folder = URL(fileURLWithPath: model).standardizedFileURL.deletingLastPathComponent().lastPathComponent
    let mapped = folder.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "_" }
    return String(mapped)
  }

  private static func isModuleName(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first.properties.isXIDStart || first == "_" else { return false }
    return name.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
  }

  private static func write(
    _ result: ModelCompiler.Output, module: String, to folder: String, _ output: Output
  ) throws {
    var made: [String] = []
    var kept: [String] = []
    do {
      let directory = URL(fileURLWithPath: folder)
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      for (name, text) in result.files.sorted(by: { $0.key < $1.key }) {
        let file = directory.appendingPathComponent(name)
        let data = Data(text.utf8)
        if FileManager.default.contents(atPath: file.path) == data {
          kept.append(name)
        } else {
          try data.write(to: file, options: .atomic)
          made.append(name)
        }
      }
    } catch {
      throw ToolFailure(
        .cannotOpen, "\(folder): cannot be written: \((error as NSError).localizedDescription)", path: folder)
    }
    let others = strangers(in: folder, besides: made + kept)
    if output.isJSON {
      var object = JSONObject(kind: "generated")
      object.add("module", .string(module))
      object.add("summary", .string(result.summary))
      object.add("written", .array(made.map { .string($0) }))
      object.add("unchanged", .array(kept.map { .string($0) }))
      object.add("others", .array(others.map { .string($0) }))
      return try output.line(object)
    }
    try output.line(result.summary)
    for name in made { try output.line("\(folder)/\(name): written") }
    for name in kept { try output.line("\(folder)/\(name): unchanged") }
    for name in others { try output.line("\(folder)/\(name): of another model or run; left alone") }
  }

  /// Files generated earlier that this run has no part in: remains of models that were renamed, or other models'.
  private static func strangers(in folder: String, besides names: [String]) -> [String] {
    let found: [String] = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return found.filter { $0.hasPrefix("AnnalsGenerated") && $0.hasSuffix(".swift") && !names.contains($0) }.sorted()
  }

  private static func print(_ diagnostic: CompilerDiagnostic, _ output: Output) throws {
    guard output.isJSON else {
      let style: Style = diagnostic.severity == .error ? .bad : .number
      return try output.line(output.styled(diagnostic.description, style))
    }
    var object = JSONObject(kind: "fault")
    object.add("severity", .string(diagnostic.severity.rawValue))
    object.add("message", .string(diagnostic.message))
    object.add("path", .text(diagnostic.location?.path))
    object.add("line", diagnostic.location.map { .integer($0.line) } ?? .null)
    object.add("column", diagnostic.location.map { .integer($0.column) } ?? .null)
    try output.line(object)
  }
}
