import Porting

/// `annals port`: sources of Apple's platforms, made to compile on Linux as well.
enum PortCommand: Command {
  static let spec = CommandSpec(
    name: "port", summary: "Ports Swift sources from Apple's platforms, so that both compile them.",
    arguments: ["PATH…"],
    about: """
      Changes the Swift files named, and those in the folders named, so that they compile on Linux and go on compiling
      on Apple's platforms: @objc, @objc(Name) and @objcMembers go, #keyPath becomes its string, #selector of a
      comparison a selector by name, casts of fetch requests the request that was meant, init(entity:insertInto:)
      required. Every change is printed as FILE:LINE:COLUMN: WHAT. What has to be done by hand is printed the same way,
      with the cure. Strings, comments and what conditions keep from Linux are left alone; a second run changes
      nothing. Give all files of a module at once: a name in one may decide about another.
      """,
    options: [
      OptionSpec("dry-run", short: "n", "Print the changes as a diff, and write nothing."),
      OptionSpec("guard", "Keep @objc in #if canImport(ObjectiveC) where programs on Apple's platforms need it."),
    ],
    exitCodes: [
      (.fine, "ported; nothing is left to do by hand"), (.differs, "something has to be done by hand"),
      (.usage, "bad command line"), (.cannotOpen, "a file cannot be read or written, or is not in UTF-8"),
    ],
    examples: ["annals port --dry-run Sources/App | less", "annals port --guard Sources/App Tests/AppTests"])

  static func run(_ arguments: CommandLineArguments, _ output: Output) throws -> ExitCode {
    guard !arguments.positional.isEmpty else { throw arguments.fault("PATH is missing") }
    let isDryRun = arguments.has("dry-run")
    let options = Porter.Options(guardsAttributes: arguments.has("guard"))
    let files: [PortedFile]
    do throws(PortingError) {
      files = try port(arguments.positional, options)
    } catch {
      throw ToolFailure(.cannotOpen, error.description, path: error.path)
    }
    for file in files { try report(file, isDryRun: isDryRun, output) }
    return try summarise(files, isDryRun: isDryRun, isGuarded: options.guardsAttributes, output)
  }

  /// All files are read before any is written: one that can't be read leaves all as they are.
  private static func port(_ paths: [String], _ options: Porter.Options) throws(PortingError) -> [PortedFile] {
    var sources: [(path: String, bytes: [UInt8])] = []
    for path in try SourceFiles.find(paths) { sources.append((path, try SourceFiles.read(path))) }
    return Porter.port(sources, options: options)
  }

  private static func report(_ file: PortedFile, isDryRun: Bool, _ output: Output) throws {
    if !isDryRun, file.isChanged {
      do throws(PortingError) {
        try SourceFiles.write(file.ported, to: file.path)
      } catch {
        throw ToolFailure(.cannotOpen, error.description, path: error.path)
      }
    }
    if output.isJSON {
      for note in file.notes { try output.line(json(of: note)) }
      return
    }
    if isDryRun {
      var diff = UnifiedDiff.text(path: file.path, from: file.original, to: file.ported)
      if diff.hasSuffix("\n") { diff.removeLast() }
      if !diff.isEmpty { try output.line(diff) }
    }
    for note in file.notes {
      switch note.kind {
      case .change where isDryRun: break
      case .change: try output.line(note.description)
      // The diff stays one that can be applied.
      case .remark where isDryRun: try output.note(note.description)
      case .remark: try output.line(output.styled(note.description, .bad))
      }
    }
  }

  private static func json(of note: PortingNote) -> JSONObject {
    var object = JSONObject(kind: note.kind == .change ? "change" : "remark")
    object.add("path", .string(note.path))
    object.add("line", .integer(note.line))
    object.add("column", .integer(note.column))
    object.add("what", .string(note.what))
    object.add("cure", note.kind == .change ? .null : .string(note.cure))
    return object
  }

  private static func summarise(
    _ files: [PortedFile], isDryRun: Bool, isGuarded: Bool, _ output: Output
  ) throws -> ExitCode {
    let notes = files.flatMap(\.notes)
    let remarks = notes.count { $0.kind == .remark }
    let changes = notes.count - remarks
    let changedFiles = files.count { $0.isChanged }
    if output.isJSON {
      var object = JSONObject(kind: "ported")
      object.add("files", .integer(files.count))
      object.add("changed_files", .integer(changedFiles))
      object.add("changes", .integer(changes))
      object.add("remarks", .integer(remarks))
      object.add("written", .bool(!isDryRun))
      try output.line(object)
    } else {
      let verb = isDryRun ? " to make" : ""
      let text =
        "\(ValueFormatter.count(changes, "change"))\(verb) in \(changedFiles) of \(ValueFormatter.count(files.count, "file"))"
        + (remarks == 0 ? "" : ", \(ValueFormatter.count(remarks, "place")) to port by hand")
      if isDryRun { try output.note(text) } else { try output.line(text) }
    }
    let weakened = notes.count { $0.weakensApple }
    if weakened > 0, !isGuarded {
      try output.note(
        "\(ValueFormatter.count(weakened, "attribute")) taken out had a meaning for running programs on Apple's platforms, such as the name that Core Data finds a class or an accessor by; if these files are used there, port with --guard, which keeps them"
      )
    }
    return remarks == 0 ? .fine : .differs
  }
}
