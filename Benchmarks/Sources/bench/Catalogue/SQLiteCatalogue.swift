/// The same catalogue in SQLite: the tables, indexes and derived values that the model asks for.
final class SQLiteCatalogue {
  let database: SQLiteDatabase
  private var sections: [String: Int64] = [:]
  private var maintainers: [String: Int64] = [:]
  private var tags: [String: Int64] = [:]
  private var packages: [String: Int64] = [:]
  private var unresolved: [String: [Int64]] = [:]

  init(path: String) {
    database = SQLiteDatabase(path: path)
    database.run(
      """
      CREATE TABLE section(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, package_count INTEGER NOT NULL DEFAULT 0);
      CREATE TABLE maintainer(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, package_count INTEGER NOT NULL DEFAULT 0);
      CREATE TABLE tag(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, package_count INTEGER NOT NULL DEFAULT 0);
      CREATE TABLE package(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, search_name TEXT, version TEXT NOT NULL,
        summary TEXT NOT NULL, homepage TEXT, download INTEGER, installed INTEGER, fingerprint INTEGER,
        section INTEGER, maintainer INTEGER);
      CREATE INDEX package_section ON package(section);
      CREATE INDEX package_maintainer ON package(maintainer);
      CREATE TABLE package_tag(package INTEGER, tag INTEGER, PRIMARY KEY(package, tag)) WITHOUT ROWID;
      CREATE INDEX tag_package ON package_tag(tag, package);
      CREATE TABLE dependency(id INTEGER PRIMARY KEY, package INTEGER NOT NULL, target INTEGER, target_name TEXT NOT NULL,
        version_constraint TEXT, alternatives INTEGER, is_pre INTEGER);
      CREATE INDEX dependency_package ON dependency(package);
      CREATE INDEX dependency_target ON dependency(target);
      CREATE TRIGGER section_count AFTER INSERT ON package BEGIN
        UPDATE section SET package_count = package_count + 1 WHERE id = new.section;
        UPDATE maintainer SET package_count = package_count + 1 WHERE id = new.maintainer;
      END;
      CREATE TRIGGER tag_count AFTER INSERT ON package_tag BEGIN
        UPDATE tag SET package_count = package_count + 1 WHERE id = new.tag;
      END;
      """)
  }

  func load(_ rows: CatalogueRows, packagesPerTransaction: Int = 1000) {
    var start = 0
    while start < rows.packages.count {
      let batch = rows.packages[start..<min(start + packagesPerTransaction, rows.packages.count)]
      database.run("BEGIN IMMEDIATE")
      for package in batch { insert(package) }
      for package in batch { insertDependencies(of: package) }
      for package in batch { resolve(package.name) }
      database.run("COMMIT")
      start += packagesPerTransaction
    }
  }

  private func id(of name: String, in table: String, _ known: inout [String: Int64]) -> Int64 {
    if let id = known[name] { return id }
    let insert = database.statement("INSERT INTO \(table)(name) VALUES(?)")
    insert.bind(1, name)
    insert.run()
    let id = database.lastInsertID
    known[name] = id
    return id
  }

  private func insert(_ package: CatalogueRows.Package) {
    let section = package.section.map { id(of: $0, in: "section", &sections) }
    let maintainer = package.maintainer.map { id(of: $0, in: "maintainer", &maintainers) }
    let insert = database.statement(
      """
      INSERT INTO package(name, search_name, version, summary, homepage, download, installed, fingerprint, section,
      maintainer) VALUES(?,?,?,?,?,?,?,?,?,?)
      """)
    insert.bind(1, package.name)
    insert.bind(2, package.name.lowercased())
    insert.bind(3, package.version)
    insert.bind(4, package.summary)
    insert.bind(5, package.homepage)
    insert.bind(6, package.downloadBytes)
    insert.bind(7, package.installedKiB)
    insert.bind(8, package.fingerprint)
    insert.bind(9, section)
    insert.bind(10, maintainer)
    insert.run()
    let key = database.lastInsertID
    packages[package.name] = key
    for tag in package.tags {
      let link = database.statement("INSERT OR IGNORE INTO package_tag VALUES(?,?)")
      link.bind(1, key)
      link.bind(2, id(of: tag, in: "tag", &tags))
      link.run()
    }
  }

  private func insertDependencies(of package: CatalogueRows.Package) {
    for dependency in package.dependencies {
      let target = packages[dependency.targetName]
      let insert = database.statement(
        """
        INSERT INTO dependency(package, target, target_name, version_constraint, alternatives, is_pre)
        VALUES(?,?,?,?,?,?)
        """)
      insert.bind(1, packages[package.name])
      insert.bind(2, target)
      insert.bind(3, dependency.targetName)
      insert.bind(4, dependency.constraint)
      insert.bind(5, dependency.group)
      insert.bind(6, dependency.isPre ? 1 : 0)
      insert.run()
      if target == nil { unresolved[dependency.targetName, default: []].append(database.lastInsertID) }
    }
  }

  private func resolve(_ name: String) {
    guard let waiting = unresolved.removeValue(forKey: name) else { return }
    for dependency in waiting {
      let update = database.statement("UPDATE dependency SET target = ? WHERE id = ?")
      update.bind(1, packages[name])
      update.bind(2, dependency)
      update.run()
    }
  }
}
