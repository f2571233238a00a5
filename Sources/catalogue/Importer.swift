import Annals
import CatalogueInput
import Foundation

/// Brings the catalogue up to an index: inserts what is new, changes what changed, deletes what vanished, and leaves
/// the rest alone. Each transaction of a thousand packages is whole in itself: a dependency is linked as soon as both
/// of its ends are there, so an import that was killed is simply run again.
final class Importer {
  struct Summary {
    var inserted = 0
    var updated = 0
    var deleted = 0
    var unchanged = 0
    var transactions = 0
  }

  static let packagesPerTransaction = 1000

  private let context: NSManagedObjectContext
  private(set) var summary = Summary()
  private var sections: NameTable<Section>
  private var maintainers: NameTable<Maintainer>
  private var tags: NameTable<Tag>
  private var packages: [String: NSManagedObjectID] = [:]
  private var fingerprints: [String: Int64] = [:]
  /// Dependencies whose target is not in the catalogue, by the target's name.
  private var unresolved: [String: [NSManagedObjectID]] = [:]

  /// - Parameter context: a private-queue context of its own; called on its queue.
  init(context: NSManagedObjectContext) throws {
    self.context = context
    sections = NameTable()
    maintainers = NameTable()
    tags = NameTable()
    try sections.load(from: context, entityName: "Section")
    try maintainers.load(from: context, entityName: "Maintainer")
    try tags.load(from: context, entityName: "Tag")
    for package in try context.fetch(Package.fetchRequest() as NSFetchRequest<Package>) {
      packages[package.name] = package.objectID
      fingerprints[package.name] = package.fingerprint
    }
    let open: NSFetchRequest<Dependency> = Dependency.fetchRequest()
    open.predicate = NSPredicate(format: "target == nil")
    for dependency in try context.fetch(open) {
      unresolved[dependency.targetName, default: []].append(dependency.objectID)
    }
    context.reset()
  }

  /// - Parameters:
  ///   - progress: told how many entries are dealt with.
  ///   - saved: told how many transactions are safe on the disk, after each.
  func run(_ entries: [PackageEntry], progress: (Int) -> Void, saved: (Int) -> Void = { _ in }) throws {
    let vanished = Set(packages.keys).subtracting(entries.map(\.name)).sorted()
    let changed = entries.filter { fingerprints[$0.name] != $0.fingerprint }
    summary.unchanged = entries.count - changed.count
    var done = 0
    for batch in changed.batches(of: Self.packagesPerTransaction) {
      try importBatch(batch)
      saved(summary.transactions)
      done += batch.count
      progress(summary.unchanged + done)
    }
    for batch in vanished.batches(of: Self.packagesPerTransaction) {
      for name in batch {
        guard let id = packages.removeValue(forKey: name) else { continue }
        try delete(id, named: name)
      }
      try save()
      saved(summary.transactions)
    }
    progress(entries.count)
  }

  private func importBatch(_ batch: [PackageEntry]) throws {
    var added: [(name: String, package: Package)] = []
    for entry in batch {
      let package: Package
      if let id = packages[entry.name] {
        package = try object(id)
        summary.updated += 1
      } else {
        package = Package(context: context)
        package.name = entry.name
        added.append((entry.name, package))
        summary.inserted += 1
      }
      fill(package, from: entry)
    }
    // Dependencies come last: their targets may be in the same batch.
    let news = Dictionary(added.map { ($0.name, $0.package) }, uniquingKeysWith: { first, _ in first })
    for entry in batch {
      let package: Package
      if let new = news[entry.name] {
        package = new
      } else if let id = packages[entry.name] {
        package = try object(id)
        for dependency in package.dependencies as? Set<Dependency> ?? [] { context.delete(dependency) }
      } else {
        continue
      }
      try addDependencies(of: entry, to: package, news: news)
    }
    for (name, package) in added {
      for id in unresolved.removeValue(forKey: name) ?? [] {
        let waiting: Dependency = try object(id)
        waiting.target = package
      }
    }
    try save { self.remember(added) }
  }

  private func fill(_ package: Package, from entry: PackageEntry) {
    package.version = entry.version
    package.summary = entry.summary
    package.downloadBytes = entry.downloadBytes
    package.installedKiB = entry.installedKiB
    package.homepage = entry.homepage.flatMap { URL(string: $0) }
    package.fingerprint = entry.fingerprint
    package.section = entry.section.map { sections.object(named: $0, in: context) }
    package.maintainer = entry.maintainer.map { maintainers.object(named: $0, in: context) }
    let wanted = Set(entry.tags.map { tags.object(named: $0, in: context) })
    package.tags = NSSet(set: wanted)
  }

  private func addDependencies(of entry: PackageEntry, to package: Package, news: [String: Package]) throws {
    for wanted in entry.dependencies {
      let dependency = Dependency(context: context)
      dependency.targetName = wanted.targetName
      dependency.constraint = wanted.constraint
      dependency.alternativeGroup = Int16(clamping: wanted.group)
      dependency.isPre = wanted.isPre
      dependency.package = package
      if let target = news[wanted.targetName] {
        dependency.target = target
      } else if let id = packages[wanted.targetName] {
        dependency.target = try object(id)
      } else {
        waiting.append(dependency)
      }
    }
  }

  /// Dependencies of the present batch that found no target: their ids are permanent after the save.
  private var waiting: [Dependency] = []

  private func delete(_ id: NSManagedObjectID, named name: String) throws {
    let package: Package = try object(id)
    for dependency in package.neededBy as? Set<Dependency> ?? [] {
      unresolved[name, default: []].append(dependency.objectID)
    }
    context.delete(package)
    summary.deleted += 1
  }

  private func remember(_ added: [(name: String, package: Package)]) {
    for (name, package) in added { packages[name] = package.objectID }
    for dependency in waiting { unresolved[dependency.targetName, default: []].append(dependency.objectID) }
    waiting.removeAll(keepingCapacity: true)
    sections.remember()
    maintainers.remember()
    tags.remember()
  }

  private func save(_ afterwards: () -> Void = {}) throws {
    try context.save()
    afterwards()
    summary.transactions += 1
    // Nothing of this batch is needed by the next: memory stays flat however long the index.
    context.reset()
  }

  private func object<Object: NSManagedObject>(_ id: NSManagedObjectID) throws -> Object {
    guard let object = context.object(with: id) as? Object else {
      throw CatalogueError("The catalogue holds an object of another kind than \(Object.self) at \(id).")
    }
    return object
  }
}

/// Objects that are known by their name, made when they are first asked for.
private struct NameTable<Object: NSManagedObject & Named> {
  private var ids: [String: NSManagedObjectID] = [:]
  private var fresh: [String: Object] = [:]

  mutating func load(from context: NSManagedObjectContext, entityName: String) throws {
    for object in try context.fetch(NSFetchRequest<Object>(entityName: entityName)) {
      ids[object.name] = object.objectID
    }
  }

  mutating func object(named name: String, in context: NSManagedObjectContext) -> Object {
    if let id = ids[name], let known = context.object(with: id) as? Object { return known }
    if let new = fresh[name] { return new }
    let new = Object(context: context)
    new.name = name
    fresh[name] = new
    return new
  }

  /// After a save, when the ids of new objects are permanent.
  mutating func remember() {
    for (name, object) in fresh { ids[name] = object.objectID }
    fresh.removeAll(keepingCapacity: true)
  }
}

protocol Named: AnyObject { var name: String! { get set } }
extension Section: Named {}
extension Maintainer: Named {}
extension Tag: Named {}

extension Array {
  fileprivate func batches(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
