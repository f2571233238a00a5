public import Foundation

/// Asks a coordinator's stores for what happened to them: give it to a context's `execute(_:)`.
public final class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
  /// From where on.
  enum Start {
    case token(NSPersistentHistoryToken?)
    case date(Date)
    case transaction(NSPersistentHistoryTransaction?)
  }

  enum Verb { case fetch, delete }

  private(set) var start: Start = .token(nil)
  private(set) var verb: Verb = .fetch

  /// What to return.
  public var resultType: NSPersistentHistoryResultType = .transactionsAndChanges
  /// Which transactions or changes to return, by a request for `NSPersistentHistoryTransaction.entityDescription` or
  /// `NSPersistentHistoryChange.entityDescription`.
  public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

  /// The token that the request starts after, if it was made with one.
  public var token: NSPersistentHistoryToken? {
    if case .token(let token) = start { return token }
    return nil
  }

  public override var requestType: NSPersistentStoreRequestType { .persistentHistoryRequestType }

  /// History after a token; from the beginning with `nil`.
  public class func fetchHistory(after token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
    make(.fetch, .token(token))
  }

  /// History after a time, by the clocks of the machines that wrote it.
  public class func fetchHistory(after date: Date) -> NSPersistentHistoryChangeRequest { make(.fetch, .date(date)) }

  /// History after a transaction; from the beginning with `nil`.
  public class func fetchHistory(
    after transaction: NSPersistentHistoryTransaction?
  ) -> NSPersistentHistoryChangeRequest {
    make(.fetch, .transaction(transaction))
  }

  /// History that a fetch request selects.
  public class func fetchHistory(
    withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>
  ) -> NSPersistentHistoryChangeRequest {
    let request = make(.fetch, .token(nil))
    request.fetchRequest = fetchRequest
    return request
  }

  /// Deletes history before a token. Not available yet: executing it throws.
  public class func deleteHistory(before token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
    make(.delete, .token(token))
  }

  /// Deletes history before a time. Not available yet: executing it throws.
  public class func deleteHistory(before date: Date) -> NSPersistentHistoryChangeRequest { make(.delete, .date(date)) }

  /// Deletes history before a transaction. Not available yet: executing it throws.
  public class func deleteHistory(
    before transaction: NSPersistentHistoryTransaction?
  ) -> NSPersistentHistoryChangeRequest {
    make(.delete, .transaction(transaction))
  }

  private static func make(_ verb: Verb, _ start: Start) -> NSPersistentHistoryChangeRequest {
    let request = NSPersistentHistoryChangeRequest()
    request.verb = verb
    request.start = start
    return request
  }

  package override class func blank() -> NSPersistentStoreRequest { NSPersistentHistoryChangeRequest() }

  package override func copyOptions(to copy: NSPersistentStoreRequest) {
    super.copyOptions(to: copy)
    guard let copy = copy as? NSPersistentHistoryChangeRequest else { return }
    copy.start = start
    copy.verb = verb
    copy.resultType = resultType
    copy.fetchRequest = fetchRequest?.copy() as? NSFetchRequest<any NSFetchRequestResult>
  }
}
