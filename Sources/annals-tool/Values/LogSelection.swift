import RecordStore
import Schema

/// Which of the transactions that pass the filter are printed, and in which order.
struct LogSelection {
  /// How many of the first, and of the last, are printed.
  private let headMax: Int
  private let tailMax: Int
  private let isReversed: Bool

  init(_ arguments: CommandLineArguments) throws(UsageError) {
    let limit = try arguments.number("limit")
    let first = try arguments.number("first")
    let last = try arguments.number("last")
    isReversed = arguments.has("reverse")
    if isReversed || limit != nil, first != nil || last != nil {
      throw arguments.fault("--first and --last cannot be combined with --limit and --reverse")
    }
    if isReversed {
      headMax = 0
      tailMax = limit ?? Int.max
    } else {
      headMax = first ?? limit ?? (last == nil ? Int.max : 0)
      tailMax = last ?? 0
    }
  }

  /// Prints them, and returns how many there were.
  ///
  /// What is printed oldest first and without changes streams. Otherwise the log is read twice: once to find which
  /// transactions are shown, then again, keeping the values that their updates replace. Memory grows with what is
  /// printed, not with the log.
  func print(_ printer: TransactionPrinter) throws -> Int {
    if printer.verbosity == 0, tailMax == 0 { return try stream(printer) }
    let chosen = try choose(printer)
    guard let lowest = chosen.numbers.first, let highest = chosen.numbers.last else { return 0 }
    var values = PreviousValues(of: chosen.keys)
    var held: [String] = []
    var rest = chosen.numbers[...]
    try printer.store.inspection.forEachTransaction(after: chosen.keys.isEmpty ? lowest - 1 : 0) { transaction in
      if transaction.number == rest.first {
        rest.removeFirst()
        if transaction.number == chosen.firstOfTail, !printer.output.isJSON {
          try printer.output.line(printer.output.styled("… \(chosen.leftOut) more …", .faint))
        }
        let text = try printer.text(of: transaction, previous: values)
        if isReversed { held.append(text) } else { try printer.output.line(text) }
      }
      values.advance(by: transaction)
      return transaction.number < highest
    }
    for text in held.reversed() { try printer.output.line(text) }
    return chosen.numbers.count
  }

  private func stream(_ printer: TransactionPrinter) throws -> Int {
    var count = 0
    guard headMax > 0 else { return 0 }
    try printer.store.inspection.forEachTransaction(after: printer.filter.firstNumber - 1) { transaction in
      guard printer.filter.takes(transaction) else { return true }
      try printer.output.line(printer.text(of: transaction, previous: PreviousValues(of: [])))
      count += 1
      return count < headMax
    }
    return count
  }

  private struct Choice {
    /// Ascending.
    var numbers: [UInt64] = []
    /// Objects whose earlier values are to be shown.
    var keys: Set<ObjectKey> = []
    /// How many lie between the first and the last ones, and where the last ones begin.
    var leftOut = 0
    var firstOfTail: UInt64?
  }

  private func choose(_ printer: TransactionPrinter) throws -> Choice {
    var matched = 0
    var head: [(number: UInt64, keys: [ObjectKey])] = []
    var tail: [(number: UInt64, keys: [ObjectKey])] = []
    try printer.store.inspection.forEachTransaction(after: printer.filter.firstNumber - 1) { transaction in
      guard headMax > 0 || tailMax > 0 else { return false }
      guard printer.filter.takes(transaction) else { return true }
      matched += 1
      let entry = (number: transaction.number, keys: printer.keysOfReplacedValues(transaction))
      if head.count < headMax {
        head.append(entry)
      } else {
        tail.append(entry)
        // Twice the size before trimming, so that trimming costs little for each.
        if tail.count / 2 >= tailMax { tail.removeFirst(tail.count - tailMax) }
      }
      return head.count < headMax || tailMax > 0
    }
    if tail.count > tailMax { tail.removeFirst(tail.count - tailMax) }
    var choice = Choice()
    choice.numbers = head.map(\.number) + tail.map(\.number)
    for entry in head + tail { choice.keys.formUnion(entry.keys) }
    choice.leftOut = matched - head.count - tail.count
    if choice.leftOut > 0, !head.isEmpty { choice.firstOfTail = tail.first?.number }
    return choice
  }
}

/// What some objects' values were before the transaction that is being looked at.
struct PreviousValues {
  private let keys: Set<ObjectKey>
  private var values: [ObjectKey: [String: Value]] = [:]

  init(of keys: Set<ObjectKey>) {
    self.keys = keys
  }

  /// By property name; `nil` where the log no longer tells.
  subscript(key: ObjectKey) -> [String: Value]? { values[key] }

  mutating func advance(by transaction: InspectedTransaction) {
    guard !keys.isEmpty else { return }
    for change in transaction.changes where keys.contains(change.key) {
      if change.operation == .delete {
        values[change.key] = nil
      } else if let written = change.values {
        values[change.key] = Dictionary(written.map { ($0.name, $0.value) }) { $1 }
      }
    }
  }
}
