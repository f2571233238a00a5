internal import Foundation
internal import StoreContract

extension NSPersistentStoreCoordinator {
  /// The place in history that all of the given stores have reached: everything up to now has been seen.
  ///
  /// - Parameter stores: stores of this coordinator; all of them with `nil` or none.
  /// - Returns: `nil` when no store is open.
  public func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
    let given: [NSPersistentStore] = (stores ?? []).compactMap { $0 as? NSPersistentStore }
    var numbers: [String: UInt64] = [:]
    for store in persistentStores where given.isEmpty || given.contains(where: { $0 === store }) {
      // A store whose state can't be read says so to whoever fetches; a token can't.
      guard let view = try? store.backend?.currentView() else { continue }
      numbers[store.identifier] = view.commitNumber
    }
    return numbers.isEmpty ? nil : NSPersistentHistoryToken(numbers: numbers)
  }
}
