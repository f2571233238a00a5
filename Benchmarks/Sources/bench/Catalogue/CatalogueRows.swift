import Annals
import Foundation

/// The catalogue's contents as plain values, in the order of the import: what both sides store.
struct CatalogueRows {
  struct Dependency {
    var targetName: String
    var constraint: String?
    var group: Int64
    var isPre: Bool
  }
  struct Package {
    var name: String
    var version: String
    var summary: String
    var homepage: String?
    var downloadBytes: Int64
    var installedKiB: Int64
    var fingerprint: Int64
    var section: String?
    var maintainer: String?
    var tags: [String]
    var dependencies: [Dependency]
  }

  let packages: [Package]

  /// Reads them back from a store that `catalogue import` made.
  init(from container: NSPersistentContainer) throws {
    let request: NSFetchRequest<bench.Package> = bench.Package.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    packages = try container.viewContext.fetch(request).map { package in
      Package(
        name: package.name, version: package.version, summary: package.summary,
        homepage: package.homepage?.absoluteString, downloadBytes: package.downloadBytes,
        installedKiB: package.installedKiB, fingerprint: package.fingerprint, section: package.section?.name,
        maintainer: package.maintainer?.name, tags: (package.tags as? Set<Tag> ?? []).map(\.name),
        dependencies: (package.dependencies as? Set<bench.Dependency> ?? []).map {
          Dependency(
            targetName: $0.targetName, constraint: $0.constraint, group: Int64($0.alternativeGroup), isPre: $0.isPre)
        })
    }
  }
}
