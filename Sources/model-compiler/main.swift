import Foundation
import ModelCompiler

/// What the command line asks for.
struct Arguments {
  var module = ""
  var output = ""
  var models: [String] = []
  var sources: [String] = []
  var dependencies: [String: [String]] = [:]
  var compiled: String?
}

let usage = """
  usage: model-compiler --module NAME --output DIRECTORY [--model PATH]... [--source FILE]...
                        [--dependency MODULE=FILE]...
         model-compiler --compiled FILE --model PATH

  Writes Swift source for the managed object classes of a module.
    --module NAME       the module that the source belongs to
    --output DIRECTORY  where to write; a file that would not change is left alone
    --model PATH        a .xcdatamodeld or .xcdatamodel directory
    --source FILE       a Swift file of the module, to find hand-written classes in
    --dependency MODULE=FILE
                        a Swift file of a module that this one depends on, to find types of properties in
    --compiled FILE     write only the compiled model, all versions of it, which NSManagedObjectModel(contentsOf:) reads
    --help              this

  Exit codes: 0 written, 1 errors in models or sources, 2 wrong arguments, 3 the output cannot be written.
  """

func fail(_ message: String, code: Int32) -> Never {
  FileHandle.standardError.write(Data("error: \(message)\n".utf8))
  exit(code)
}

func parse(_ words: [String]) -> Arguments {
  var arguments = Arguments()
  var index = 0
  func value(_ option: String) -> String {
    index += 1
    guard index < words.count else { fail("\(option) needs a value\n\(usage)", code: 2) }
    return words[index]
  }
  while index < words.count {
    let word = words[index]
    switch word {
    case "--module": arguments.module = value(word)
    case "--output": arguments.output = value(word)
    case "--compiled": arguments.compiled = value(word)
    case "--model": arguments.models.append(value(word))
    case "--source": arguments.sources.append(value(word))
    case "--dependency":
      let parts = value(word).split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { fail("--dependency needs MODULE=FILE\n\(usage)", code: 2) }
      arguments.dependencies[parts[0], default: []].append(parts[1])
    case "--help", "-h":
      print(usage)
      exit(0)
    default: fail("unknown argument '\(word)'\n\(usage)", code: 2)
    }
    index += 1
  }
  if arguments.compiled != nil {
    guard arguments.models.count == 1 else { fail("--compiled needs one --model\n\(usage)", code: 2) }
    return arguments
  }
  if arguments.module.isEmpty || arguments.output.isEmpty {
    fail("--module and --output are needed\n\(usage)", code: 2)
  }
  return arguments
}

/// Writes a file unless it holds just that already, so that nothing is built again for nothing.
func writeIfChanged(_ text: String, to url: URL) throws -> Bool {
  let data = Data(text.utf8)
  if FileManager.default.contents(atPath: url.path) == data { return false }
  try data.write(to: url, options: .atomic)
  return true
}

/// Writes a model by itself.
func compile(_ model: String, to path: String) -> Never {
  let compiled = ModelCompiler.compiledModel(model)
  for diagnostic in compiled.diagnostics { FileHandle.standardError.write(Data("\(diagnostic)\n".utf8)) }
  guard let text = compiled.text else { exit(1) }
  do {
    let changed = try writeIfChanged(text, to: URL(fileURLWithPath: path))
    print(changed ? "wrote \(path), \(text.utf8.count) bytes" : "nothing changed")
    exit(0)
  } catch {
    fail("the compiled model cannot be written to \(path): \(error.localizedDescription)", code: 3)
  }
}

let arguments = parse(Array(CommandLine.arguments.dropFirst()))
if let path = arguments.compiled { compile(arguments.models[0], to: path) }
let output = ModelCompiler.compile(
  module: arguments.module, models: arguments.models, sources: arguments.sources,
  dependencies: arguments.dependencies)
for diagnostic in output.diagnostics {
  FileHandle.standardError.write(Data("\(diagnostic)\n".utf8))
}
if output.hasErrors { exit(1) }
do {
  let directory = URL(fileURLWithPath: arguments.output)
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  var changed: [String] = []
  for (name, text) in output.files.sorted(by: { $0.key < $1.key }) {
    if try writeIfChanged(text, to: directory.appendingPathComponent(name)) { changed.append(name) }
  }
  print("\(output.summary)\(changed.isEmpty ? ", nothing changed" : ": wrote \(changed.joined(separator: ", "))")")
} catch {
  fail("the generated source cannot be written to \(arguments.output): \(error.localizedDescription)", code: 3)
}
