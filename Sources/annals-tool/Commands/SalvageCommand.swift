import FileSystem
import Foundation
import RecordStore
import Schema

/// `annals salvage`: what is whole in a damaged store, in a new one.
enum SalvageCommand: Command {
  static let spec = CommandSpec(
    name: "salvage", summary: "Reads what is whole in a damaged store into a new one.", arguments: ["STORE"],
    about: """
      Reads the store in the directory STORE, which may be damaged, and writes a new store with everything that can
      be told from what is whole, before and behind damage: the schema, every readable object under its key with its
      newest readable values, relationships whose ends are both there, and the store's metadata. STORE is only read.
      History is not taken over, and the new store has an identity of its own: tokens and URIs of the old one are not
      for it. Prints, by entity, what was kept and what was lost, and why. What a lost transaction deleted may be
      back, and what it changed may have older values. An unfinished record at the end is no loss: it was never
      acknowledged.
      """,
    options: [
      OptionSpec("output", short: "o", value: "NEW", "The new store's directory; must not exist, or be empty.")
    ],
    exitCodes: [
      (.fine, "everything was taken over"), (.usage, "bad command line"),
      (.cannotOpen, "STORE cannot be opened, or NEW cannot be written or is not empty"),
      (.damaged, "no schema is readable, so nothing could be salvaged"),
      (.newerFormat, "format newer than this program"), (.salvagedWithLosses, "the new store lacks something"),
    ],
    examples: ["annals salvage Catalogue.sqlite -o Rescued.sqlite"])

  /// Lost objects that are listed without --json.
  private static let listedMax = 20

  static func run(_ arguments: CommandLineArguments, _ output: Output) throws -> ExitCode {
    let source = try arguments.only("STORE")
    guard let target = arguments.all("output").last else { throw arguments.fault("-o NEW is missing") }
    let report = try StoreSalvage.run(
      from: source, to: target, in: DiskFileSystem(), timestamp: Date().timeIntervalSinceReferenceDate)
    if output.isJSON { try printJSON(report, target, output) } else { try printText(report, target, output) }
    return report.hasLosses ? .salvagedWithLosses : .fine
  }

  // MARK: Text

  private static func printText(_ report: SalvageReport, _ target: String, _ output: Output) throws {
    for place in report.badPlaces { try output.line(StoreFault(place).text) }
    for range in report.lostRecords {
      let name = range.count == 1 ? "transaction \(range.lowerBound)" : "transactions \(text(range))"
      try output.line("lost: \(name): what was inserted, changed and deleted there is not known")
    }
    for transaction in report.partial {
      let rows = ValueFormatter.count(transaction.rowCount, "row")
      try output.line("lost: part of transaction \(transaction.number): \(rows) taken over, deletions and links lost")
    }
    if report.tornBytes > 0 {
      try output.line(
        "left out: \(report.tornBytes) bytes of an unfinished record at the end; it was never acknowledged")
    }
    for entity in report.entities { try output.line(text(entity)) }
    for object in report.lost.prefix(listedMax) { try output.line("lost: \(text(object))") }
    if report.lost.count > listedMax {
      try output.line("lost: \(report.lost.count - listedMax) objects more; --json lists all")
    }
    let verdict = report.hasLosses ? output.styled("salvaged with losses", .bad) : output.styled("salvaged", .good)
    let count = report.entities.reduce(0) { $0 + $1.keptCount }
    let read = ValueFormatter.count(report.transactionCount, "transaction")
    try output.line("\(verdict): \(ValueFormatter.count(count, "object")) from \(read), in \(target)")
  }

  private static func text(_ range: ClosedRange<UInt64>) -> String { "\(range.lowerBound) to \(range.upperBound)" }

  private static func text(_ entity: SalvageReport.Entity) -> String {
    var parts = ["\(entity.keptCount) kept"]
    if entity.linkCount > 0 { parts.append(ValueFormatter.count(entity.linkCount, "link")) }
    if entity.lostCount > 0 { parts.append("\(entity.lostCount) lost") }
    if entity.unseenCount > 0 { parts.append("at most \(entity.unseenCount) more lost unseen before the newest known") }
    if entity.clearedReferenceCount > 0 {
      parts.append("\(ValueFormatter.count(entity.clearedReferenceCount, "reference")) to lost objects cleared")
    }
    if entity.lostLinkCount > 0 {
      parts.append("\(ValueFormatter.count(entity.lostLinkCount, "link")) with lost objects left out")
    }
    return "\(entity.name): \(parts.joined(separator: ", "))"
  }

  private static func text(_ object: SalvageReport.LostObject) -> String {
    let name = "\(object.entity)/\(object.key.ordinal)"
    switch object.reason {
    case .unreadable: return "\(name), which others refer to: its row is not readable"
    case .superseded: return "\(name): a newer object has its unique values"
    }
  }

  // MARK: JSON

  private static func printJSON(_ report: SalvageReport, _ target: String, _ output: Output) throws {
    for place in report.badPlaces { try output.line(StoreFault(place).json) }
    for object in report.lost {
      var line = JSONObject(kind: "lost")
      line.add("object", .string("\(object.entity)/\(object.key.ordinal)"))
      line.add("reason", .string(object.reason.rawValue))
      try output.line(line)
    }
    var object = JSONObject(kind: "salvage")
    let code = report.hasLosses ? ExitCode.salvagedWithLosses : .fine
    object.add("exit", .integer(Int(code.rawValue)))
    object.add("path", .string(target))
    object.add("identifier", .string(report.identifier.uuidString))
    object.add("transactions", .integer(report.transactionCount))
    object.add("last", .integer(report.lastNumber))
    object.add("torn_bytes", .integer(report.tornBytes))
    object.add(
      "lost_records", .array(report.lostRecords.map { .array([.integer($0.lowerBound), .integer($0.upperBound)]) }))
    object.add("partial", .array(report.partial.map(json)))
    object.add("entities", .array(report.entities.map(json)))
    try output.line(object)
  }

  private static func json(_ transaction: SalvageReport.PartialTransaction) -> JSON {
    var object = JSONObject()
    object.add("number", .integer(transaction.number))
    object.add("rows", .integer(transaction.rowCount))
    return .object(object)
  }

  private static func json(_ entity: SalvageReport.Entity) -> JSON {
    var object = JSONObject()
    object.add("name", .string(entity.name))
    object.add("kept", .integer(entity.keptCount))
    object.add("lost", .integer(entity.lostCount))
    object.add("unseen", .integer(entity.unseenCount))
    object.add("cleared_references", .integer(entity.clearedReferenceCount))
    object.add("links", .integer(entity.linkCount))
    object.add("lost_links", .integer(entity.lostLinkCount))
    return .object(object)
  }
}
