import Annals
import Foundation

@testable import ObjectGraph

/// A sequence of steps in a context with an undo manager, done to the package and to the model alike. Another context
/// saves changes of an attribute of its own meanwhile, which undoing must leave alone.
final class UndoWalk {
  struct Step: CustomStringConvertible {
    enum Kind: String, CaseIterable {
      case insert, name, department, workers, desk, deskOwner, link, unlink, friend, unfriend, addStep, moveSteps
      case stepOwner, replaceSteps, delete, end, undo, redo, save, rollback, refresh, foreign

      /// How often it is drawn.
      var weight: Int {
        switch self {
        case .insert, .end: 5
        case .undo: 4
        case .redo, .delete: 3
        case .save, .name, .addStep: 2
        default: 1
        }
      }
    }
    let kind: Kind
    let first: Int
    let second: Int

    var description: String { "\(kind) (\(first), \(second))" }
  }

  private static let drawn: [Step.Kind] = Step.Kind.allCases.flatMap { Array(repeating: $0, count: $0.weight) }

  static func steps(seed: UInt64, count: Int) -> [Step] {
    var random = RandomRelationshipTests.Generator(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 3)
    return (0..<count).map { _ in
      let kind: Step.Kind = drawn[Int.random(in: 0..<drawn.count, using: &random)]
      let (first, second) = (Int.random(in: 0..<1000, using: &random), Int.random(in: 0..<1000, using: &random))
      return Step(kind: kind, first: first, second: second)
    }
  }

  private var model = UndoModel()
  private let stack: GraphStack
  private let context: NSManagedObjectContext
  private let manager = UndoManager()
  /// `nil` where the context is a child: what its parent merges is not its business until it is refreshed.
  private let foreign: NSManagedObjectContext?
  private var objects: [Int: NSManagedObject] = [:]
  /// What the other context has set.
  private var salaries: [Int: Int] = [:]
  private var next = 0

  init(model: NSManagedObjectModel, isChild: Bool) throws {
    stack = try GraphStack(model)
    context = isChild ? stack.context.child() : stack.context
    foreign = isChild ? nil : stack.sibling()
    let (context, manager) = (context, manager)
    context.performAndWait {
      context.undoManager = manager
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    }
  }

  /// What went wrong; `nil` if nothing.
  static func failure(_ steps: [Step], model: NSManagedObjectModel, isChild: Bool) -> String? {
    do {
      let walk = try UndoWalk(model: model, isChild: isChild)
      return try walk.context.performAndWait { () throws -> String? in
        for (number, step) in steps.enumerated() {
          if let failure = try walk.run(step) { return "step \(number), \(step): \(failure)" }
        }
        if let failure = walk.endEvent() { return "at the end: \(failure)" }
        return try walk.storedDifference().map { "in the store: \($0)" }
      }
    } catch { return "threw \(error)" }
  }

  // MARK: steps

  private func run(_ step: Step) throws -> String? {
    switch step.kind {
    case .end: return try endEvent() ?? difference(context)
    case .undo, .redo, .save, .rollback, .refresh, .foreign:
      if let failure = endEvent() { return failure }
      try control(step)
      return try difference(context) ?? countDifference()
    case .delete:
      guard let number = pick(nil, step.first), let object = objects[number] else { return nil }
      context.delete(object)
      model.now.delete(number)
      return endEvent()
    default:
      change(step)
      return nil
    }
  }

  private func endEvent() -> String? {
    let count: Int = manager.undoStack.count
    context.processPendingChanges()
    let isStep: Bool = manager.undoStack.count > count
    guard isStep || !model.eventChanged else { return "an event that changed something can't be undone" }
    model.endEvent(isStep: isStep)
    return countDifference()
  }

  private func countDifference() -> String? {
    let found: (Int, Int) = (manager.undoStack.count, manager.redoStack.count)
    return found == (model.undoCount, model.redoCount)
      ? nil : "\(found) steps to undo and redo, not \((model.undoCount, model.redoCount))"
  }

  private func control(_ step: Step) throws {
    switch step.kind {
    case .undo:
      context.undo()
      model.undo()
    case .redo:
      context.redo()
      model.redo()
    case .save:
      try context.save()
      if let parent = context.parent { try parent.performAndWait { try parent.save() } }
      model.save()
    case .rollback:
      context.rollback()
      model.rollback()
    case .refresh: context.refreshAllObjects()
    default: try raise(step)
    }
    context.processPendingChanges()
  }

  /// The other context changes what only it changes.
  private func raise(_ step: Step) throws {
    let workers: [Int] = model.now.objects(.worker).filter { model.committed.kinds[$0] != nil }
    guard let foreign, !workers.isEmpty else { return }
    let worker: Int = workers[step.first % workers.count]
    guard let id = objects[worker]?.objectID, !id.isTemporaryID else { return }
    let saves = MergingTests.Saves(foreign)
    try foreign.performAndWait {
      foreign.reset()
      try foreign.existingObject(with: id).setValue(Double(step.second), forKey: "salary")
      try foreign.save()
    }
    salaries[worker] = step.second
    if let notification = saves.notification { context.mergeChanges(fromContextDidSave: notification) }
  }

  private func change(_ step: Step) {
    switch step.kind {
    case .insert:
      let kind: UndoModel.Kind = UndoModel.Kind.allCases[step.first % UndoModel.Kind.allCases.count]
      objects[next] = context.make(kind.rawValue)
      model.now.kinds[next] = kind
      next += 1
    case .name:
      guard let number = pick(nil, step.first), let key = Self.nameKey(model.now.kinds[number]) else { return }
      objects[number]?.setValue("\(step.second % 5)", forKey: key)
      model.now.names[number] = step.second % 5
    case .department, .workers: changeDepartment(step)
    case .desk, .deskOwner: changeDesk(step)
    case .link, .unlink: changeLink(step)
    case .friend, .unfriend: changeFriend(step)
    default: changeSteps(step)
    }
  }

  private func changeDepartment(_ step: Step) {
    guard let department = pick(.department, step.second) else { return }
    if step.kind == .department {
      guard let worker = pick(.worker, step.first) else { return }
      let target: Int? = step.second % 3 == 0 ? nil : department
      objects[worker]?.setValue(target.flatMap { objects[$0] }, forKey: "department")
      model.now.departments[worker] = target
    } else {
      let members: Set<Int> = Set((0..<step.first % 3).compactMap { pick(.worker, step.first + $0) })
      objects[department]?.setValue(NSSet(array: members.compactMap { objects[$0] }), forKey: "workers")
      model.now.departments = model.now.departments.filter { $0.value != department }
      for worker in members { model.now.departments[worker] = department }
    }
  }

  private func changeDesk(_ step: Step) {
    guard let worker = pick(.worker, step.first), let desk = pick(.desk, step.second) else { return }
    if step.second % 4 == 0 {
      objects[worker]?.setValue(nil, forKey: "desk")
      model.now.setDesk(worker, nil)
    } else {
      if step.kind == .desk {
        objects[worker]?.setValue(objects[desk], forKey: "desk")
      } else {
        objects[desk]?.setValue(objects[worker], forKey: "worker")
      }
      model.now.setDesk(worker, desk)
    }
  }

  private func changeLink(_ step: Step) {
    guard let worker = pick(.worker, step.first), let project = pick(.project, step.second) else { return }
    let (owner, member, key) = step.first % 2 == 0 ? (worker, project, "projects") : (project, worker, "workers")
    guard let set = objects[owner]?.mutableSetValue(forKey: key), let object = objects[member] else { return }
    let pair = UndoModel.Pair(from: worker, to: project)
    if step.kind == .link {
      set.add(object)
      model.now.links.insert(pair)
    } else {
      set.remove(object)
      model.now.links.remove(pair)
    }
  }

  private func changeFriend(_ step: Step) {
    guard let one = pick(.worker, step.first), let other = pick(.worker, step.second) else { return }
    guard let set = objects[one]?.mutableSetValue(forKey: "friends"), let object = objects[other] else { return }
    let pair = UndoModel.Pair(from: one, to: other)
    if step.kind == .friend {
      set.add(object)
      model.now.friends.insert(pair)
    } else {
      set.remove(object)
      model.now.friends.remove(pair)
    }
  }

  private func changeSteps(_ step: Step) {
    guard let project = pick(.project, step.first) else { return }
    var list: [Int] = model.now.steps[project] ?? []
    switch step.kind {
    case .addStep:
      guard let added = pick(.step, step.second), !list.contains(added), let object = objects[added] else { return }
      let index: Int = step.second % (list.count + 1)
      objects[project]?.mutableOrderedSetValue(forKey: "steps").insert(object, at: index)
      list.insert(added, at: index)
    case .moveSteps:
      guard list.count > 1 else { return }
      let (from, to) = (step.first % list.count, step.second % list.count)
      objects[project]?.mutableOrderedSetValue(forKey: "steps").exchangeObject(at: from, withObjectAt: to)
      list.swapAt(from, to)
    case .stepOwner:
      guard let moved = pick(.step, step.second), let object = objects[moved] else { return }
      if step.second % 3 == 0 {
        object.setValue(nil, forKey: "project")
        if let owner = model.now.project(of: moved) {
          model.now.setSteps(owner, (model.now.steps[owner] ?? []).filter { $0 != moved })
        }
        return
      }
      object.setValue(objects[project], forKey: "project")
      if !list.contains(moved) { list.append(moved) }
    default:
      var chosen: [Int] = []
      for offset in 0..<step.second % 4 {
        if let one = pick(.step, step.second + offset * 7), !chosen.contains(one) { chosen.append(one) }
      }
      list = chosen
      objects[project]?.setValue(NSOrderedSet(array: chosen.compactMap { objects[$0] }), forKey: "steps")
    }
    model.now.setSteps(project, list)
  }

  private func pick(_ kind: UndoModel.Kind?, _ number: Int) -> Int? {
    let all: [Int] = kind.map { model.now.objects($0) } ?? model.now.kinds.keys.sorted()
    return all.isEmpty ? nil : all[number % all.count]
  }

  private static func nameKey(_ kind: UndoModel.Kind?) -> String? {
    switch kind {
    case .worker, .department: "name"
    case .project: "title"
    case .step: "text"
    default: nil
    }
  }

  // MARK: comparing

  private func difference(_ context: NSManagedObjectContext) throws -> String? {
    let state: UndoModel.State = model.now
    for kind in UndoModel.Kind.allCases {
      let expected: Set<ObjectIdentifier> = Set(
        state.objects(kind).compactMap { objects[$0].map(ObjectIdentifier.init) })
      let found: [NSManagedObject] = try context.all(kind.rawValue)
      guard Set(found.map(ObjectIdentifier.init)) == expected, found.count == expected.count else {
        return "\(found.count) objects of \(kind), or other ones, not \(state.objects(kind))"
      }
    }
    return state.compactDifference(salaries) { objects[$0] }
  }

  private func storedDifference() throws -> String? {
    let reader: NSManagedObjectContext = stack.sibling()
    let committed: UndoModel.State = model.committed
    return try reader.performAndWait {
      for kind in UndoModel.Kind.allCases {
        let found: Int = try reader.count(for: NSFetchRequest<NSManagedObject>(entityName: kind.rawValue))
        guard found == committed.objects(kind).count else { return "\(found) objects of \(kind)" }
      }
      // Held, since contexts don't.
      var copies: [Int: NSManagedObject] = [:]
      for number in committed.kinds.keys {
        guard let id = ids(number) else { return "object \(number) has no id" }
        copies[number] = reader.object(with: id)
      }
      return committed.compactDifference(salaries) { copies[$0] }
    }
  }

  /// Objects whose undone insertion was not saved yet still have the id that the store knows.
  private func ids(_ number: Int) -> NSManagedObjectID? { objects[number]?.objectID }
}

extension UndoModel.State {
  /// The first thing that objects show differently.
  func compactDifference(_ salaries: [Int: Int], _ object: (Int) -> NSManagedObject?) -> String? {
    func identity(_ numbers: some Sequence<Int>) -> [ObjectIdentifier] {
      numbers.compactMap { object($0).map(ObjectIdentifier.init) }
    }
    for (number, kind) in kinds {
      guard let here = object(number) else { return "object \(number) is missing" }
      func many(_ key: String, _ expected: [Int]) -> String? {
        Set(here.related(key).map(ObjectIdentifier.init)) == Set(identity(expected))
          ? nil : "\(kind) \(number): \(here.related(key).count) \(key), or other ones, not \(expected)"
      }
      func one(_ key: String, _ expected: Int?) -> String? {
        here.one(key) === expected.flatMap { object($0) } ? nil : "\(kind) \(number): \(key) is not \(expected ?? -1)"
      }
      func text(_ key: String) -> String? {
        here.text(key) == names[number].map { "\($0)" } ? nil : "\(kind) \(number): \(key) is \(here.text(key) ?? "-")"
      }
      var faults: [String?]
      switch kind {
      case .worker:
        faults = [
          text("name"), one("department", departments[number]), one("desk", desks[number]),
          many("projects", links.filter { $0.from == number }.map { $0.to }),
          many("friends", friends.filter { $0.from == number }.map { $0.to }),
          many("friendOf", friends.filter { $0.to == number }.map { $0.from }),
        ]
        let salary: Int? = (here.value(forKey: "salary") as? Double).map { Int($0) }
        if salary != salaries[number] { faults.append("worker \(number): salary is \(salary ?? -1)") }
      case .department:
        faults = [text("name"), many("workers", departments.filter { $0.value == number }.map { $0.key })]
      case .desk: faults = [one("worker", desks.first { $0.value == number }?.key)]
      case .project:
        faults = [text("title"), many("workers", links.filter { $0.to == number }.map { $0.from })]
        if here.ordered("steps").map(ObjectIdentifier.init) != identity(steps[number] ?? []) {
          faults.append("project \(number): steps are not \(steps[number] ?? [])")
        }
      case .step: faults = [text("text"), one("project", project(of: number))]
      }
      if let fault = faults.compactMap({ $0 }).first { return fault }
    }
    return nil
  }
}
