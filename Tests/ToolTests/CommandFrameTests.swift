import Foundation
import Testing

@Suite("The command line of annals")
struct CommandFrameTests {
  static let commands = ["info", "log", "verify", "salvage", "model", "generate", "port"]

  @Test("every command explains itself: what it does, options, exit codes, an example", arguments: commands)
  func commandHelp(command: String) throws {
    for words in [[command, "--help"], [command, "-h"], ["help", command]] {
      let result = try Tool.run(words)
      #expect(result.status == 0)
      #expect(result.errors.isEmpty)
      for part in ["annals \(command) ", "Options:", "--json", "--help", "Exit codes:", "Example"] {
        #expect(result.output.contains(part), "\(words) says nothing of \(part)")
      }
    }
  }

  @Test("help lists every command and stays within 120 columns", arguments: commands)
  func overview(command: String) throws {
    for words in [["help"], ["--help"], ["-h"]] {
      let result = try Tool.run(words)
      #expect(result.status == 0)
      #expect(result.output.contains("\n  \(command) "))
    }
    for line in try Tool.run("help", command).lines { #expect(line.count <= 120) }
  }

  @Test("help exit-codes documents every code", arguments: [0, 1, 2, 3, 4, 5, 6, 7, 130])
  func exitCodes(code: Int) throws {
    let result = try Tool.run("help", "exit-codes")
    #expect(result.lines.contains { $0.hasPrefix("  \(code) ") })
  }

  @Test(
    "a bad command line is exit code 2, names the word and suggests the one that was meant",
    arguments: [
      (["lgo", "x"], "unknown command 'lgo'; did you mean 'log'?"),
      (["frobnicate"], "unknown command 'frobnicate'"),
      (["--jsn"], "unknown option '--jsn'"),
      (["log", "--limt", "3", "x"], "unknown option '--limt'; did you mean '--limit'?"),
      (["log", "--limit", "many", "x"], "--limit takes a number of 0 or more, not 'many'"),
      (["log", "--limit", "-5", "x"], "--limit takes a number of 0 or more, not '-5'"),
      (["log", "--limit", "99999999999999999999", "x"], "--limit takes a number"),
      (["log", "--limit"], "--limit needs a value"),
      (["log", "--since", "yesterday-ish", "x"], "--since takes a transaction number"),
      (["log", "--since", "2026-02-30", "x"], "--since takes a transaction number"),
      (["log", "--op", "upsert", "x"], "--op takes insert, update or delete"),
      (["log", "-q", "x"], "unknown option '-q'"),
      (["verify", "--quick=yes", "x"], "--quick takes no value"),
      (["verify", "--quick", "--deep", "x"], "--quick and --deep"),
      (["info"], "STORE is missing"),
      (["info", ""], "STORE is empty"),
      (["info", "a", "b"], "'b' is one argument too many"),
      (["model"], "FILE is missing"),
      (["help", "lgo"], "no help on 'lgo'; did you mean 'log'?"),
      ([], "a command is missing"),
    ] as [([String], String)])
  func badCommandLine(words: [String], message: String) throws {
    let result = try Tool.run(words)
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.errors.contains("Try: annals help"))
  }

  @Test("with --json an error is also a line of kind error, so that a reader of the lines learns of it")
  func errorLine() throws {
    let result = try Tool.run("info", "--json", "/nowhere/at/all")
    #expect(result.status == 3)
    let line = try #require(try result.objects().last)
    #expect(line["schema"] as? Int == 1)
    #expect(line["kind"] as? String == "error")
    #expect(line["exit"] as? Int == 3)
    #expect((line["message"] as? String)?.contains("/nowhere/at/all") == true)
    #expect(result.errors.contains("/nowhere/at/all"))
  }

  @Test("a reader that goes away early is no error")
  func brokenPipe() throws {
    // The writer must outlast the reader: `true` reads nothing and is gone before the help is written.
    let result = try Tool.shell(#"{ sleep 0.2; "$ANNALS" help; echo "status $?" >&2; } | true"#)
    #expect(result.errors == "status 0\n")
  }

  @Test("an output that cannot be written is told", .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func fullDisk() throws {
    let result = try Tool.shell(#""$ANNALS" help > /dev/full"#)
    #expect(result.status == 3)
    #expect(result.errors.contains("the output cannot be written"))
  }

  @Test("no colours outside a terminal")
  func noColours() throws {
    try withTemporaryDirectory { directory in
      let result = try Tool.run("model", Self.brokenModel(in: directory))
      #expect(result.output.contains("error: "))
      #expect(!result.output.contains("\u{1B}"))
    }
  }

  @Test(
    "colours on a terminal, unless NO_COLOR is set",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "needs script, of util-linux"))
  func colours() throws {
    try withTemporaryDirectory { directory in
      let line = #"TERM=xterm script -qec '"$ANNALS" model "$FILE"' /dev/null < /dev/null"#
      let file = try Self.brokenModel(in: directory)
      let coloured = try Tool.shell(line, environment: ["FILE": file, "NO_COLOR": ""])
      #expect(coloured.output.contains("\u{1B}[1;31m"))
      let plain = try Tool.shell(line, environment: ["FILE": file, "NO_COLOR": "1"])
      #expect(plain.output.contains("error: "))
      #expect(!plain.output.contains("\u{1B}"))
    }
  }

  private static func brokenModel(in directory: URL) throws -> String {
    let file = directory.appendingPathComponent("contents")
    try Data("no model".utf8).write(to: file)
    return file.path
  }
}
