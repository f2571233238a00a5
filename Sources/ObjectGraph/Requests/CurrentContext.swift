internal import Foundation

/// Which context the code that is running belongs to.
///
/// A private queue knows its context. On the main thread, where contexts are used without `perform`, it is the one
/// main-queue context there is; with several nobody can tell.
enum CurrentContext {
  private final class Owner: Sendable {
    private let reference: WeakReference
    init(_ context: NSManagedObjectContext) { reference = WeakReference(context) }
    var context: NSManagedObjectContext? { reference.context }
  }

  private final class WeakReference: @unchecked Sendable {
    // unchecked: weak references are read and cleared atomically, and this one is set once.
    weak var context: NSManagedObjectContext?
    init(_ context: NSManagedObjectContext) { self.context = context }
  }

  private final class MainContexts: @unchecked Sendable {
    // unchecked: behind the lock.
    private let lock = NSLock()
    private var references: [WeakReference] = []

    func add(_ context: NSManagedObjectContext) {
      lock.withLock {
        references.removeAll { $0.context == nil }
        references.append(WeakReference(context))
      }
    }

    var alive: [NSManagedObjectContext] { lock.withLock { references.compactMap { $0.context } } }
  }

  private static let ownerKey = DispatchSpecificKey<Owner>()
  private static let mainContexts = MainContexts()

  /// Called once for each context, when it is made.
  static func register(_ context: NSManagedObjectContext) {
    if context.kind == .mainQueueConcurrencyType {
      mainContexts.add(context)
    } else {
      context.queue.setSpecific(key: ownerKey, value: Owner(context))
    }
  }

  /// - Throws: `NSPersistentStoreOperationError` when the code belongs to no context, or to one of several.
  static func require() throws -> NSManagedObjectContext {
    if let context = DispatchQueue.getSpecific(key: ownerKey)?.context { return context }
    let alive: [NSManagedObjectContext] = MainQueue.isCurrent ? mainContexts.alive : []
    if alive.count == 1 { return alive[0] }
    throw GraphError.make(
      NSPersistentStoreOperationError,
      alive.isEmpty
        ? "A fetch request's execute() belongs to the context whose queue it is called on: call it inside perform, or use the context's fetch(_:)."
        : "There are \(alive.count) contexts on the main queue, and execute() can't tell which is meant: use the context's fetch(_:)."
    )
  }
}
