internal import Foundation

/// What a module's generated code knows about the key paths of its classes. The build plugin gives each module one
/// class that conforms, named `AnnalsGeneratedModels`.
public protocol KeyPathNameTable {
  /// The names of properties by key path: `\Post.title`, and for classes that to-one relationships lead to also
  /// `\Author?.?.name`, which longer paths are made of. Costs the making of every key path: ask once.
  static func keyPathNames() -> [AnyKeyPath: String]
}

/// Names of the properties that Swift key paths lead to, by key path.
///
/// Without Objective-C a key path does not know its name. The generated code of the module that declares the key
/// path's root class knows those of single properties; longer ones, such as `\Post.author?.name`, are put together from
/// them. What neither that nor a registration knows is asked of the fallback.
public final class KeyPathNames: @unchecked Sendable {
  // unchecked: all variables are only touched under the lock; key paths are immutable.
  private static let shared = KeyPathNames()
  private let lock = NSLock()
  private var names: [AnyKeyPath: String] = [:]
  private var fallback: ((AnyKeyPath) -> String?)?
  /// What the generated tables have, by root type.
  private var properties: [ObjectIdentifier: [NamedKeyPath]] = [:]
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

  /// The name of a key path, dotted for a longer one; `nil` when nobody knows it. Any thread. Answers are remembered,
  /// since the first one costs a search for a longer key path.
  public static func name(of keyPath: AnyKeyPath) -> String? {
    readTable(of: type(of: keyPath).rootType)
    let (known, fallback) = shared.lock.withLock { (shared.names[keyPath], shared.fallback) }
    if let known { return known }
    guard let found = KeyPathChain(asked: keyPath).name() ?? fallback?(keyPath) else { return nil }
    register(keyPath, name: found)
    return found
  }

  /// The key paths of single properties from a type, as the generated code of its module has them.
  static func properties(of type: any Any.Type) -> [NamedKeyPath] {
    readTable(of: type)
    return shared.lock.withLock { shared.properties[ObjectIdentifier(type)] ?? [] }
  }

  /// Reads the table of a class's module, the first time that it is asked for.
  private static func readTable(of type: any Any.Type) {
    guard let root = ((type as? any OptionalType.Type)?.wrapped ?? type) as? AnyClass else { return }
    // Not by NSStringFromClass, which stops the program for a class inside another type.
    let module = String(String(reflecting: root).prefix { $0 != "." })
    let isNew: Bool = shared.lock.withLock { !shared.readModules.contains(module) }
    guard isNew, let table = NSClassFromString("\(module).AnnalsGeneratedModels") as? any KeyPathNameTable.Type else {
      return
    }
    // Outside the lock: it runs generated code, and twice is no harm.
    let names: [AnyKeyPath: String] = table.keyPathNames()
    var properties: [ObjectIdentifier: [NamedKeyPath]] = [:]
    for (path, name) in names {
      properties[ObjectIdentifier(Swift.type(of: path).rootType), default: []].append(
        NamedKeyPath(path: path, name: name))
    }
    shared.lock.withLock {
      guard shared.readModules.insert(module).inserted else { return }
      shared.names.merge(names) { registered, _ in registered }
      shared.properties.merge(properties) { known, _ in known }
    }
  }
}

/// A key path of a single property.
struct NamedKeyPath {
  let path: AnyKeyPath
  let name: String
}
