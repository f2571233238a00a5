/// What stands on the command line after the command: options with values, flags, and the rest in order.
struct Arguments {
  private(set) var values: [String: String] = [:]
  private(set) var flags: Set<String> = []
  private(set) var positional: [String] = []

  init(_ arguments: [String], options: Set<String>, flags known: Set<String> = []) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        positional += rest
        break
      }
      guard argument.hasPrefix("--") else {
        positional.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      if known.contains(argument) {
        flags.insert(argument)
      } else if options.contains(parts[0]) {
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
          throw UsageError("\(parts[0]) needs a value")
        }
        values[parts[0]] = value
      } else {
        throw UsageError("unknown option \(parts[0])")
      }
    }
  }

  func number(_ option: String) throws -> Int? {
    guard let text = values[option] else { return nil }
    guard let number = Int(text), number > 0 else {
      throw UsageError("\(option) needs a number above 0, found \"\(text)\"")
    }
    return number
  }
}

struct UsageError: Error {
  let message: String
  init(_ message: String) { self.message = message }
}
