internal import Foundation
internal import Schema

extension NSManagedObjectContext {
  /// Whether the caller is on the context's queue.
  final var isOnQueue: Bool {
    let isHere: Bool =
      kind == .mainQueueConcurrencyType ? MainQueue.isCurrent : DispatchQueue.getSpecific(key: queueKey) == true
    return isHere || HeldContexts.holds(self)
  }

  /// Runs a block on the context's queue, some time later. The block is an event: pending changes are processed at
  /// its end.
  @preconcurrency
  public final func perform(_ block: @escaping @Sendable () -> Void) {
    queue.async { HeldContexts.holding(self, over: nil) { self.runEvent(block) } }
  }

  /// Runs a block on the context's queue and waits for it. Inside the queue, and where a call further out holds it, it
  /// runs at once and is part of the event that is going on; else the block is an event.
  ///
  /// Waiting for the main queue from a thread that the main thread waits for never ends.
  ///
  /// - Throws: what the block throws.
  @discardableResult
  public final func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
    if isOnQueue { return try block() }
    let held: HeldContexts? = HeldContexts.current
    return try queue.sync {
      try HeldContexts.holding(self, over: held) { try runEvent(block) }
    }
  }

  /// Runs a block on the context's queue and returns its result. The block is an event.
  ///
  /// - Throws: what the block throws.
  @discardableResult
  public final func perform<T: Sendable, E: Error>(
    schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws(E) -> T
  ) async throws(E) -> T {
    if schedule.runsInPlace, isOnQueue { return try block() }
    let result: Result<T, E> = await withCheckedContinuation { continuation in
      queue.async {
        var result: Result<T, E>?
        HeldContexts.holding(self, over: nil) {
          self.runEvent {
            do throws(E) { result = .success(try block()) } catch { result = .failure(error) }
          }
        }
        if let result { continuation.resume(returning: result) }
      }
    }
    return try result.get()
  }
}
