import Annals
import Foundation

@main
enum Main {
  static let usage = """
    catalogue: the machine's package catalogue, kept in an Annals store

      catalogue import [--store DIR] [FILE…]      bring it up to Debian's package indexes
      catalogue search WORD [--section S] [--largest N] [--format table|json]
      catalogue show NAME                         one package, what it needs and what needs it
      catalogue changes [--since TOKEN|DATE]      what the last imports changed

    `catalogue COMMAND --help` says more. Exit codes: 0 fine, 1 an error, 2 a command line that makes no sense.
    """

  private static let commands: [String: (usage: String, run: @Sendable ([String]) throws -> Void)] = [
    "import": (ImportCommand.usage, ImportCommand.run),
    "search": (SearchCommand.usage, SearchCommand.run),
    "show": (ShowCommand.usage, ShowCommand.run),
    "changes": (ChangesCommand.usage, ChangesCommand.run),
  ]

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard let name = arguments.first, name != "--help", name != "-h", name != "help" else {
      print(usage)
      exit(arguments.isEmpty ? 2 : 0)
    }
    guard let command = commands[name] else {
      fail("catalogue: unknown command \(name)\n\n\(usage)", status: 2)
    }
    if arguments.contains("--help") {
      print(command.usage)
      return
    }
    do {
      try command.run(Array(arguments.dropFirst()))
    } catch let error as UsageError {
      fail("catalogue \(name): \(error.message)\n\n\(command.usage)", status: 2)
    } catch {
      fail("catalogue \(name): \(error.localizedDescription)", status: 1)
    }
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(status)
  }
}
