internal import Foundation
internal import Predicates

/// Names of the key paths of managed classes, from the tables that were generated with the classes.
///
/// A table is built when a key path of its module is first asked for, since building it evaluates them all.
final class GeneratedKeyPaths: @unchecked Sendable {
  // unchecked: the tables are only touched under the lock; key paths are immutable.
  private static let shared = GeneratedKeyPaths()
  private let lock = NSLock()
  private var tables: [String: [AnyKeyPath: String]] = [:]

  private init() {
    KeyPathNames.setFallback { Self.shared.name(of: $0) }
  }

  /// Answers for `KeyPathNames` from now on. Costs nothing when done before.
  static func install() { _ = shared }

  private func name(of keyPath: AnyKeyPath) -> String? {
    let root: String = String(reflecting: type(of: keyPath).rootType)
    let module: String = root.split(separator: ".").first.map(String.init) ?? ""
    return lock.withLock {
      if let table = tables[module] { return table[keyPath] }
      let registry = NSClassFromString("\(module).AnnalsGeneratedModels") as? GeneratedModelRegistry.Type
      let table: [AnyKeyPath: String] = registry?.keyPathNames() ?? [:]
      tables[module] = table
      return table[keyPath]
    }
  }
}
