import Annals
import Foundation

/// Import, opening and five queries over the catalogue.
final class CatalogueBench {
  static let names = ["import", "open", "search", "by-name", "largest", "section", "needed-by"]

  private let folder: URL
  private let options: Options
  private let store: URL
  private let imported: ImportTimings
  private let container: NSPersistentContainer
  private let openSeconds: Double
  private let rows: CatalogueRows
  let sqlite: SQLiteCatalogue

  init(folder: URL, options: Options) throws {
    self.folder = folder
    self.options = options
    store = folder.appendingPathComponent("Catalogue.annals")
    imported = try ImportTimings.run(options.catalogue, store: store)
    let store = store
    (openSeconds, container) = try measure { try Self.open(store) }
    rows = try CatalogueRows(from: container)
    container.viewContext.reset()
    sqlite = SQLiteCatalogue(path: folder.appendingPathComponent("catalogue.sqlite").path)
  }

  private static func open(_ store: URL) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Catalogue")
    let description = NSPersistentStoreDescription(url: store)
    description.isReadOnly = true
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
  }

  func run() throws {
    try runImport()
    if options.wants("open") { runOpen() }
    let context = container.viewContext
    let names = sampledNames()
    if options.wants("search") { try compare("search", ours: { try self.search(context) }, peer: searchSQLite) }
    if options.wants("by-name") {
      try compare("by-name", ours: { try self.byName(context, names) }, peer: { self.byNameSQLite(names) })
    }
    if options.wants("largest") { try compare("largest", ours: { try self.largest(context) }, peer: largestSQLite) }
    if options.wants("section") { try compare("section", ours: { try self.section(context) }, peer: sectionSQLite) }
    if options.wants("needed-by") {
      try compare("needed-by", ours: { try self.neededBy(context, names) }, peer: { self.neededBySQLite(names) })
    }
  }

  private func sampledNames() -> [String] {
    let step = max(1, rows.packages.count / 2000)
    return stride(from: 0, to: rows.packages.count, by: step).map {
      rows.packages[($0 &* 7919) % rows.packages.count].name
    }
  }

  private func runImport() throws {
    let before = writtenBytes()
    let (seconds, _) = measure { sqlite.load(rows) }
    let peerBytes = writtenBytes() - before
    guard options.wants("import") else { return }
    var outcome = Outcome(work: "import", oursSeconds: imported.importSeconds, peerSeconds: seconds)
    let peerSize = ["", "-wal"].reduce(Int64(0)) { $0 + sizeOnDisk(folder.path + "/catalogue.sqlite" + $1) }
    outcome.counts = [
      ("packages", Int64(rows.packages.count)),
      ("dependencies", Int64(rows.packages.reduce(0) { $0 + $1.dependencies.count })),
      ("ours_written_bytes", imported.writtenBytes), ("peer_written_bytes", peerBytes),
      ("ours_size_bytes", sizeOnDisk(store.path)), ("peer_size_bytes", peerSize),
    ]
    outcome.printLine(json: options.json)
  }

  private func runOpen() {
    let path = folder.appendingPathComponent("catalogue.sqlite").path
    let (seconds, _) = measure {
      let database = SQLiteDatabase(path: path)
      let statement = database.statement("SELECT count(*) FROM section")
      return statement.next()
    }
    Outcome(work: "open", oursSeconds: openSeconds, peerSeconds: seconds).printLine(json: options.json)
  }

  /// Both sides must find the same, or the figures mean nothing.
  private func compare(_ work: String, ours: () throws -> Checksum, peer: () -> Checksum) throws {
    let (oursSeconds, found) = try measure(rounds: options.rounds) {
      container.viewContext.reset()
      return try ours()
    }
    let (peerSeconds, expected) = measure(rounds: options.rounds, peer)
    guard found == expected else { fatalError("\(work): annals found \(found), sqlite \(expected)") }
    var outcome = Outcome(work: work, oursSeconds: oursSeconds, peerSeconds: peerSeconds)
    outcome.counts = [("rows", Int64(found.rows))]
    outcome.printLine(json: options.json)
  }
}

/// What a query returned, summed so that no work can be skipped.
struct Checksum: Equatable {
  var rows = 0
  var bytes = 0

  mutating func add(_ textBytes: Int) {
    rows += 1
    bytes += textBytes
  }
}

/// What `catalogue import --timings` says of itself.
struct ImportTimings {
  let importSeconds: Double
  let writtenBytes: Int64

  static func run(_ catalogue: String, store: URL) throws -> ImportTimings {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: catalogue)
    process.arguments = ["import", "--store", store.path, "--timings"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0, let line = output.split(separator: UInt8(ascii: "\n")).last,
      let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any],
      let seconds = object["import_s"] as? Double, let bytes = object["written_bytes"] as? Int
    else { fatalError("catalogue import failed") }
    return ImportTimings(importSeconds: seconds, writtenBytes: Int64(bytes))
  }
}
