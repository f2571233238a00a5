import LogStore
import Schema

extension StoreError {
  /// What the log reports, in the words and codes of the store.
  init(_ error: LogError) {
    if error.code == .stoppedByVisitor, let cause = error.cause as? StoreError {
      self = cause
      return
    }
    self.init(
      Self.code(of: error.code), error.message, path: error.path, offsetBytes: error.offsetBytes,
      processID: error.processID, errorNumber: error.errorNumber, underlying: error)
  }

  /// - Parameter error: of a call that throws `LogError` and whatever its closure throws.
  init(any error: any Error) {
    switch error {
    case let error as StoreError: self = error
    case let error as LogError: self.init(error)
    default: self.init(.inputOutput, "The store's log failed: \(error)", underlying: error)
    }
  }

  private static func code(of code: LogError.Code) -> StoreError.Code {
    switch code {
    case .notALog: .notAStore
    case .locked: .locked
    case .lockUnsupported: .unsupported
    case .readOnly, .permissionDenied: .readOnly
    case .noSpace: .noSpace
    case .damaged, .invalidAddress: .damaged
    case .newerFormat: .newerFormat
    case .closedAfterFailure, .closed: .closedAfterFailure
    case .limitExceeded: .limitExceeded
    case .inputOutput: .inputOutput
    default: .cannotOpen
    }
  }
}
