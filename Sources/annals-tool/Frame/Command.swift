/// What help says of a command, and what its command line may hold.
struct CommandSpec: Sendable {
  let name: String
  /// One line, for the list of commands.
  let summary: String
  /// What stands after the options: "STORE".
  let arguments: [String]
  let about: String
  let options: [OptionSpec]
  let exitCodes: [(ExitCode, String)]
  let examples: [String]

  var allOptions: [OptionSpec] { options + [.json, .help] }
}

/// One subcommand: a file in Commands/.
protocol Command {
  static var spec: CommandSpec { get }
  static func run(_ arguments: CommandLineArguments, _ output: Output) throws -> ExitCode
}

/// Every subcommand, in the order that help lists them.
var commands: [any Command.Type] {
  [
    InfoCommand.self, LogCommand.self, VerifyCommand.self, SalvageCommand.self, ModelCommand.self,
    GenerateCommand.self, PortCommand.self,
  ]
}
