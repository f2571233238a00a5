import CoreData

/// Shelves in order of books, books with authors (many to many), notes that go with their book, and a unique code.
final class LibraryFixture: @unchecked Sendable {
  // unchecked: the context guards what is in it; the rest is fixed.
  let coordinator: NSPersistentStoreCoordinator
  let context: NSManagedObjectContext

  static func model() -> NSManagedObjectModel {
    let shelf = entity("Shelf", ["name": .stringAttributeType])
    let book = entity(
      "Book",
      [
        "title": .stringAttributeType, "genre": .stringAttributeType, "code": .stringAttributeType,
        "pages": .integer32AttributeType, "isLoved": .booleanAttributeType,
      ])
    book.attributesByName["isLoved"]?.defaultValue = false
    book.attributesByName["pages"]?.defaultValue = 100
    book.uniquenessConstraints = [["code"]]
    let novel = entity("Novel", ["hero": .stringAttributeType])
    let author = entity("Author", ["name": .stringAttributeType])
    let note = entity("Note", ["text": .stringAttributeType])
    let loan = entity("Loan", ["to": .stringAttributeType])
    book.subentities = [novel]
    join(shelf, "books", 0, book, "shelf", 1, isOrdered: true)
    join(book, "authors", 0, author, "books", 0)
    join(book, "notes", 0, note, "book", 1)
    join(book, "loan", 1, loan, "book", 1)
    book.relationshipsByName["notes"]?.deleteRule = .cascadeDeleteRule
    loan.relationshipsByName["book"]?.isOptional = false
    let model = NSManagedObjectModel()
    model.entities = [shelf, book, novel, author, note, loan]
    return model
  }

  private static func entity(_ name: String, _ attributes: [String: NSAttributeType]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes.sorted { $0.key < $1.key }.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      attribute.isOptional = true
      return attribute
    }
    return entity
  }

  private static func join(
    _ a: NSEntityDescription, _ aName: String, _ aMax: Int, _ b: NSEntityDescription, _ bName: String, _ bMax: Int,
    isOrdered: Bool = false
  ) {
    let there = NSRelationshipDescription()
    let back = NSRelationshipDescription()
    for (relationship, name, destination, maximum) in [(there, aName, b, aMax), (back, bName, a, bMax)] {
      relationship.name = name
      relationship.destinationEntity = destination
      relationship.maxCount = maximum
      relationship.isOptional = true
      relationship.deleteRule = .nullifyDeleteRule
    }
    there.isOrdered = isOrdered
    there.inverseRelationship = back
    back.inverseRelationship = there
    a.properties.append(there)
    b.properties.append(back)
  }

  /// - Parameter url: where the store is; in memory of its own without one.
  init(at url: URL? = nil) throws {
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
    try coordinator.addPersistentStore(
      ofType: url == nil ? NSInMemoryStoreType : NSSQLiteStoreType, configurationName: nil,
      at: url ?? URL(fileURLWithPath: "/dev/null"))
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
  }

  func sibling() -> NSManagedObjectContext {
    let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    other.persistentStoreCoordinator = coordinator
    return other
  }

  /// A new object with some values, in the context or another.
  @discardableResult
  func add(_ entity: String, _ values: [String: Any] = [:], in other: NSManagedObjectContext? = nil) -> NSManagedObject
  {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: other ?? context)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  /// Values of an attribute that another context finds, sorted.
  func saved(_ entity: String, _ key: String = "title") throws -> [String] {
    let other = sibling()
    return try other.performAndWait {
      try other.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).map {
        $0.value(forKey: key) as? String ?? "-"
      }
      .sorted()
    }
  }
}

extension NSManagedObject {
  func text(_ key: String) -> String? { value(forKey: key) as? String }
  func one(_ key: String) -> NSManagedObject? { value(forKey: key) as? NSManagedObject }
  func many(_ key: String) -> Set<NSManagedObject> { value(forKey: key) as? Set<NSManagedObject> ?? [] }
  func list(_ key: String) -> [NSManagedObject] {
    (value(forKey: key) as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
  }
}
