extension NSFetchRequest {
  /// Executes the request in the context whose queue this is called on: inside `perform`, or, on the main thread, in
  /// the one main-queue context.
  ///
  /// - Throws: as the context's `fetch(_:)`; `NSPersistentStoreOperationError` where no single context is meant.
  public func execute() throws -> [ResultType] { try CurrentContext.require().fetch(self) }
}
