import Annals
import Foundation

@testable import ObjectGraph

/// A sequence of steps in several contexts, done to the package and to the reference alike.
final class GraphWalk {
  struct Step: CustomStringConvertible {
    let layer: Int
    let kind: Int
    let first: Int
    let second: Int

    static let names = [
      "insert", "name", "department", "workers", "link", "unlink", "delete", "save", "rollback", "refresh",
    ]
    /// How often each kind is drawn.
    static let weights = [0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5, 5, 6, 7, 7, 8, 9]

    var description: String { "\(Self.names[kind]) in \(layer) (\(first), \(second))" }
  }

  static func steps(seed: UInt64, count: Int) -> [Step] {
    var random = RandomRelationshipTests.Generator(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
    return (0..<count).map { _ in
      let layer = Int.random(in: 0..<4, using: &random)
      let kind: Int = Step.weights[Int.random(in: 0..<Step.weights.count, using: &random)]
      let (first, second) = (Int.random(in: 0..<1000, using: &random), Int.random(in: 0..<1000, using: &random))
      return Step(layer: layer, kind: kind, first: first, second: second)
    }
  }

  /// Two roots over one store, a child on the first, a grandchild on that.
  private static let below: [Int?] = [nil, nil, 0, 2]
  private var reference = ReferenceGraph(below: GraphWalk.below)
  private let stack: GraphStack
  private let contexts: [NSManagedObjectContext]
  private let saves: [MergingTests.Saves]
  private var ids: [Int: NSManagedObjectID] = [:]
  private var next = 0

  init(model: NSManagedObjectModel) throws {
    stack = try GraphStack(model)
    let (first, second) = (stack.context, stack.sibling())
    let child = first.child()
    contexts = [first, second, child, child.child()]
    saves = [MergingTests.Saves(first), MergingTests.Saves(second)]
  }

  static func model() -> NSManagedObjectModel { GraphFixtures.model() }

  /// What went wrong; `nil` if nothing.
  static func failure(_ steps: [Step], model: NSManagedObjectModel) -> String? {
    do {
      let walk = try GraphWalk(model: model)
      for (number, step) in steps.enumerated() {
        if let failure = try walk.run(step) { return "step \(number), \(step): \(failure)" }
      }
      return nil
    } catch { return "threw \(error)" }
  }

  private func run(_ step: Step) throws -> String? {
    let context: NSManagedObjectContext = contexts[step.layer]
    return try context.performAndWait {
      if GraphWalk.below[step.layer] != nil { refresh(step.layer) }
      try act(step, context)
      context.processPendingChanges()
      // A child shows its parent's state once it is refreshed.
      reference.normalise(step.layer)
      if GraphWalk.below[step.layer] != nil { refresh(step.layer) }
      return try difference(step.layer, context)
    }
  }

  /// With what it stands on, which else shows it values from before.
  private func refresh(_ layer: Int) {
    if let parent = GraphWalk.below[layer], GraphWalk.below[parent] != nil {
      contexts[parent].performAndWait { refresh(parent) }
    }
    contexts[layer].refreshAllObjects()
    contexts[layer].processPendingChanges()
    reference.normalise(layer)
  }

  private func act(_ step: Step, _ context: NSManagedObjectContext) throws {
    let layer: Int = step.layer
    switch step.kind {
    case 0: insert(step, context)
    case 1:
      guard let object = pick(nil, step.first, layer) else { return }
      at(object, context).setValue("\(step.second)", forKey: key(object, layer))
      reference.pending[layer].names[object] = step.second
    case 2, 3: relate(step, context)
    case 4, 5: link(step, context)
    case 6:
      guard let object = pick(nil, step.first, layer), isFree(object, layer) else { return }
      context.delete(at(object, context))
      context.processPendingChanges()
      reference.delete(object, in: layer)
    case 7: try save(layer, context)
    case 8:
      let descendants: [Int] = contexts.indices.filter { reference.isAncestor(layer, of: $0) }
      guard descendants.allSatisfy({ reference.pending[$0].isEmpty }) else { return }
      context.rollback()
      reference.pending[layer] = ReferenceGraph.Pending()
    default: refresh(layer)
    }
  }

  private func insert(_ step: Step, _ context: NSManagedObjectContext) {
    let kind: ReferenceGraph.Kind = ReferenceGraph.Kind.allCases[step.first % 3]
    let object: NSManagedObject = context.make(["Worker", "Department", "Project"][kind.rawValue])
    ids[next] = object.objectID
    reference.pending[step.layer].inserted[next] = kind
    next += 1
  }

  private func relate(_ step: Step, _ context: NSManagedObjectContext) {
    let layer: Int = step.layer
    guard let worker = pick(.worker, step.first, layer) else { return }
    guard step.second % 4 != 0, let department = pick(.department, step.second, layer) else {
      at(worker, context).setValue(nil, forKey: "department")
      reference.pending[layer].departments[worker] = .some(nil)
      return
    }
    if step.kind == 2 {
      at(worker, context).setValue(at(department, context), forKey: "department")
    } else {
      at(department, context).mutableSetValue(forKey: "workers").add(at(worker, context))
    }
    reference.pending[layer].departments[worker] = .some(department)
  }

  private func link(_ step: Step, _ context: NSManagedObjectContext) {
    guard let worker = pick(.worker, step.first, step.layer), let project = pick(.project, step.second, step.layer)
    else { return }
    let isFromWorker: Bool = step.first % 2 == 0
    let owner: NSManagedObject = at(isFromWorker ? worker : project, context)
    let member: NSManagedObject = at(isFromWorker ? project : worker, context)
    let set: NSMutableSet = owner.mutableSetValue(forKey: isFromWorker ? "projects" : "workers")
    if step.kind == 4 { set.add(member) } else { set.remove(member) }
    let pair = ReferenceGraph.Pair(worker: worker, project: project)
    if step.kind == 4 || reference.state(step.layer).links.contains(pair) {
      reference.link(pair, step.kind == 4, in: step.layer)
    }
  }

  private func save(_ layer: Int, _ context: NSManagedObjectContext) throws {
    try context.save()
    reference.save(layer)
    guard GraphWalk.below[layer] == nil, let notification = saves[layer].notification else { return }
    contexts[1 - layer].mergeChanges(fromContextDidSave: notification)
    reference.normalise(1 - layer)
  }

  // MARK: choosing

  /// Objects that nobody else is deleting.
  private func pick(_ kind: ReferenceGraph.Kind?, _ number: Int, _ layer: Int) -> Int? {
    let state: ReferenceGraph.State = reference.state(layer)
    let objects: [Int] = (kind.map { state.objects($0) } ?? state.kinds.keys.sorted()).filter { object in
      !contexts.indices.contains { $0 != layer && reference.pending[$0].deleted.contains(object) }
    }
    return objects.isEmpty ? nil : objects[number % objects.count]
  }

  /// Whether no other context but those underneath has anything to do with an object.
  private func isFree(_ object: Int, _ layer: Int) -> Bool {
    !contexts.indices.contains { other in
      other != layer && !reference.isAncestor(other, of: layer) && reference.pending[other].mentions(object)
    }
  }

  private func at(_ object: Int, _ context: NSManagedObjectContext) -> NSManagedObject {
    context.object(with: ids[object]!)
  }

  private func key(_ object: Int, _ layer: Int) -> String {
    reference.state(layer).kinds[object] == .project ? "title" : "name"
  }

  // MARK: comparing

  private func difference(_ layer: Int, _ context: NSManagedObjectContext) throws -> String? {
    let state: ReferenceGraph.State = reference.state(layer)
    var numbers: [ObjectIdentifier: Int] = [:]
    // Held, since contexts don't.
    let objects: [Int: NSManagedObject] = state.kinds.reduce(into: [:]) { $0[$1.key] = at($1.key, context) }
    for (number, object) in objects { numbers[ObjectIdentifier(object)] = number }
    defer { withExtendedLifetime(objects) {} }
    func known(_ objects: some Sequence<NSManagedObject>) -> Set<Int> {
      Set(objects.map { numbers[ObjectIdentifier($0)] ?? -1 })
    }
    guard numbers.count == state.kinds.count else { return "two objects are one" }
    for (kind, entity) in zip(ReferenceGraph.Kind.allCases, ["Worker", "Department", "Project"]) {
      let found: [NSManagedObject] = try context.all(entity)
      guard known(found) == Set(state.objects(kind)), found.count == state.objects(kind).count else {
        return "fetched \(entity)s \(known(found).sorted()), not \(state.objects(kind))"
      }
    }
    for (object, kind) in state.kinds {
      let here: NSManagedObject = at(object, context)
      let name: String? = here.text(kind == .project ? "title" : "name")
      guard name == state.names[object].map({ "\($0)" }) else { return "\(kind) \(object) has the name \(name ?? "-")" }
      if let fault = relationships(object, kind, here, state, known) { return "\(kind) \(object): \(fault)" }
    }
    return nil
  }

  private func relationships(
    _ object: Int, _ kind: ReferenceGraph.Kind, _ here: NSManagedObject, _ state: ReferenceGraph.State,
    _ known: ([NSManagedObject]) -> Set<Int>
  ) -> String? {
    func compare(_ key: String, _ expected: Set<Int>) -> String? {
      let found: Set<Int> = known(Array(here.related(key)))
      return found == expected ? nil : "\(key) are \(found.sorted()), not \(expected.sorted())"
    }
    switch kind {
    case .worker:
      let department: Set<Int> = known(here.one("department").map { [$0] } ?? [])
      let expected: Set<Int> = Set(state.departments[object].map { [$0] } ?? [])
      guard department == expected else { return "department is \(department), not \(expected)" }
      return compare("projects", Set(state.links.filter { $0.worker == object }.map { $0.project }))
    case .department: return compare("workers", Set(state.departments.filter { $0.value == object }.keys))
    case .project: return compare("workers", Set(state.links.filter { $0.project == object }.map { $0.worker }))
    }
  }
}
