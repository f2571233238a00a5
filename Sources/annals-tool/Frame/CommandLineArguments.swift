/// A command line taken apart by a command's specification.
///
/// Long options take their value as `--name value` or `--name=value`, short ones as `-n value`; short flags may be
/// repeated or joined (`-vv`). `--` ends the options. A value that looks like an option must use the `=` form.
struct CommandLineArguments {
  private(set) var positional: [String] = []
  private var values: [String: [String]] = [:]
  private var counts: [String: Int] = [:]
  private let spec: CommandSpec

  init(_ words: [String], spec: CommandSpec) throws(UsageError) {
    self.spec = spec
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        positional += rest
        break
      } else if word.hasPrefix("--") {
        try takeLong(word.dropFirst(2), &rest)
      } else if word.hasPrefix("-"), word.count > 1 {
        try takeShort(word.dropFirst(), &rest)
      } else {
        positional.append(word)
      }
    }
  }

  var asksForHelp: Bool { has("help") }
  var wantsJSON: Bool { has("json") }

  func has(_ name: String) -> Bool { count(name) > 0 }
  func count(_ name: String) -> Int { counts[name] ?? 0 }
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The value of an option that may be given once.
  func value(_ name: String) throws(UsageError) -> String? {
    let given = all(name)
    guard given.count <= 1 else { throw fault("--\(name) is given \(given.count) times; once is enough") }
    return given.first
  }

  func number(_ name: String) throws(UsageError) -> Int? {
    guard let text = try value(name) else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw fault("--\(name) takes a number of 0 or more, not '\(text)'")
    }
    return number
  }

  /// The one positional argument, named as help names it.
  func only(_ name: String) throws(UsageError) -> String {
    guard let first = positional.first else { throw fault("\(name) is missing") }
    guard !first.isEmpty else { throw fault("\(name) is empty") }
    guard positional.count == 1 else {
      throw fault("one \(name) is expected; '\(positional[1])' is one argument too many")
    }
    return first
  }

  func fault(_ message: String) -> UsageError { UsageError(message, command: spec.name) }

  private mutating func takeLong(_ word: Substring, _ rest: inout ArraySlice<String>) throws(UsageError) {
    let equals = word.firstIndex(of: "=")
    let name = String(word[..<(equals ?? word.endIndex)])
    guard let option = spec.allOptions.first(where: { $0.name == name }) else {
      let known = spec.allOptions.map { "--\($0.name)" }
      throw fault("unknown option '--\(name)'\(didYouMean("--\(name)", among: known))")
    }
    let attached = equals.map { String(word[word.index(after: $0)...]) }
    if option.placeholder == nil, attached != nil { throw fault("--\(name) takes no value") }
    try take(option, attached: attached, &rest)
  }

  private mutating func takeShort(_ letters: Substring, _ rest: inout ArraySlice<String>) throws(UsageError) {
    var letters = letters
    while let letter = letters.popFirst() {
      guard let option = spec.allOptions.first(where: { $0.short == letter }) else {
        throw fault("unknown option '-\(letter)'")
      }
      let takesRest = option.placeholder != nil && !letters.isEmpty
      try take(option, attached: takesRest ? String(letters) : nil, &rest)
      if takesRest { return }
    }
  }

  private mutating func take(
    _ option: OptionSpec, attached: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    guard let placeholder = option.placeholder else {
      counts[option.name, default: 0] += 1
      return
    }
    if let attached {
      values[option.name, default: []].append(attached)
    } else if let next = rest.first, !next.hasPrefix("--") {
      values[option.name, default: []].append(next)
      rest.removeFirst()
    } else {
      throw fault("--\(option.name) needs a value: --\(option.name) \(placeholder)")
    }
  }
}
