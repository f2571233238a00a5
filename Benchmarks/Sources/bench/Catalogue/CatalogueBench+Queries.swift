import Annals
import Foundation

/// The five queries, through contexts and through prepared statements.
extension CatalogueBench {
  func search(_ context: NSManagedObjectContext) throws -> Checksum {
    let request: NSFetchRequest<Package> = Package.fetchRequest()
    request.predicate = NSPredicate(format: "searchName CONTAINS %@ OR summary CONTAINS[c] %@", "compiler", "compiler")
    request.sortDescriptors = [NSSortDescriptor(keyPath: \Package.name, ascending: true)]
    return sum(try context.fetch(request))
  }

  func searchSQLite() -> Checksum {
    sum(
      "SELECT name, version FROM package WHERE search_name LIKE '%compiler%' OR summary LIKE '%compiler%' ORDER BY name"
    ) { _ in }
  }

  func byName(_ context: NSManagedObjectContext, _ names: [String]) throws -> Checksum {
    var result = Checksum()
    for name in names {
      let request: NSFetchRequest<Package> = Package.fetchRequest()
      request.predicate = NSPredicate(format: "name == %@", name)
      for package in try context.fetch(request) { result.add(package.name.utf8.count + package.version.utf8.count) }
    }
    return result
  }

  func byNameSQLite(_ names: [String]) -> Checksum {
    var result = Checksum()
    for name in names {
      let part = sum("SELECT name, version FROM package WHERE name = ?") { $0.bind(1, name) }
      result.rows += part.rows
      result.bytes += part.bytes
    }
    return result
  }

  func largest(_ context: NSManagedObjectContext) throws -> Checksum {
    let request: NSFetchRequest<Package> = Package.fetchRequest()
    request.sortDescriptors = [
      NSSortDescriptor(keyPath: \Package.installedKiB, ascending: false),
      NSSortDescriptor(keyPath: \Package.name, ascending: true),
    ]
    request.fetchLimit = 50
    return sum(try context.fetch(request))
  }

  func largestSQLite() -> Checksum {
    sum("SELECT name, version FROM package ORDER BY installed DESC, name LIMIT 50") { _ in }
  }

  func section(_ context: NSManagedObjectContext) throws -> Checksum {
    let request: NSFetchRequest<Package> = Package.fetchRequest()
    request.predicate = NSPredicate(format: "section.name == %@", "games")
    request.sortDescriptors = [NSSortDescriptor(keyPath: \Package.name, ascending: true)]
    return sum(try context.fetch(request))
  }

  func sectionSQLite() -> Checksum {
    sum(
      """
      SELECT p.name, p.version FROM package p JOIN section s ON s.id = p.section WHERE s.name = ? ORDER BY p.name
      """
    ) { $0.bind(1, "games") }
  }

  func neededBy(_ context: NSManagedObjectContext, _ names: [String]) throws -> Checksum {
    var result = Checksum()
    for name in names {
      let request: NSFetchRequest<Package> = Package.fetchRequest()
      request.predicate = NSPredicate(format: "name == %@", name)
      guard let package = try context.fetch(request).first else { continue }
      for dependency in package.neededBy as? Set<Dependency> ?? [] {
        result.add((dependency.package?.name.utf8.count ?? 0) + dependency.targetName.utf8.count)
      }
    }
    return result
  }

  func neededBySQLite(_ names: [String]) -> Checksum {
    var result = Checksum()
    for name in names {
      let part = sum(
        """
        SELECT p.name, d.target_name FROM package t JOIN dependency d ON d.target = t.id
        JOIN package p ON p.id = d.package WHERE t.name = ?
        """
      ) { $0.bind(1, name) }
      result.rows += part.rows
      result.bytes += part.bytes
    }
    return result
  }

  private func sum(_ packages: [Package]) -> Checksum {
    var result = Checksum()
    for package in packages { result.add(package.name.utf8.count + package.version.utf8.count) }
    return result
  }

  private func sum(_ sql: String, bind: (SQLiteDatabase.Statement) -> Void) -> Checksum {
    let statement = sqlite.database.statement(sql)
    bind(statement)
    var result = Checksum()
    while statement.next() { result.add(statement.textBytes(0) + statement.textBytes(1)) }
    return result
  }
}
