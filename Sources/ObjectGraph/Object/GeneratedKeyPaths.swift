internal import Foundation
internal import Predicates
internal import Synchronization

/// Names of the key paths of managed classes, from the tables that were generated with the classes.
///
/// A table is built when a key path of its module is first asked for, since building it evaluates them all.
enum GeneratedKeyPaths {
  private static let tables: Mutex<[String: [AnyKeyPath: String]]> = Mutex([:])

  /// Answers for `KeyPathNames` from now on. Costs nothing when done before.
  static func install() { _ = installed }

  private static let installed: Void = KeyPathNames.setFallback { name(of: $0) }

  private static func name(of keyPath: AnyKeyPath) -> String? {
    let root: String = String(reflecting: type(of: keyPath).rootType)
    let module: String = root.split(separator: ".").first.map(String.init) ?? ""
    return tables.withLock { tables in
      if let table = tables[module] { return table[keyPath] }
      let registry = NSClassFromString("\(module).AnnalsGeneratedModels") as? GeneratedModelRegistry.Type
      let table: [AnyKeyPath: String] = registry?.keyPathNames() ?? [:]
      tables[module] = table
      return table[keyPath]
    }
  }
}
