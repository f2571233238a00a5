internal import Foundation
internal import Glibc

/// The contexts whose queues the running code holds because of `performAndWait`: also those of calls that wait further
/// out, on this thread or on one that waits for it.
///
/// A queue says only of itself that it is being run on. But code that holds a parent and waits for its child holds the
/// parent still, and may use it.
final class HeldContexts {
  /// `nil` for the main queue, where that is held without a call.
  private let context: NSManagedObjectContext?
  private let outer: HeldContexts?

  private init(_ context: NSManagedObjectContext?, _ outer: HeldContexts?) {
    self.context = context
    self.outer = outer
  }

  // unsafe: a thread-local pointer to the innermost entry, which the frame that set it keeps alive.
  private static let slot: pthread_key_t = {
    var slot = pthread_key_t()
    pthread_key_create(&slot, nil)
    return slot
  }()

  private static var innermost: HeldContexts? {
    pthread_getspecific(slot).map { Unmanaged<HeldContexts>.fromOpaque($0).takeUnretainedValue() }
  }

  /// What the running code holds, to be handed to code that it will wait for.
  static var current: HeldContexts? {
    let held: HeldContexts? = innermost
    return MainQueue.isCurrent && held?.holdsMainQueue != true ? HeldContexts(nil, held) : held
  }

  private var holdsMainQueue: Bool {
    var entry: HeldContexts? = self
    while let held = entry {
      if held.context == nil || held.context?.kind == .mainQueueConcurrencyType { return true }
      entry = held.outer
    }
    return false
  }

  static func holds(_ context: NSManagedObjectContext) -> Bool {
    var entry: HeldContexts? = innermost
    if context.kind == .mainQueueConcurrencyType { return entry?.holdsMainQueue ?? false }
    while let held = entry {
      if held.context === context { return true }
      entry = held.outer
    }
    return false
  }

  /// Runs code on this thread as holding a context besides those of `outer`.
  static func holding<T>(
    _ context: NSManagedObjectContext, over outer: HeldContexts?, _ body: () throws -> T
  ) rethrows -> T {
    let entry = HeldContexts(context, outer)
    let before: UnsafeMutableRawPointer? = pthread_getspecific(slot)
    pthread_setspecific(slot, Unmanaged.passUnretained(entry).toOpaque())
    defer { pthread_setspecific(slot, before) }
    return try withExtendedLifetime(entry) { try body() }
  }
}
