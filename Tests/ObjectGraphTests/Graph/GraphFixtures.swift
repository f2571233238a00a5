import Annals
import Foundation

@testable import ObjectGraph

/// An object of the fixtures that writes down what happens to it, and does what a test asks for in its hooks.
final class Worker: NSManagedObject {
  var log: [String] = []
  var onFetch: ((Worker) -> Void)?
  var onWillSave: ((Worker) -> Void)?
  var onPrepare: ((Worker) -> Void)?
  var extraProblem: (any Error)?
  nonisolated(unsafe) static var whenFetched: ((Worker) -> Void)?

  override func awakeFromInsert() {
    super.awakeFromInsert()
    log.append("awakeFromInsert")
  }
  override func awakeFromFetch() {
    super.awakeFromFetch()
    log.append("awakeFromFetch")
    Worker.whenFetched?(self)
  }
  override func prepareForDeletion() {
    super.prepareForDeletion()
    log.append("prepareForDeletion")
    onPrepare?(self)
  }
  override func willSave() {
    super.willSave()
    log.append(isDeleted ? "willSave deleted" : "willSave")
    onWillSave?(self)
  }
  override func didSave() {
    super.didSave()
    log.append("didSave")
  }
  override func willTurnIntoFault() {
    super.willTurnIntoFault()
    log.append("willTurnIntoFault")
  }
  override func didTurnIntoFault() {
    super.didTurnIntoFault()
    log.append("didTurnIntoFault")
  }
  override func validateForInsert() throws {
    var problems: [any Error] = []
    do { try super.validateForInsert() } catch { problems += ValidationErrors.parts(of: error) }
    if let extraProblem { problems.append(extraProblem) }
    try ValidationErrors.throwIfAny(problems)
  }
}

/// Departments with workers, desks one to one, projects many to many, steps in order, and what the rules need.
enum GraphFixtures {
  static func model() -> NSManagedObjectModel {
    let department = entity("Department", [("name", .stringAttributeType)])
    let worker = entity(
      "Worker",
      [
        ("name", .stringAttributeType), ("age", .integer16AttributeType), ("salary", .doubleAttributeType),
        ("nickname", .stringAttributeType),
      ])
    worker.managedObjectClassName = NSStringFromClass(Worker.self)
    let temporary = NSAttributeDescription()
    temporary.name = "mood"
    temporary.attributeType = .stringAttributeType
    temporary.isTransient = true
    worker.properties.append(temporary)
    let desk = entity("Desk", [("number", .integer32AttributeType)])
    let project = entity("Project", [("title", .stringAttributeType)])
    let step = entity("Step", [("text", .stringAttributeType)])
    let badge = entity("Badge", [("code", .stringAttributeType)])
    let manager = entity("Manager", [("level", .integer64AttributeType)])
    manager.managedObjectClassName = NSStringFromClass(NSManagedObject.self)
    worker.subentities = [manager]
    join(department, "workers", 0, worker, "department", 1)
    join(worker, "desk", 1, desk, "worker", 1)
    join(worker, "projects", 0, project, "workers", 0)
    join(project, "steps", 0, step, "project", 1, isOrdered: true)
    join(worker, "badges", 0, badge, "owner", 1)
    join(worker, "friends", 0, worker, "friendOf", 0)
    project.relationshipsByName["steps"]?.deleteRule = .cascadeDeleteRule
    worker.relationshipsByName["badges"]?.deleteRule = .denyDeleteRule
    badge.relationshipsByName["owner"]?.deleteRule = .noActionDeleteRule
    let model = NSManagedObjectModel()
    model.entities = [department, worker, desk, project, step, badge, manager]
    return model
  }

  static func entity(_ name: String, _ attributes: [(String, NSAttributeType)]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      return attribute
    }
    return entity
  }

  static func join(
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
}

/// A store in memory and contexts on it.
final class GraphStack: @unchecked Sendable {
  let coordinator: NSPersistentStoreCoordinator
  let context: NSManagedObjectContext

  init(_ model: NSManagedObjectModel = GraphFixtures.model()) throws {
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"))
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
  }

  /// How many objects another context finds.
  func savedCount(_ entity: String) throws -> Int {
    let other = sibling()
    return try other.performAndWait { try other.count(for: NSFetchRequest<NSManagedObject>(entityName: entity)) }
  }

  func sibling() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }
}

extension NSManagedObjectContext {
  /// A new object with some values.
  func make(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
    let description = persistentStoreCoordinator!.managedObjectModel.entitiesByName[entity]!
    let object = ModelInfo.entity(of: description).objectClass.init(entity: description, insertInto: self)
    object.setValuesForKeys(values)
    return object
  }

  func makeWorker(_ name: String) -> Worker { make("Worker", ["name": name]) as! Worker }

  func all(_ entity: String) throws -> [NSManagedObject] {
    try fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
  }
}

extension NSManagedObject {
  func related(_ key: String) -> Set<NSManagedObject> {
    (value(forKey: key) as? NSSet).map { Set($0.allObjects.map { $0 as! NSManagedObject }) } ?? []
  }
  func ordered(_ key: String) -> [NSManagedObject] {
    (value(forKey: key) as? NSOrderedSet)?.array.map { $0 as! NSManagedObject } ?? []
  }
  func one(_ key: String) -> NSManagedObject? { value(forKey: key) as? NSManagedObject }
  func text(_ key: String) -> String? { value(forKey: key) as? String }
}

/// The single errors of a save or a validation, by code and key.
func problems(_ body: () throws -> Void) -> [String] {
  do { try body() } catch {
    return ValidationErrors.parts(of: error).map { part in
      let error = part as NSError
      return "\(error.code) \(error.userInfo[NSValidationKeyErrorKey] ?? "-")"
    }.sorted()
  }
  return []
}

/// Writes down a context's notifications, as names of keys to names of objects.
final class Listener: @unchecked Sendable {
  private let lock = NSLock()
  private var token: (any NSObjectProtocol)?
  private var heard: [[AnyHashable: Any]] = []

  init(_ name: Notification.Name, _ context: NSManagedObjectContext) {
    token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [weak self] note in
      guard let self else { return }
      self.lock.withLock { self.heard.append(note.userInfo ?? [:]) }
    }
  }

  deinit { if let token { NotificationCenter.default.removeObserver(token) } }

  var sets: [[String: Set<NSManagedObject>]] {
    lock.withLock {
      heard.map { info in
        var sets: [String: Set<NSManagedObject>] = [:]
        for (key, value) in info { sets[key as! String] = value as? Set<NSManagedObject> ?? [] }
        return sets
      }
    }
  }

  func clear() { lock.withLock { heard = [] } }
}
