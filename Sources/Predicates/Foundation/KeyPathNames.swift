internal import Foundation

/// What a module's generated code knows about the key paths of its classes. The build plugin gives each module one
/// class that conforms, named `AnnalsGeneratedModels`.
public protocol KeyPathNameTable {
  /// The names of properties by key path. Costs the making of every key path: ask once.
  static func keyPathNames() -> [AnyKeyPath: String]
}

/// Names of the properties that Swift key paths lead to, by key path.
///
/// Without Objective-C a key path does not know its name. The generated code of the module that declares the key
/// path's root class knows it; what neither that nor a registration knows is asked of the fallback.
public final class KeyPathNames: @unchecked Sendable {
  // unchecked: both variables are only touched under the lock; key paths are immutable.
  private static let shared = KeyPathNames()
  private let lock = NSLock()
  private var names: [AnyKeyPath: String] = [:]
  private var fallback: ((AnyKeyPath) -> String?)?
  /// Modules whose generated tables have been read.
  private var readModules: Set<String> = []

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
    if let name = generatedName(of: keyPath) { return name }
    guard let found = fallback?(keyPath) else { return nil }
    register(keyPath, name: found)
    return found
  }

  /// Reads the table of the root class's module, the first time that one of its key paths is asked for.
  private static func generatedName(of keyPath: AnyKeyPath) -> String? {
    guard let root = type(of: keyPath).rootType as? AnyClass else { return nil }
    let module = String(NSStringFromClass(root).prefix { $0 != "." })
    let isNew: Bool = shared.lock.withLock { !shared.readModules.contains(module) }
    guard isNew, let table = NSClassFromString("\(module).AnnalsGeneratedModels") as? any KeyPathNameTable.Type else {
      return nil
    }
    // Outside the lock: it runs generated code, and twice is no harm.
    let names: [AnyKeyPath: String] = table.keyPathNames()
    return shared.lock.withLock {
      shared.readModules.insert(module)
      shared.names.merge(names) { registered, _ in registered }
      return shared.names[keyPath]
    }
  }
}
