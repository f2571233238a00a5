/// `annals help`, `annals help COMMAND`, `annals help TOPIC`, and what `--help` prints.
enum Help {
  static func run(_ words: [String], _ output: Output) throws -> ExitCode {
    guard let topic = words.first(where: { !$0.hasPrefix("-") }) else {
      try overview(output)
      return .fine
    }
    switch topic {
    case "exit-codes": try exitCodes(output)
    case "json": try output.line(jsonText)
    case "help": try overview(output)
    default:
      guard let command = commands.first(where: { $0.spec.name == topic }) else {
        let topics = commands.map { $0.spec.name } + ["exit-codes", "json"]
        throw UsageError("no help on '\(topic)'\(didYouMean(topic, among: topics))")
      }
      try print(command.spec, output)
    }
    return .fine
  }

  static func print(_ spec: CommandSpec, _ output: Output) throws {
    try output.line("annals \(spec.name) [OPTION…] \(spec.arguments.joined(separator: " "))")
    try output.line()
    try output.line(spec.about)
    try output.line()
    try output.line("Options:")
    for option in spec.allOptions { try entry(option.synopsis, option.help, column: 30, output) }
    try output.line()
    try output.line("Exit codes:")
    for (code, meaning) in spec.exitCodes { try entry(String(code.rawValue), meaning, column: 6, output) }
    try output.line()
    try output.line(spec.examples.count == 1 ? "Example:" : "Examples:")
    for example in spec.examples { try output.line("  \(example)") }
  }

  private static func overview(_ output: Output) throws {
    try output.line("annals COMMAND [OPTION…] ARGUMENT")
    try output.line()
    try output.line(
      "Looks into stores that Annals wrote. It never writes to one it reads and takes no lock, so it may be")
    try output.line("used beside a program that is writing. It needs no model file: the store holds its model.")
    try output.line("Beside that, it ports sources from Apple's platforms and generates classes from models.")
    try output.line()
    try output.line("Commands:")
    for command in commands { try entry(command.spec.name, command.spec.summary, column: 12, output) }
    try output.line()
    try output.line("Help:")
    try entry("help", "This text; the same as --help.", column: 12, output)
    try entry("help COMMAND", "Options, exit codes and examples of one command; as COMMAND --help.", column: 12, output)
    try entry("help exit-codes", "What each exit code means.", column: 12, output)
    try entry("help json", "What the lines of --json hold.", column: 12, output)
    try output.line()
    try output.line("Example:")
    try output.line("  annals log --limit 5 Catalogue.sqlite")
  }

  private static func exitCodes(_ output: Output) throws {
    try output.line("Exit codes of annals")
    try output.line()
    for code in ExitCode.allCases { try entry(String(code.rawValue), code.meaning, column: 6, output) }
    try output.line()
    try output.line(
      "info and log answer 0 for a store with a torn tail, and say so on standard error: what they print is")
    try output.line("complete up to the last commit. verify answers 4 for it.")
  }

  private static func entry(_ head: String, _ text: String, column: Int, _ output: Output) throws {
    let padding = String(repeating: " ", count: max(2, column - head.count))
    try output.line("  \(head)\(padding)\(text)")
  }

  private static let jsonText = """
    JSON lines of annals

    With --json every line is one object. Its first members are "schema" (1: the version of these lines) and "kind":
      info           one line of annals info
      transaction    one for each transaction of annals log
      verify         one line of annals verify; its faults come before it, as "fault" lines
      fault          one finding in a store or a model
      salvage        the last line of annals salvage; "fault" lines of what is damaged and "lost" lines, one for each
                     object that is lost, with its "reason", come before it
      model          one line of annals model; "entity" lines follow it
      generated      one line of annals generate: "written", "unchanged" and "others" name files
      change, remark one place that annals port changed, or that is left to do, with its "cure"; "ported" ends them
      error          the last line of a command that failed, with "exit", "message", "path", "offset"
    New members may be added under the same version; members are not renamed or removed.

    Values:
      integers       numbers; strings of digits beyond 9007199254740991 either way, where many readers lose digits
      decimals       strings, exact
      doubles        numbers, the shortest that read back as the same; "NaN", "Infinity" and "-Infinity" are strings
      dates          {"iso":"2026-11-30T09:00:00.000000Z","seconds":S}, S the stored seconds since 2001-01-01 UTC;
                     "iso" is null outside the years 1 to 9999
      binary         {"bytes":N,"base64":"…"}; above 48 bytes {"bytes":N,"xxh3":"…","start":"…"} with the hash of all
                     and the first 24 in base64, unless --full is given; transformable values are shown the same way
      objects        "Entity/ordinal", as in annals log --id
      absent         null
    Formats/json-lines.md defines the order of members and the escapes, for those who compare lines byte for byte.
    """
}
