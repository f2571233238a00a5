internal import Foundation
internal import Model
internal import Predicates

/// The fetch request of a history request, applied to transactions and changes.
struct HistoryFilter {
  /// Whether it selects changes rather than transactions.
  let isOverChanges: Bool
  private let predicate: NSPredicate?
  private let limit: Int
  private let offset: Int

  /// - Throws: `NSPersistentStoreUnsupportedRequestTypeError` that names what is not available.
  init(_ request: NSFetchRequest<any NSFetchRequestResult>?) throws {
    predicate = request?.predicate
    limit = request?.fetchLimit ?? 0
    offset = request?.fetchOffset ?? 0
    let entity: NSEntityDescription? = request?.entity
    isOverChanges = entity === HistoryEntities.change
    guard let request else { return }
    guard isOverChanges || entity === HistoryEntities.transaction else {
      throw Self.unavailable(
        "The fetch request of a history request is over the entity '\(entity?.name ?? request.entityName ?? "none")'. Use NSPersistentHistoryTransaction.fetchRequest or NSPersistentHistoryChange.fetchRequest."
      )
    }
    if request.sortDescriptors?.isEmpty == false {
      throw Self.unavailable(
        "History comes in the order it was made: sortDescriptors can't be followed. Sort the result.")
    }
    if let predicate, predicate.description.range(of: "\\btoken\\b", options: .regularExpression) != nil {
      throw Self.unavailable(
        "A predicate over history can't compare 'token' yet. Use fetchHistory(after:), or compare 'transactionNumber'.")
    }
    try request.settings.refuse([.dictionaryResultType, .propertiesToGroupBy, .havingPredicate])
  }

  var needsChanges: Bool { isOverChanges }

  func accepts(_ transaction: NSPersistentHistoryTransaction) -> Bool {
    isOverChanges || predicate.map { $0.evaluate(with: transaction) } ?? true
  }

  func accepts(_ change: NSPersistentHistoryChange) -> Bool {
    !isOverChanges || predicate.map { $0.evaluate(with: change) } ?? true
  }

  func window(_ transactions: [NSPersistentHistoryTransaction]) -> [NSPersistentHistoryTransaction] {
    isOverChanges ? transactions : cut(transactions)
  }

  func window(_ changes: [NSPersistentHistoryChange]) -> [NSPersistentHistoryChange] { cut(changes) }

  private func cut<Element>(_ all: [Element]) -> [Element] {
    let rest: ArraySlice<Element> = all.dropFirst(max(0, offset))
    return Array(limit > 0 ? rest.prefix(limit) : rest)
  }

  private static func unavailable(_ message: String) -> any Error {
    GraphError.make(NSPersistentStoreUnsupportedRequestTypeError, message)
  }
}
