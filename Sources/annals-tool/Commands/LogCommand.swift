import RecordStore
import Schema

/// `annals log`: the transactions of a store.
enum LogCommand: Command {
  static let spec = CommandSpec(
    name: "log", summary: "The transactions of a store, with filters; what each changed.", arguments: ["STORE"],
    about: """
      Prints one line for each transaction in the store directory STORE, oldest first: its number, time in UTC,
      author, name of the context and process that made it, how many objects it inserted (+), updated (~), deleted (-)
      and how many rows the store wrote again for a derived value (=), its bytes, and its place in the log.

      POINT is a transaction number, a date in UTC (2026-11-30, 2026-11-30T09:00:00Z) or an age (90s, 15m, 2h, 3d,
      1w). Filters of one kind add up, filters of different kinds narrow. The counts are always of the whole
      transaction; -v lists the changes that pass the filters.
      """,
    options: [
      OptionSpec("limit", short: "n", value: "N", "Stop after N transactions."),
      OptionSpec("reverse", "Newest first. What is printed is held in memory."),
      OptionSpec("first", value: "N", "The first N transactions; with --last, those and the last ones."),
      OptionSpec("last", value: "N", "The last N transactions, oldest of them first."),
      OptionSpec("since", value: "POINT", "From this transaction or time on."),
      OptionSpec("until", value: "POINT", "Up to this transaction, time or whole day."),
      OptionSpec("entity", value: "E", "Only transactions that changed E or an entity below it (repeatable)."),
      OptionSpec("id", value: "E/N", "Only those that changed this object (repeatable)."),
      OptionSpec("author", value: "A", "Only those of this author (repeatable); empty: of none."),
      OptionSpec("op", value: "OP", "Only those that did this: insert, update or delete (repeatable)."),
      OptionSpec("verbose", short: "v", "The changes of each; -vv: the frame of each record and its first bytes."),
      OptionSpec("full", "Long strings and binary values whole."),
    ],
    exitCodes: [
      (.fine, "printed; a torn tail is mentioned"), (.differs, "filters were given and nothing matched"),
      (.usage, "bad command line"), (.cannotOpen, "cannot be opened"),
      (.damaged, "damaged: what is printed ends before the damage"), (.newerFormat, "format newer than this program"),
    ],
    examples: [
      "annals log --first 3 --last 3 Catalogue.sqlite",
      "annals log -v --since 2h --entity Package --op delete Catalogue.sqlite",
      "annals log --json -v --id Package/42 Catalogue.sqlite",
    ])

  static func run(_ arguments: CommandLineArguments, _ output: Output) throws -> ExitCode {
    let path = try arguments.only("STORE")
    let selection = try LogSelection(arguments)
    var filter = try filter(arguments)
    let store = try OpenStore(path)
    try resolveEntities(&filter, arguments, store)
    let printer = TransactionPrinter(
      store: store, filter: filter, formatter: store.formatter(isFull: arguments.has("full")),
      verbosity: arguments.count("verbose"), output: output)
    let count = try selection.print(printer)
    let code = try store.reportEnd(output)
    return code == .fine && count == 0 && !filter.isEmpty ? .differs : code
  }

  /// All of the filter that the command line alone can tell.
  private static func filter(_ arguments: CommandLineArguments) throws -> LogFilter {
    var filter = LogFilter()
    filter.since = try point("since", arguments)
    filter.until = try point("until", arguments)
    filter.authors = Set(arguments.all("author"))
    for text in arguments.all("op") {
      guard text != "derive", let operation = InspectedChange.Operation(rawValue: text) else {
        let hint = didYouMean(text, among: ["insert", "update", "delete"])
        throw arguments.fault("--op takes insert, update or delete, not '\(text)'\(hint)")
      }
      filter.operations.insert(operation)
    }
    for text in arguments.all("id") {
      guard let name = LogFilter.ObjectName(text) else {
        throw arguments.fault("--id takes an entity and a number, as in Package/42, not '\(text)'")
      }
      filter.objects.insert(name)
    }
    return filter
  }

  private static func point(_ option: String, _ arguments: CommandLineArguments) throws -> LogPoint? {
    guard let text = try arguments.value(option) else { return nil }
    guard let point = LogPoint(text) else {
      throw arguments.fault("--\(option) takes \(LogPoint.syntax), not '\(text)'")
    }
    return point
  }

  /// Entity names mean the entities below them too; one that the store does not have is told with what it has.
  private static func resolveEntities(
    _ filter: inout LogFilter, _ arguments: CommandLineArguments, _ store: OpenStore
  ) throws {
    let schema = store.inspection.schema
    let known = schema.entities.map(\.name)
    let asked = arguments.all("entity")
    for name in asked + filter.objects.map(\.entity) where schema.entity(named: name) == nil {
      // An entity that an earlier schema had may still be in the log, under the name it had.
      guard !store.knowsFormerEntity(name) else { continue }
      throw arguments.fault("the store has no entity '\(name)'\(didYouMean(name, among: known))")
    }
    guard !asked.isEmpty else { return }
    var names = Set(asked)
    for name in asked {
      guard let entity = schema.entity(named: name) else { continue }
      names.formUnion(schema.descendants[entity.index].map { schema.entities[$0].name })
    }
    filter.entities = names
  }
}
