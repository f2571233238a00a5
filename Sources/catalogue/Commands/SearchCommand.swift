import Annals
import Foundation

/// `catalogue search`
enum SearchCommand {
  static let usage = """
    catalogue search WORD [--section S] [--largest N] [--format table|json] [--store DIR]

    Packages with WORD in their name or summary, upper and lower case alike, by name; with --largest the N that take
    most room when installed, largest first.
    """

  static func run(_ arguments: [String]) throws {
    let arguments = try Arguments(arguments, options: ["--store", "--section", "--largest", "--format"])
    guard arguments.positional.count == 1, let word = arguments.positional.first else {
      throw UsageError("search takes one WORD")
    }
    let format = try OutputFormat(arguments.values["--format"])
    let largest = try arguments.number("--largest")
    let catalogue = try Catalogue(
      directory: arguments.values["--store"] ?? Catalogue.defaultDirectory, mayCreate: false)
    let request: NSFetchRequest<Package> = Package.fetchRequest()
    var predicates = [NSPredicate(format: "searchName CONTAINS %@ OR summary CONTAINS[c] %@", word.lowercased(), word)]
    if let section = arguments.values["--section"] {
      predicates.append(NSPredicate(format: "section.name == %@", section))
    }
    request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: predicates)
    let byName = NSSortDescriptor(keyPath: \Package.name, ascending: true)
    if let largest {
      request.sortDescriptors = [NSSortDescriptor(keyPath: \Package.installedKiB, ascending: false), byName]
      request.fetchLimit = largest
    } else {
      request.sortDescriptors = [byName]
    }
    let packages = try catalogue.container.viewContext.fetch(request)
    let columns = ["package", "version", "section", "installed", "summary"]
    let rows: [[CellValue]] = packages.map { package in
      [
        .text(package.name), .text(package.version), .text(package.section?.name ?? "-"),
        .kibibytes(package.installedKiB), .text(package.summary),
      ]
    }
    format.print(columns: columns, rows: rows)
    if format == .table { print("\(packages.count) package\(packages.count == 1 ? "" : "s")") }
  }
}
