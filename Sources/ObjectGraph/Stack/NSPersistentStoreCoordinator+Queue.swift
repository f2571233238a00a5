internal import Foundation

extension NSPersistentStoreCoordinator {
  /// Runs a block on the coordinator's queue, some time later.
  @preconcurrency
  public func perform(_ block: @escaping @Sendable () -> Void) { queue.async(execute: block) }

  /// Runs a block on the coordinator's queue and returns its result. Inside the queue it runs at once.
  ///
  /// - Throws: what the block throws.
  public func performAndWait<T, E: Error>(_ block: () throws(E) -> T) throws(E) -> T {
    if isOnQueue { return try block() }
    var result: Result<T, E>?
    queue.sync {
      do throws(E) { result = .success(try block()) } catch { result = .failure(error) }
    }
    guard let result else { preconditionFailure("the queue ran no block") }
    return try result.get()
  }

  /// Runs a block on the coordinator's queue and returns its result.
  ///
  /// - Throws: what the block throws.
  public func perform<T: Sendable, E: Error>(_ block: @escaping @Sendable () throws(E) -> T) async throws(E) -> T {
    let result: Result<T, E> = await withCheckedContinuation { continuation in
      queue.async {
        do throws(E) { continuation.resume(returning: .success(try block())) } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}
