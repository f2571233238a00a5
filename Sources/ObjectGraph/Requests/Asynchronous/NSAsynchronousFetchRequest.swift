public import Foundation

/// A fetch that the caller does not wait for: the context executes it on its queue, after what is there already, and
/// calls back there.
public final class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest, AsynchronousRequest {
  /// What to fetch. Not to be changed until the request has called back.
  public let fetchRequest: NSFetchRequest<ResultType>
  /// Called on the context's queue with the finished result.
  public let completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)?
  /// How many results are expected: for progress, changes nothing else.
  public var estimatedResultCount: Int = 0

  /// - Parameters:
  ///   - request: what to fetch.
  ///   - blk: called on the context's queue with the finished result, an error or a cancellation included.
  public init(
    fetchRequest request: NSFetchRequest<ResultType>,
    completionBlock blk: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
  ) {
    fetchRequest = request
    completionBlock = blk
    super.init()
  }

  public override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  public override func copy(with zone: NSZone? = nil) -> Any {
    guard let request = fetchRequest.copy() as? NSFetchRequest<ResultType> else { return self }
    let copy = NSAsynchronousFetchRequest(fetchRequest: request, completionBlock: completionBlock)
    copy.affectedStores = affectedStores
    copy.estimatedResultCount = estimatedResultCount
    return copy
  }

  func start(in context: NSManagedObjectContext) -> NSPersistentStoreResult {
    let result = NSAsynchronousFetchResult<ResultType>(self, context)
    // Handed over to the context's queue: the caller may only cancel it until it is called back.
    nonisolated(unsafe) let handedOver = result
    context.perform { handedOver.run() }
    return result
  }
}

/// The result of an asynchronous fetch.
public final class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult {
  /// The request that it answers.
  public let fetchRequest: NSAsynchronousFetchRequest<ResultType>
  /// What was found; `nil` until it is finished, and when it failed or was cancelled.
  public private(set) var finalResult: [ResultType]?

  init(_ request: NSAsynchronousFetchRequest<ResultType>, _ context: NSManagedObjectContext) {
    fetchRequest = request
    super.init(context: context)
  }

  fileprivate func run() {
    if progress?.isCancelled == true {
      operationError = CocoaError(.userCancelled)
    } else {
      do { finalResult = try managedObjectContext.fetch(fetchRequest.fetchRequest) } catch { operationError = error }
      progress?.completedUnitCount = 1
    }
    fetchRequest.completionBlock?(self)
  }
}

/// A request that a context executes later, whatever its results are.
protocol AsynchronousRequest: NSPersistentStoreRequest {
  func start(in context: NSManagedObjectContext) -> NSPersistentStoreResult
}
