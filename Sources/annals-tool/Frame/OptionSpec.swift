/// One option that a command takes.
struct OptionSpec: Sendable {
  /// Without the dashes.
  let name: String
  let short: Character?
  /// What stands for the value in help; `nil` for a flag.
  let placeholder: String?
  let help: String

  init(_ name: String, short: Character? = nil, value placeholder: String? = nil, _ help: String) {
    self.name = name
    self.short = short
    self.placeholder = placeholder
    self.help = help
  }

  var synopsis: String {
    let long = placeholder.map { "--\(name) \($0)" } ?? "--\(name)"
    return short.map { "-\($0), \(long)" } ?? "    \(long)"
  }

  static let help = OptionSpec("help", short: "h", "Print this help and stop.")
  static let json = OptionSpec("json", "Print JSON, one object a line (see: annals help json).")
}
