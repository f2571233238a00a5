import Annals
import Foundation

/// `catalogue show`
enum ShowCommand {
  static let usage = """
    catalogue show NAME [--store DIR]

    One package: what the index says of it, what it depends on, and what needs it.
    """

  static func run(_ arguments: [String]) throws {
    let arguments = try Arguments(arguments, options: ["--store"])
    guard arguments.positional.count == 1, let name = arguments.positional.first else {
      throw UsageError("show takes one NAME")
    }
    let catalogue = try Catalogue(
      directory: arguments.values["--store"] ?? Catalogue.defaultDirectory, mayCreate: false)
    let request: NSFetchRequest<Package> = Package.fetchRequest()
    request.predicate = NSPredicate(format: "name == %@", name)
    request.fetchLimit = 1
    guard let package = try catalogue.container.viewContext.fetch(request).first else {
      throw CatalogueError("There is no package \(name) in the catalogue.")
    }
    print(package.name ?? "", package.version ?? "")
    print(" ", package.summary ?? "")
    line("section", package.section.map { "\($0.name ?? "") (\($0.packageCount) packages)" })
    line("maintainer", package.maintainer.map { "\($0.name ?? "") (\($0.packageCount) packages)" })
    line("installed", CellValue.kibibytes(package.installedKiB).shown)
    line("download", "\(package.downloadBytes) bytes")
    line("homepage", package.homepage?.absoluteString)
    let tags = (package.tags as? Set<Tag> ?? []).compactMap(\.name).sorted()
    line("tags", tags.isEmpty ? nil : tags.joined(separator: ", "))
    printDependencies(of: package)
    printNeeds(of: package)
  }

  private static func line(_ title: String, _ text: String?) {
    if let text { print("  \(title.padding(toLength: 12, withPad: " ", startingAt: 0))\(text)") }
  }

  private static func printDependencies(of package: Package) {
    let all = package.dependencies as? Set<Dependency> ?? []
    let groups = Dictionary(grouping: all, by: \.alternativeGroup)
    guard !groups.isEmpty else { return }
    print("  depends on")
    for (_, alternatives) in groups.sorted(by: { $0.key < $1.key }) {
      let texts = alternatives.sorted { $0.targetName < $1.targetName }.map { dependency in
        let constraint = dependency.constraint.map { " (\($0))" } ?? ""
        let known = dependency.target.map { ", here \($0.version ?? "")" } ?? ", not in the catalogue"
        return "\(dependency.targetName ?? "")\(constraint)\(known)\(dependency.isPre ? ", before unpacking" : "")"
      }
      print("    " + texts.joined(separator: " or "))
    }
  }

  private static func printNeeds(of package: Package) {
    let names = Set((package.neededBy as? Set<Dependency> ?? []).compactMap { $0.package?.name }).sorted()
    guard !names.isEmpty else { return }
    print("  needed by \(names.count)")
    print("    " + names.prefix(20).joined(separator: ", ") + (names.count > 20 ? ", …" : ""))
  }
}
