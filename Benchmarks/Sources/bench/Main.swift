import Annals
import Foundation

/// The catalogue through contexts, and rows through the store of rows, against the same through SQLite's C API, side by
/// side in one run; and how fast models load.
@main
enum Main {
  static func main() throws {
    let options = try Options(Array(CommandLine.arguments.dropFirst()))
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("annals-bench-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    if options.wantsAny(of: CatalogueBench.names) { try CatalogueBench(folder: folder, options: options).run() }
    if options.wantsAny(of: FetchBench.names) { try FetchBench(folder: folder, options: options).run() }
    if options.wantsAny(of: ModelBench.names) { try ModelBench(options: options).run() }
    if options.wantsAny(of: RowBench.names) { try RowBench(folder: folder, options: options).run() }
  }
}

struct Options {
  var catalogue = ""
  var names: Set<String> = []
  var json = false
  var rounds = 5
  var rowCount = 100_000
  var postCount = 1_000_000

  init(_ arguments: [String]) throws {
    let known = CatalogueBench.names + RowBench.names + FetchBench.names + ModelBench.names
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--json": json = true
      case "--catalogue": catalogue = rest.popFirst() ?? ""
      case "--rows": rowCount = max(1000, rest.popFirst().flatMap { Int($0) } ?? rowCount)
      case "--posts": postCount = max(1000, rest.popFirst().flatMap { Int($0) } ?? postCount)
      case "fetch": names.formUnion(FetchBench.names)
      case "rows": names.formUnion(RowBench.names)
      case "catalogue": names.formUnion(CatalogueBench.names)
      case let name where known.contains(name): names.insert(name)
      default:
        FileHandle.standardError.write(
          Data("bench: unknown workload \(argument); there are \(known.joined(separator: ", "))\n".utf8))
        exit(2)
      }
    }
  }

  func wants(_ name: String) -> Bool { names.isEmpty || names.contains(name) }
  func wantsAny(of group: [String]) -> Bool { group.contains { wants($0) } }
}
