import Annals
import Foundation

/// `catalogue changes`
enum ChangesCommand {
  static let usage = """
    catalogue changes [--since TOKEN|DATE] [--store DIR]

    What imports changed, package by package, from the store's own history: everything, or what came after a TOKEN that
    an earlier call printed, or after a DATE (2026-01-31, or 2026-01-31T12:00:00Z).
    """

  static func run(_ arguments: [String]) throws {
    let arguments = try Arguments(arguments, options: ["--store", "--since"])
    guard arguments.positional.isEmpty else { throw UsageError("changes takes no \(arguments.positional[0])") }
    let catalogue = try Catalogue(
      directory: arguments.values["--store"] ?? Catalogue.defaultDirectory, mayCreate: false)
    let context = catalogue.container.viewContext
    let request = try request(since: arguments.values["--since"])
    request.resultType = .transactionsAndChanges
    let result = try context.execute(request) as? NSPersistentHistoryResult
    let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
    for transaction in transactions { printChanges(of: transaction, in: context) }
    if let token = transactions.last?.token {
      print("to see what comes next: catalogue changes --since \(try text(of: token))")
    } else {
      print("nothing has changed since")
    }
  }

  private static func request(since: String?) throws -> NSPersistentHistoryChangeRequest {
    guard let since else { return .fetchHistory(after: nil as NSPersistentHistoryToken?) }
    if let date = date(since) { return .fetchHistory(after: date) }
    // A token is kept as the JSON text that it encodes to, without the quotes.
    guard let token = try? JSONDecoder().decode(NSPersistentHistoryToken.self, from: Data("\"\(since)\"".utf8)) else {
      throw UsageError("--since takes a date or a token that `catalogue changes` printed, found \"\(since)\"")
    }
    return .fetchHistory(after: token)
  }

  private static func date(_ text: String) -> Date? {
    let full = ISO8601DateFormatter()
    if let date = full.date(from: text) { return date }
    full.formatOptions = [.withFullDate]
    return text.count == 10 ? full.date(from: text) : nil
  }

  private static func text(of token: NSPersistentHistoryToken) throws -> String {
    String(decoding: try JSONEncoder().encode(token), as: UTF8.self).trimmingCharacters(in: ["\""])
  }

  private static func printChanges(of transaction: NSPersistentHistoryTransaction, in context: NSManagedObjectContext) {
    let changes = (transaction.changes ?? []).filter { $0.changedObjectID.entity.name == "Package" }
    let time = ISO8601DateFormatter().string(from: transaction.timestamp)
    print("transaction \(transaction.transactionNumber), \(time): \(changes.count) packages")
    for change in changes {
      let name: String
      if change.changeType == .delete {
        name = change.tombstone?["name"] as? String ?? "\(change.changedObjectID)"
      } else {
        // Deleted since, perhaps: then only its id is left to show.
        let package = (try? context.existingObject(with: change.changedObjectID)) as? Package
        name =
          package.map { "\($0.name ?? "") \($0.version ?? "")" }
          ?? "\(change.changedObjectID.uriRepresentation()), gone since"
      }
      let sign = change.changeType == .insert ? "+" : change.changeType == .delete ? "-" : "~"
      print("  \(sign) \(name)\(updated(change))")
    }
  }

  private static func updated(_ change: NSPersistentHistoryChange) -> String {
    guard change.changeType == .update, let properties = change.updatedProperties, !properties.isEmpty else {
      return ""
    }
    return " (" + properties.map(\.name).sorted().joined(separator: ", ") + ")"
  }
}
