package import Foundation
package import Model

/// All that a fetch request says, without the type of its results: what executes fetches reads this.
package struct FetchSettings {
  package var entity: NSEntityDescription?
  package var entityName: String?
  package var predicate: NSPredicate?
  package var sortDescriptors: [NSSortDescriptor]?
  /// 0 means no limit.
  package var fetchLimit: Int = 0
  package var fetchOffset: Int = 0
  package var fetchBatchSize: Int = 0
  package var includesSubentities: Bool = true
  package var returnsObjectsAsFaults: Bool = true
  package var includesPropertyValues: Bool = true
  package var includesPendingChanges: Bool = true
  package var shouldRefreshRefetchedObjects: Bool = false
  package var relationshipKeyPathsForPrefetching: [String]?
  package var resultType: NSFetchRequestResultType = .managedObjectResultType
  package var returnsDistinctResults: Bool = false
  package var propertiesToFetch: [Any]?
  package var propertiesToGroupBy: [Any]?
  package var havingPredicate: NSPredicate?
  /// What is wrong with the request itself, to be thrown when it is executed: a template of a model file is input.
  package var fault: (any Error)?

  package init() {}
}

extension FetchSettings {
  /// Options that change what a fetch returns, and that an executor may not know yet.
  package enum Option: String, CaseIterable {
    case dictionaryResultType, countResultType, propertiesToFetch, propertiesToGroupBy, havingPredicate
    case returnsDistinctResults, shouldRefreshRefetchedObjects, affectedStores

    fileprivate func isSet(in settings: FetchSettings, affectedStores: [NSPersistentStore]?) -> Bool {
      switch self {
      case .dictionaryResultType: settings.resultType == .dictionaryResultType
      case .countResultType: settings.resultType == .countResultType
      // With objects it only advises which values to read first, so nothing is lost when it is not followed.
      case .propertiesToFetch: settings.propertiesToFetch != nil && settings.resultType == .dictionaryResultType
      case .propertiesToGroupBy: settings.propertiesToGroupBy != nil
      case .havingPredicate: settings.havingPredicate != nil
      case .returnsDistinctResults: settings.returnsDistinctResults
      case .shouldRefreshRefetchedObjects: settings.shouldRefreshRefetchedObjects
      case .affectedStores: affectedStores != nil
      }
    }
  }

  /// Refuses, by name, options that the caller does not execute, so that none is ignored silently, and a request with
  /// a fault of its own.
  ///
  /// - Throws: `NSPersistentStoreUnsupportedRequestTypeError` that names the options that are set.
  package func refuse(_ options: [Option], affectedStores: [NSPersistentStore]? = nil) throws {
    if let fault { throw fault }
    let set: [String] = options.filter { $0.isSet(in: self, affectedStores: affectedStores) }.map { $0.rawValue }
    guard !set.isEmpty else { return }
    let names: String = set.joined(separator: ", ")
    throw GraphError.make(
      NSPersistentStoreUnsupportedRequestTypeError,
      "The fetch request for \(entityName ?? entity?.name ?? "an unnamed entity") sets \(names), which can't be executed with it: leave it out. Groups need the result type dictionary."
    )
  }
}
