import RecordStore
import Schema

/// Which transactions `annals log` shows, and which of their changes.
struct LogFilter {
  var since: LogPoint?
  var until: LogPoint?
  var authors: Set<String> = []
  /// Names of entities, those below the ones asked for included.
  var entities: Set<String>?
  var objects: Set<ObjectName> = []
  var operations: Set<InspectedChange.Operation> = []

  /// An object as people name it: "Package/42".
  struct ObjectName: Hashable {
    let entity: String
    let ordinal: UInt64

    init(entity: String, ordinal: UInt64) {
      self.entity = entity
      self.ordinal = ordinal
    }

    init?(_ text: String) {
      guard let slash = text.lastIndex(of: "/"), slash != text.startIndex,
        let ordinal = UInt64(text[text.index(after: slash)...])
      else { return nil }
      self.init(entity: String(text[..<slash]), ordinal: ordinal)
    }
  }

  /// Whether anything was asked for that a store may not hold.
  var isEmpty: Bool { since == nil && until == nil && authors.isEmpty && !filtersChanges }

  var filtersChanges: Bool { entities != nil || !objects.isEmpty || !operations.isEmpty }

  /// No transaction before this one passes.
  var firstNumber: UInt64 {
    if case .number(let number) = since { return max(1, number) }
    return 1
  }

  func takes(_ transaction: InspectedTransaction) -> Bool {
    if let since, !since.isReached(by: transaction) { return false }
    if let until, until.isPassed(by: transaction) { return false }
    if !authors.isEmpty, !authors.contains(transaction.author ?? "") { return false }
    return !filtersChanges || transaction.changes.contains { takes($0) }
  }

  func takes(_ change: InspectedChange) -> Bool {
    if let entities, !entities.contains(change.entity) { return false }
    if !operations.isEmpty, !operations.contains(change.operation) { return false }
    return objects.isEmpty || objects.contains(ObjectName(entity: change.entity, ordinal: change.key.ordinal))
  }
}

extension LogPoint {
  fileprivate func isReached(by transaction: InspectedTransaction) -> Bool {
    switch self {
    case .number(let number): transaction.number >= number
    case .time(let seconds), .day(let seconds): transaction.timestamp >= seconds
    }
  }

  /// A number, a time and a day are all meant inclusively: `--until 2026-11-30` takes that whole day.
  fileprivate func isPassed(by transaction: InspectedTransaction) -> Bool {
    switch self {
    case .number(let number): transaction.number > number
    case .time(let seconds): transaction.timestamp > seconds
    case .day(let seconds): transaction.timestamp >= seconds + 86_400
    }
  }
}
