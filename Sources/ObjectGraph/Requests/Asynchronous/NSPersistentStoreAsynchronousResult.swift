public import Foundation

/// The result of a request that is executed later: empty until then.
///
/// Belongs to the queue of the context that executes the request; `cancel` and `progress` may be used from any thread.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
  /// The context that executes the request.
  public let managedObjectContext: NSManagedObjectContext
  /// What went wrong; `nil` while it is not finished, and when nothing did.
  public internal(set) var operationError: (any Error)?
  /// How far it is. Cancelling it cancels the request.
  public let progress: Progress?

  init(context: NSManagedObjectContext) {
    managedObjectContext = context
    progress = Progress(totalUnitCount: 1)
    super.init()
  }

  /// Gives the request up, if it has not been executed yet: it then ends with `CocoaError.userCancelled`.
  open func cancel() { progress?.cancel() }
}
