public import Foundation

/// Why a history token can't be used: what lies under `NSPersistentHistoryTokenExpiredError`.
///
/// After any of them: refresh what is shown, drop the token, and go on from a fresh one.
public enum HistoryTokenError: Error, Sendable, Hashable {
  /// The transactions after the token's were deleted up to one; `oldest` is the number of the oldest that is kept.
  case expired(store: String, number: UInt64, oldest: UInt64)
  /// The token was made for other stores than the open ones.
  case otherStore(tokenStores: [String], openStores: [String])
  /// The token is ahead of the store, which was probably replaced by an older copy of itself.
  case fromTheFuture(store: String, number: UInt64, newest: UInt64)
}

extension HistoryTokenError: LocalizedError {
  public var errorDescription: String? {
    let remedy = "Refresh what is shown, drop the token, and go on from the current one."
    switch self {
    case .expired(let store, let number, let oldest):
      return
        "The history token is expired: it stands at transaction \(number) of the store \(store), whose oldest kept transaction is \(oldest). \(remedy)"
    case .otherStore(let tokenStores, let openStores):
      return
        "The history token was made for the store \(tokenStores.joined(separator: ", ")); open is \(openStores.joined(separator: ", ")). \(remedy)"
    case .fromTheFuture(let store, let number, let newest):
      return
        "The history token is from the future: it stands at transaction \(number) of the store \(store), whose newest is \(newest); the store was replaced by an older copy. \(remedy)"
    }
  }
}
