import Annals
import CatalogueInput
import Foundation

/// `catalogue import`
enum ImportCommand {
  static let usage = """
    catalogue import [--store DIR] [--acknowledge FILE] [--timings] [FILE…]

    Brings the catalogue up to Debian's package indexes: FILE… as apt-get update fetches them, plain or LZ4; by default
    those in /var/lib/apt/lists, or dpkg's status where there are none. Saves in transactions of a thousand packages;
    a second import touches only what changed. --acknowledge appends a line to FILE when a transaction is safe on the
    disk, how many there are so far; --timings prints what it took as a line of JSON.
    """

  static func run(_ arguments: [String]) throws {
    let arguments = try Arguments(arguments, options: ["--store", "--acknowledge"], flags: ["--timings"])
    let files = arguments.positional.isEmpty ? PackageIndex.defaultFiles() : arguments.positional
    guard !files.isEmpty else {
      throw CatalogueError("No package index on this machine: name a file, or run apt-get update first.")
    }
    let entries = try PackageIndex.read(files)
    let directory = arguments.values["--store"] ?? Catalogue.defaultDirectory
    let acknowledgements = try arguments.values["--acknowledge"].map { try Acknowledgements(path: $0) }
    let start = Date()
    let catalogue = try Catalogue(directory: directory, mayCreate: true)
    let context = catalogue.container.newBackgroundContext()
    context.transactionAuthor = "import"
    let summary = try context.performAndWait {
      let importer = try Importer(context: context)
      var bar = ProgressBar(title: "import", total: entries.count)
      try importer.run(entries) {
        bar.show($0)
      } saved: {
        acknowledgements?.write($0)
      }
      bar.finish()
      return importer.summary
    }
    let seconds = Date().timeIntervalSince(start)
    print(
      "\(entries.count) packages: \(summary.inserted) new, \(summary.updated) changed, \(summary.deleted) gone, "
        + "\(summary.unchanged) as they were; \(summary.transactions) transactions")
    if arguments.flags.contains("--timings") {
      print("{\"import_s\":\(seconds),\"written_bytes\":\(writtenBytes()),\"transactions\":\(summary.transactions)}")
    }
  }

  /// What this process has caused to be written to storage, as the kernel counts it.
  private static func writtenBytes() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("write_bytes:") }
    return line.flatMap { Int($0.drop { !$0.isNumber }) } ?? 0
  }
}

/// Says to another process which transactions are safe: a line each, written only after the save returned.
private final class Acknowledgements {
  private let handle: FileHandle

  init(path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil), let handle = FileHandle(forWritingAtPath: path)
    else { throw CatalogueError("Cannot write \(path).") }
    self.handle = handle
  }

  func write(_ count: Int) { handle.write(Data("\(count)\n".utf8)) }
}
