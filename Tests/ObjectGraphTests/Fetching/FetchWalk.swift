import Annals
import Foundation

@testable import ObjectGraph

/// Random objects with random pending changes in a context and in a child of it, and what fetches there must give: by
/// evaluating the predicate over every object in memory.
final class FetchWalk {
  struct Question: CustomStringConvertible {
    var entity: String
    var includesSubentities = true
    var includesPendingChanges = true
    var predicate: NSPredicate?
    var sort: [(key: String, isAscending: Bool)] = []
    var limit = 0
    var offset = 0

    var description: String {
      let flags = (includesSubentities ? "" : " without those below") + (includesPendingChanges ? "" : " as stored")
      let order = sort.map { "\($0.key)\($0.isAscending ? "" : " descending")" }.joined(separator: ", ")
      return
        "\(entity)\(flags) where \(predicate?.description ?? "anything") by [\(order)], \(limit) from \(offset)"
    }

    /// Simpler questions that may fail the same way.
    var simpler: [Question] {
      var questions: [Question] = []
      func add(_ change: (inout Question) -> Void) {
        var copy = self
        change(&copy)
        questions.append(copy)
      }
      if predicate != nil { add { $0.predicate = nil } }
      for part in (predicate as? NSCompoundPredicate)?.subpredicates ?? [] { add { $0.predicate = part } }
      for index in sort.indices { add { $0.sort.remove(at: index) } }
      if limit > 0 { add { $0.limit = 0 } }
      if offset > 0 { add { $0.offset = 0 } }
      if !includesSubentities { add { $0.includesSubentities = true } }
      return questions
    }
  }

  static let model: NSManagedObjectModel = {
    let model = GraphFixtures.model()
    model.entitiesByName["Project"]?.relationshipsByName["steps"]?.deleteRule = .nullifyDeleteRule
    model.entitiesByName["Worker"]?.relationshipsByName["badges"]?.deleteRule = .nullifyDeleteRule
    for (entity, key) in [("Worker", "name"), ("Worker", "age"), ("Department", "name"), ("Step", "text")] {
      let property = model.entitiesByName[entity]!.propertiesByName[key]!
      let element = NSFetchIndexElementDescription(property: property, collationType: .binary)
      model.entitiesByName[entity]!.indexes.append(NSFetchIndexDescription(name: "by\(key)", elements: [element]))
    }
    return model
  }()

  private let stack: GraphStack
  private let child: NSManagedObjectContext
  var random: RandomRelationshipTests.Generator
  /// Objects that are there, by context: 0 is the one on the store, 1 its child.
  private var living: [[NSManagedObject]] = [[], []]
  private static let names = ["Ada", "ada", "Bob", "Éve", "eve", "Zoe", "a longer name 1", "a longer name 2", ""]

  init(seed: UInt64) throws {
    stack = try GraphStack(Self.model)
    child = stack.context.child()
    random = RandomRelationshipTests.Generator(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
  }

  func context(_ layer: Int) -> NSManagedObjectContext { layer == 0 ? stack.context : child }

  private func pick(_ entity: String, _ layer: Int) -> NSManagedObject? {
    living[layer].filter { $0.entity.isKindOf(entity: Self.model.entitiesByName[entity]!) }
      .randomElement(using: &random)
  }

  /// Objects that the store has.
  func populate() throws {
    try stack.context.performAndWait {
      for _ in 0..<Int.random(in: 4...40, using: &random) { change(0, kind: Int.random(in: 0..<6, using: &random)) }
      for _ in 0..<60 { change(0) }
      try stack.context.save()
    }
  }

  /// Pending changes below, and then in the child: which must not learn of the former while it has some of its own.
  func disturb() throws {
    stack.context.performAndWait {
      if Bool.random(using: &random) { for _ in 0..<Int.random(in: 1...8, using: &random) { change(0) } }
      stack.context.processPendingChanges()
    }
    try child.performAndWait {
      child.reset()
      living[1] = try ["Worker", "Department", "Project", "Step"].flatMap { try child.all($0) }
      if Bool.random(using: &random) { for _ in 0..<Int.random(in: 1...8, using: &random) { change(1) } }
    }
  }

  private func change(_ layer: Int, kind: Int? = nil) {
    let context = context(layer)
    switch kind ?? Int.random(in: 0..<16, using: &random) {
    case 0, 1, 2:
      let entity = Int.random(in: 0..<4, using: &random) == 0 ? "Manager" : "Worker"
      living[layer].append(context.make(entity))
      decorate(living[layer].last!)
    case 3: make("Department", "name", layer)
    case 4: make("Project", "title", layer)
    case 5: make("Step", "text", layer)
    case 6, 7, 8: if let worker = pick("Worker", layer) { decorate(worker) }
    case 9: pick("Department", layer)?.setValue(name(), forKey: "name")
    case 10: pick("Worker", layer)?.setValue(pick("Department", layer), forKey: "department")
    case 11, 12:
      guard let worker = pick("Worker", layer), let project = pick("Project", layer) else { return }
      let projects = worker.mutableSetValue(forKey: "projects")
      if projects.contains(project) { projects.remove(project) } else { projects.add(project) }
    case 13:
      pick("Step", layer)?.setValue(pick("Project", layer), forKey: "project")
    case 14:
      guard let worker = pick("Worker", layer), let friend = pick("Worker", layer) else { return }
      worker.mutableSetValue(forKey: "friends").add(friend)
    default:
      let entity = ["Worker", "Department", "Project", "Step"].randomElement(using: &random)!
      guard let object = pick(entity, layer) else { return }
      context.delete(object)
      living[layer].removeAll { $0 === object }
    }
  }

  private func make(_ entity: String, _ key: String, _ layer: Int) {
    living[layer].append(context(layer).make(entity))
    living[layer].last?.setValue(name(), forKey: key)
  }

  private func name() -> String? {
    Int.random(in: 0..<8, using: &random) == 0 ? nil : Self.names.randomElement(using: &random)
  }

  private func decorate(_ worker: NSManagedObject) {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: worker.setValue(name(), forKey: "name")
    case 1: worker.setValue(Int.random(in: 0..<6, using: &random), forKey: "age")
    case 2: worker.setValue(Double(Int.random(in: 0..<8, using: &random)) / 2, forKey: "salary")
    default:
      worker.setValue(name(), forKey: "name")
      worker.setValue(Int.random(in: 0..<6, using: &random), forKey: "age")
      worker.setValue(name(), forKey: "nickname")
    }
  }

  // MARK: Questions

  private func leaf(_ entity: String) -> String {
    let quoted = "'\(Self.names.randomElement(using: &random)!)'"
    let number = Int.random(in: 0..<6, using: &random)
    let sign = ["==", "==", "!=", "<", ">=", ">"].randomElement(using: &random)!
    let choices: [String]
    switch entity {
    case "Department":
      choices = ["name \(sign) \(quoted)", "workers.@count \(sign) \(number)", "ANY workers.age \(sign) \(number)"]
    case "Project":
      choices = [
        "title \(sign) \(quoted)", "ANY workers.name \(sign) \(quoted)", "steps.@count > 0",
        "ANY steps.text == \(quoted)",
      ]
    case "Step": choices = ["text \(sign) \(quoted)", "project == nil", "project.title \(sign) \(quoted)"]
    default:
      choices = [
        "name \(sign) \(quoted)", "age \(sign) \(number)", "age IN {\(number), 1}",
        "salary \(sign) \(Double(number) / 2)",
        "name BEGINSWITH[cd] 'e'", "name BEGINSWITH 'a longer name'", "nickname == name", "name LIKE[c] 'a*'",
        "department.name \(sign) \(quoted)", "department == nil", "ANY projects.title \(sign) \(quoted)",
        "projects.@count \(sign) \(number % 3)", "NONE projects.title == \(quoted)", "age == friends.@count",
        "SUBQUERY(projects, $p, $p.title == \(quoted) AND $p.workers.@count > 1).@count > 0",
        "age BETWEEN {1, \(number)}",
        "ALL friends.age \(sign) \(number)", "department.workers.@count > \(number)",
        "ANY friends.department.name != nil",
        "ANY projects.steps.text == \(quoted)", "name == nil", "desk == nil",
      ]
    }
    return choices.randomElement(using: &random)!
  }

  private func format(_ entity: String, depth: Int) -> String {
    switch Int.random(in: 0..<8, using: &random) {
    case 0,
      1 where depth > 0:
      return "(\(format(entity, depth: depth - 1))) AND (\(format(entity, depth: depth - 1)))"
    case 2,
      3 where depth > 0:
      return "(\(format(entity, depth: depth - 1))) OR (\(format(entity, depth: depth - 1)))"
    case 4 where depth > 0: return "NOT (\(format(entity, depth: depth - 1)))"
    default: return leaf(entity)
    }
  }

  func question() throws -> Question {
    let entities = ["Worker", "Worker", "Worker", "Manager", "Department", "Project", "Step"]
    var question = Question(entity: entities.randomElement(using: &random)!)
    question.includesSubentities = Int.random(in: 0..<5, using: &random) > 0
    question.includesPendingChanges = Int.random(in: 0..<5, using: &random) > 0
    if Int.random(in: 0..<10, using: &random) > 0 {
      question.predicate = try NSPredicate(
        parsing: format(question.entity, depth: Int.random(in: 0...2, using: &random)), arguments: [])
    }
    let keys: [String] =
      switch question.entity {
      case "Department": ["name"]
      case "Project": ["title"]
      case "Step": ["text", "project.title"]
      default: ["name", "age", "age", "salary", "department.name", "nickname"]
      }
    question.sort = (0..<Int.random(in: 0...2, using: &random)).map { _ in
      (keys.randomElement(using: &random)!, Bool.random(using: &random))
    }
    question.limit = [0, 0, 1, 3, 8].randomElement(using: &random)!
    question.offset = [0, 0, 0, 1, 4].randomElement(using: &random)!
    return question
  }

  private func request<Result>(_ question: Question, _: Result.Type) -> NSFetchRequest<Result> {
    let request = NSFetchRequest<Result>(entityName: question.entity)
    request.predicate = question.predicate
    request.sortDescriptors = question.sort.map { NSSortDescriptor(key: $0.key, ascending: $0.isAscending) }
    request.fetchLimit = question.limit
    request.fetchOffset = question.offset
    request.includesSubentities = question.includesSubentities
    request.includesPendingChanges = question.includesPendingChanges
    return request
  }

  /// What a fetch gives that it should not; `nil` if all is well.
  func failure(_ question: Question, layer: Int) throws -> String? {
    if !question.includesPendingChanges {
      let sibling = stack.sibling()
      let wanted = try sibling.performAndWait {
        let all = try ["Worker", "Department", "Project", "Step"].flatMap { try sibling.all($0) }
        return try answer(question, among: all).map(\.objectID)
      }
      return try context(layer).performAndWait {
        let found = try context(layer).fetch(request(question, NSManagedObject.self)).map(\.objectID)
        return found == wanted ? nil : "\(found) instead of \(wanted)"
      }
    }
    return try context(layer).performAndWait {
      let wanted = try answer(question, among: living[layer])
      let found = try context(layer).fetch(request(question, NSManagedObject.self))
      if found != wanted { return "\(found.map(text)) instead of \(wanted.map(text))" }
      let ids = request(question, NSManagedObjectID.self)
      ids.resultType = .managedObjectIDResultType
      if try context(layer).fetch(ids) != wanted.map(\.objectID) { return "other identifiers than objects" }
      let count = try context(layer).count(for: request(question, NSManagedObject.self))
      return count == wanted.count ? nil : "counted \(count), fetched \(wanted.count)"
    }
  }

  private func text(_ object: NSManagedObject) -> String {
    "\(object.entity.name!) \(object.key): \(object.dictionaryWithValues(forKeys: Array(object.entity.attributesByName.keys)))"
  }

  private func answer(_ question: Question, among all: [NSManagedObject]) throws -> [NSManagedObject] {
    let entity = Self.model.entitiesByName[question.entity]!
    var found: [NSManagedObject] = []
    for object in all {
      guard question.includesSubentities ? object.entity.isKindOf(entity: entity) : object.entity == entity else {
        continue
      }
      if question.predicate?.evaluate(with: object) ?? true { found.append(object) }
    }
    found.sort { a, b in
      for (key, isAscending) in question.sort {
        let order = compare(a.value(forKeyPath: key), b.value(forKeyPath: key))
        if order != 0 { return (order < 0) == isAscending }
      }
      return a.key < b.key
    }
    let rest = found.dropFirst(question.offset)
    return Array(question.limit > 0 ? rest.prefix(question.limit) : rest)
  }

  private func compare(_ a: Any?, _ b: Any?) -> Int {
    switch (a, b) {
    case (nil, nil): return 0
    case (nil, _): return -1
    case (_, nil): return 1
    case (let a as String, let b as String):
      if a.utf8.elementsEqual(b.utf8) { return 0 }
      return a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars) ? -1 : 1
    case (let a as NSNumber, let b as NSNumber): return a.compare(b).rawValue
    default: return 0
    }
  }
}
