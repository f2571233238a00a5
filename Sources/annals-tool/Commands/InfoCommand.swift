import RecordStore
import Schema

/// `annals info`: what a store is and holds, at a glance.
enum InfoCommand: Command {
  static let spec = CommandSpec(
    name: "info", summary: "What a store is and holds: format, schema, counts, size, state.", arguments: ["STORE"],
    about: """
      Prints the format version and identity of the store in the directory STORE, its first and last transactions,
      the schema that is kept in it with the number of objects of each entity, its size by segment, and whether it
      was closed cleanly, ends in a torn tail or is damaged.
      """,
    options: [],
    exitCodes: [
      (.fine, "printed; a torn tail is mentioned"), (.usage, "bad command line"), (.cannotOpen, "cannot be opened"),
      (.damaged, "damaged: what is printed holds up to the damage"), (.newerFormat, "format newer than this program"),
    ],
    examples: ["annals info Catalogue.sqlite", "annals info --json Catalogue.sqlite | jq .entities"])

  static func run(_ arguments: CommandLineArguments, _ output: Output) throws -> ExitCode {
    let store = try OpenStore(arguments.only("STORE"))
    let info = try store.inspection.info()
    if output.isJSON {
      try output.line(json(info, store))
    } else {
      try printText(info, store, output)
    }
    return try store.reportEnd(output)
  }

  // MARK: Text

  private static func printText(_ info: StoreInfo, _ store: OpenStore, _ output: Output) throws {
    func line(_ name: String, _ text: String) throws {
      try output.line(name + String(repeating: " ", count: max(1, 14 - name.count)) + text)
    }
    try line("store", store.path)
    try line("format", info.formatVersion)
    try line("identifier", info.identifier.uuidString)
    try line("transactions", String(info.transactionCount))
    if let first = info.firstTransaction { try line("first", text(first)) }
    if let last = info.lastTransaction { try line("last", text(last)) }
    let total = info.segments.reduce(0 as UInt64) { $0 &+ $1.sizeBytes }
    try line("size", "\(total) bytes in \(ValueFormatter.count(info.segments.count, "segment"))")
    for segment in info.segments { try output.line("  \(segment.fileName)  \(segment.sizeBytes) bytes") }
    for tail in info.tornTails {
      try line("cut off", "\(tail.sizeBytes) bytes of an unfinished record, kept in \(tail.fileName)")
    }
    for checkpoint in info.checkpoints {
      let size = checkpoint.sizeBytes.map { "\($0) bytes, " } ?? ""
      let state = checkpoint.fault.map { "not used: \($0)" } ?? "as of record \(checkpoint.number)"
      try line("checkpoint", "\(checkpoint.fileName)  \(size)\(state)")
    }
    try line("rows", "\(info.liveRowBytes) bytes live, \(info.historyRowBytes) bytes in history only (unpacked)")
    try line("state", stateText(store.inspection.recovery))
    for (name, value) in info.metadata.sorted(by: { $0.key < $1.key }) {
      try line("metadata", "\(ValueFormatter.escaped(name)) = \"\(ValueFormatter.escaped(value))\"")
    }
    let printer = SchemaPrinter(info.schema)
    for entity in info.entities {
      try output.line()
      let counts = "\(ValueFormatter.count(entity.liveCount, "object")), \(entity.insertedCount) ever inserted"
      guard let described = info.schema.entity(named: entity.name) else {
        try output.line("\(entity.name), no longer in the schema  \(counts)")
        continue
      }
      try output.line("\(printer.headline(described))  \(counts)")
      for text in printer.lines(described) { try output.line("  \(text)") }
    }
  }

  private static func text(_ transaction: StoreInfo.Transaction) -> String {
    let author = transaction.author.map { " by \(ValueFormatter.escaped($0))" } ?? ""
    return "\(transaction.number) at \(TimeText.short(transaction.timestamp))\(author)"
  }

  private static func stateText(_ recovery: InspectedRecovery) -> String {
    if recovery.damage != nil { return "damaged" }
    if recovery.tornBytes > 0 { return "torn tail of \(recovery.tornBytes) bytes; complete up to the last transaction" }
    return recovery.closedCleanly ? "closed cleanly" : "not closed: in use, or its last writer was killed; complete"
  }

  // MARK: JSON

  private static func json(_ info: StoreInfo, _ store: OpenStore) -> JSONObject {
    var object = JSONObject(kind: "info")
    object.add("path", .string(store.path))
    object.add("format", .string(info.formatVersion))
    object.add("identifier", .string(info.identifier.uuidString))
    object.add("transactions", .integer(info.transactionCount))
    object.add("first", json(info.firstTransaction))
    object.add("last", json(info.lastTransaction))
    object.add("bytes", .integer(info.segments.reduce(0 as UInt64) { $0 &+ $1.sizeBytes }))
    object.add("segments", .array(info.segments.map(json)))
    object.add("torn_tails", .array(info.tornTails.map(json)))
    object.add("checkpoints", .array(info.checkpoints.map(json)))
    object.add("live_row_bytes", .integer(info.liveRowBytes))
    object.add("history_row_bytes", .integer(info.historyRowBytes))
    addState(store.inspection.recovery, to: &object)
    var metadata = JSONObject()
    for (name, value) in info.metadata.sorted(by: { $0.key < $1.key }) { metadata.add(name, .string(value)) }
    object.add("metadata", .object(metadata))
    object.add("entities", .array(info.entities.map { json($0, info.schema) }))
    return object
  }

  private static func json(_ transaction: StoreInfo.Transaction?) -> JSON {
    guard let transaction else { return .null }
    var object = JSONObject()
    object.add("number", .integer(transaction.number))
    object.add("time", TimeText.json(transaction.timestamp))
    object.add("author", .text(transaction.author))
    return .object(object)
  }

  private static func json(_ segment: StoreInfo.Segment) -> JSON {
    var object = JSONObject()
    object.add("file", .string(segment.fileName))
    object.add("bytes", .integer(segment.sizeBytes))
    return .object(object)
  }

  private static func json(_ checkpoint: StoreInfo.Checkpoint) -> JSON {
    var object = JSONObject()
    object.add("file", .string(checkpoint.fileName))
    object.add("record", .integer(checkpoint.number))
    object.add("bytes", checkpoint.sizeBytes.map { .integer($0) } ?? .null)
    object.add("fault", .text(checkpoint.fault))
    return .object(object)
  }

  private static func addState(_ recovery: InspectedRecovery, to object: inout JSONObject) {
    let state =
      recovery.damage != nil
      ? "damaged" : recovery.tornBytes > 0 ? "torn-tail" : recovery.closedCleanly ? "closed" : "open"
    object.add("state", .string(state))
    object.add("torn_bytes", .integer(recovery.tornBytes))
  }

  private static func json(_ entity: StoreInfo.Entity, _ schema: Schema) -> JSON {
    var object = JSONObject()
    object.add("name", .string(entity.name))
    object.add("number", .integer(entity.number))
    object.add("objects", .integer(entity.liveCount))
    object.add("inserted", .integer(entity.insertedCount))
    if let described = schema.entity(named: entity.name) { SchemaPrinter(schema).add(described, to: &object) }
    return .object(object)
  }
}
