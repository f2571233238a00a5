internal import Foundation

extension NSManagedObjectContext {
  /// Executes a request that is not a plain fetch: `NSPersistentHistoryChangeRequest`, `NSAsynchronousFetchRequest` and
  /// the batch requests.
  ///
  /// - Throws: `NSPersistentStoreUnsupportedRequestTypeError` for requests of other kinds, naming them; what the
  ///   request's own documentation says.
  @discardableResult
  public func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    guard let coordinator = persistentStoreCoordinator else {
      throw GraphError.make(
        NSPersistentStoreOperationError,
        "The context '\(name ?? "")' has no coordinator: set persistentStoreCoordinator before it executes requests.")
    }
    switch request {
    case let request as NSPersistentHistoryChangeRequest:
      return try HistoryReader(coordinator: coordinator, request: request).execute()
    case let request as any AsynchronousRequest: return request.start(in: self)
    case let request as NSBatchInsertRequest:
      return NSBatchInsertResult(try BatchInsertion(request, self, coordinator).execute(), request.resultType)
    case let request as NSBatchUpdateRequest:
      return NSBatchUpdateResult(try BatchUpdate(request, self, coordinator).execute(), request.resultType)
    case let request as NSBatchDeleteRequest:
      return NSBatchDeleteResult(try BatchDeletion(request, self, coordinator).execute(), request.resultType)
    case is any FetchSettingsHolder:
      throw RequestErrors.unsupported(request, "Use fetch(_:), which returns what it finds.")
    default: throw RequestErrors.unsupported(request, "Fetch the objects, change them, and save.")
    }
  }
}

extension NSPersistentStoreCoordinator {
  /// Executes a request for a context: a fetch, whose result is an array, or a request that the context's `execute(_:)`
  /// takes, whose result is an `NSPersistentStoreResult`. On the context's queue.
  ///
  /// - Throws: as the context's `fetch(_:)` and `execute(_:)`.
  public func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
    if let fetch = request as? any FetchSettingsHolder { return try fetch.results(in: context) }
    return try context.execute(request)
  }
}

enum RequestErrors {
  static func unsupported(_ request: NSPersistentStoreRequest, _ instead: String) -> any Error {
    GraphError.make(
      NSPersistentStoreUnsupportedRequestTypeError,
      "A request of the class \(type(of: request)) can't be executed here. \(instead)")
  }
}
