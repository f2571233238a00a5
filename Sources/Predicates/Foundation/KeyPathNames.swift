internal import Foundation

/// Names of the properties that Swift key paths lead to, by key path.
///
/// Without Objective-C a key path does not know its name. Generated code registers the key paths of managed object
/// classes; what is not registered is asked of the fallback.
public final class KeyPathNames: @unchecked Sendable {
  // unchecked: both variables are only touched under the lock; key paths are immutable.
  private static let shared = KeyPathNames()
  private let lock = NSLock()
  private var names: [AnyKeyPath: String] = [:]
  private var fallback: ((AnyKeyPath) -> String?)?

  private init() {}

  /// Remembers the name of a key path, dotted for a longer one. Any thread.
  public static func register(_ keyPath: AnyKeyPath, name: String) {
    shared.lock.withLock { shared.names[keyPath] = name }
  }

  /// Sets who is asked for the names of key paths that were not registered. Answers are remembered.
  public static func setFallback(_ fallback: @escaping (AnyKeyPath) -> String?) {
    shared.lock.withLock { shared.fallback = fallback }
  }

  /// The name of a key path; `nil` when nobody knows it. Any thread.
  public static func name(of keyPath: AnyKeyPath) -> String? {
    let (known, fallback) = shared.lock.withLock { (shared.names[keyPath], shared.fallback) }
    if let known { return known }
    guard let found = fallback?(keyPath) else { return nil }
    register(keyPath, name: found)
    return found
  }
}
