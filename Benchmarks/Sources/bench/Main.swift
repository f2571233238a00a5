import Annals
import Foundation

/// The catalogue through contexts against the same rows through SQLite's C API, side by side in one run.
@main
enum Main {
  static func main() throws {
    let options = try Options(Array(CommandLine.arguments.dropFirst()))
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("annals-bench-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let bench = try CatalogueBench(folder: folder, options: options)
    try bench.run()
  }
}

struct Options {
  var catalogue = ""
  var names: Set<String> = []
  var json = false
  var rounds = 5

  static let known = ["import", "open", "search", "by-name", "largest", "section", "needed-by"]

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--json": json = true
      case "--catalogue": catalogue = rest.popFirst() ?? ""
      case let name where Self.known.contains(name): names.insert(name)
      default:
        FileHandle.standardError.write(
          Data("bench: unknown workload \(argument); there are \(Self.known.joined(separator: ", "))\n".utf8))
        exit(2)
      }
    }
  }

  func wants(_ name: String) -> Bool { names.isEmpty || names.contains(name) }
}
