import Annals
import Foundation
import Testing

@testable import ObjectGraph

@Suite("Relationships and their inverses")
struct RelationshipTests {
  @Test("C29: Setting a to-one moves the object between the other sides at once, and all three are updated")
  func toOne() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      let (d1, d2) = (stack.context.make("Department"), stack.context.make("Department"))
      let worker = stack.context.makeWorker("Ann")
      worker.setValue(d1, forKey: "department")
      try stack.context.save()
      worker.setValue(d2, forKey: "department")
      #expect(d1.related("workers").isEmpty && d2.related("workers") == [worker])
      #expect(stack.context.updatedObjects == [worker, d1, d2])
      try stack.context.save()
      let other = stack.sibling()
      try other.performAndWait {
        let found = try other.existingObject(with: d2.objectID)
        #expect(found.related("workers").map { $0.objectID } == [worker.objectID])
        #expect(try other.existingObject(with: d1.objectID).related("workers").isEmpty)
      }
    }
  }

  @Test("C30: Setting a to-many takes members from others and lets go of those left out")
  func toMany() throws {
    let stack = try GraphStack()
    stack.context.performAndWait {
      let (d1, d2) = (stack.context.make("Department"), stack.context.make("Department"))
      let (a, b) = (stack.context.makeWorker("a"), stack.context.makeWorker("b"))
      a.setValue(d1, forKey: "department")
      b.setValue(d2, forKey: "department")
      d2.setValue(NSSet(object: a), forKey: "workers")
      #expect(a.one("department") === d2 && b.one("department") == nil)
      #expect(d1.related("workers").isEmpty && d2.related("workers") == [a])
    }
  }

  @Test("C31: One-to-one pairs are parted on both sides")
  func oneToOne() throws {
    let stack = try GraphStack()
    stack.context.performAndWait {
      let (a1, a2) = (stack.context.makeWorker("1"), stack.context.makeWorker("2"))
      let (b1, b2) = (stack.context.make("Desk"), stack.context.make("Desk"))
      a1.setValue(b1, forKey: "desk")
      a2.setValue(b2, forKey: "desk")
      a1.setValue(b2, forKey: "desk")
      #expect(b2.one("worker") === a1 && a2.one("desk") == nil && b1.one("worker") == nil)
    }
  }

  @Test("C33: Nullify waits for the end of the event")
  func nullify() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      let department = stack.context.make("Department")
      let worker = stack.context.makeWorker("Ann")
      worker.setValue(department, forKey: "department")
      try stack.context.save()
      stack.context.delete(department)
      #expect(worker.one("department") === department && !worker.isUpdated)
      stack.context.processPendingChanges()
      #expect(worker.one("department") == nil && stack.context.updatedObjects == [worker])
      try stack.context.save()
      let other = stack.sibling()
      try other.performAndWait { () throws -> Void in #expect(try other.all("Worker").first?.one("department") == nil) }
    }
  }

  @Test("C34: Without propagation at the end of events, delete rules wait for the save")
  func lateNullify() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      stack.context.propagatesDeletesAtEndOfEvent = false
      let department = stack.context.make("Department")
      let worker = stack.context.makeWorker("Ann")
      worker.setValue(department, forKey: "department")
      try stack.context.save()
      stack.context.delete(department)
      stack.context.processPendingChanges()
      #expect(worker.one("department") === department)
      try stack.context.save()
      #expect(worker.one("department") == nil)
    }
  }

  @Test("C35: A fetch processes deletions first")
  func fetchAfterDelete() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      let project = stack.context.make("Project")
      _ = stack.context.make("Step", ["project": project])
      try stack.context.save()
      stack.context.delete(project)
      #expect(try stack.context.all("Step").isEmpty && stack.context.all("Project").isEmpty)
    }
  }

  @Test("C37: Deny stops the save with 1600 and its key; the object stays in deletedObjects")
  func deny() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      let worker = stack.context.makeWorker("Ann")
      let badge = stack.context.make("Badge", ["owner": worker])
      try stack.context.save()
      stack.context.delete(worker)
      #expect(problems { try stack.context.save() } == ["1600 badges"])
      #expect(stack.context.deletedObjects == [worker])
      #expect(try stack.savedCount("Worker") == 1)
      // C38: with all of them deleted too, it may go.
      stack.context.delete(badge)
      try stack.context.save()
      #expect(try stack.savedCount("Worker") == 0)
    }
  }

  @Test("C39: No action leaves a dangling reference, which is inaccessible")
  func noAction() throws {
    let model = GraphFixtures.model()
    model.entitiesByName["Department"]?.relationshipsByName["workers"]?.deleteRule = .noActionDeleteRule
    let stack = try GraphStack(model)
    try stack.context.performAndWait {
      let department = stack.context.make("Department", ["name": "D"])
      let worker = stack.context.makeWorker("Ann")
      worker.setValue(department, forKey: "department")
      try stack.context.save()
      stack.context.delete(department)
      try stack.context.save()
    }
    let other = stack.sibling()
    try other.performAndWait {
      let worker = try #require(try other.all("Worker").first)
      let dangling = try #require(worker.one("department"))
      #expect(dangling.text("name") == nil && dangling.isDeleted)
    }
  }

  @Test("C41: Members that two contexts add to a many-to-many both survive, without a conflict")
  func manyToMany() throws {
    let stack = try GraphStack()
    let other = stack.sibling()
    try stack.context.performAndWait {
      let project = stack.context.make("Project", ["title": "P"])
      let (a, b) = (stack.context.makeWorker("a"), stack.context.makeWorker("b"))
      try stack.context.save()
      let (projectID, bID) = (project.objectID, b.objectID)
      try other.performAndWait {
        let theirs = other.object(with: projectID)
        theirs.mutableSetValue(forKey: "workers").add(other.object(with: bID))
        #expect(other.updatedObjects.count == 2)
        try other.save()
      }
      project.mutableSetValue(forKey: "workers").add(a)
      #expect(a.related("projects") == [project] && stack.context.updatedObjects == [project, a])
      try stack.context.save()
      let third = stack.sibling()
      third.performAndWait { #expect(third.object(with: projectID).related("workers").count == 2) }
    }
  }

  @Test("C42: The order of an ordered relationship survives; reordering alone is a change")
  func ordered() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      let project = stack.context.make("Project")
      let steps = (0..<4).map { stack.context.make("Step", ["text": "\($0)"]) }
      let list = project.mutableOrderedSetValue(forKey: "steps")
      list.add(steps[2])
      list.insert(steps[0], at: 0)
      list.insert(steps[1], at: 1)
      #expect(steps[0].one("project") === project)
      try stack.context.save()
      #expect(Self.texts(project) == ["0", "1", "2"] && Self.saved(project, stack) == ["0", "1", "2"])
      list.exchangeObject(at: 0, withObjectAt: 2)
      #expect(stack.context.updatedObjects == [project] && project.changedValues()["steps"] is NSOrderedSet)
      try stack.context.save()
      #expect(Self.saved(project, stack) == ["2", "1", "0"])
      list.replaceObject(at: 1, with: steps[3])
      #expect(steps[1].one("project") == nil && list.count == 3)
      list.moveObjects(at: IndexSet(integer: 0), to: 2)
      try stack.context.save()
      #expect(Self.saved(project, stack) == ["3", "0", "2"])
      list.removeObject(at: 0)
      try stack.context.save()
      #expect(Self.saved(project, stack) == ["0", "2"])
    }
  }

  @Test("C43: An ordered relationship takes a new member from the inverse at its end, and none twice")
  func orderedFromInverse() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      let project = stack.context.make("Project")
      let steps = (0..<3).map { stack.context.make("Step", ["text": "\($0)"]) }
      project.setValue(NSOrderedSet(array: [steps[1], steps[0]]), forKey: "steps")
      steps[1].setValue(project, forKey: "project")
      steps[2].setValue(project, forKey: "project")
      #expect(Self.texts(project) == ["1", "0", "2"])
      try stack.context.save()
      #expect(Self.saved(project, stack) == ["1", "0", "2"])
    }
  }

  private static func texts(_ project: NSManagedObject) -> [String] {
    project.ordered("steps").map { $0.text("text")! }
  }

  private static func saved(_ project: NSManagedObject, _ stack: GraphStack) -> [String] {
    let id = project.objectID
    let other = stack.sibling()
    return other.performAndWait { texts(other.object(with: id)) }
  }

  @Test("C45: Counts out of bounds stop the save with 1580 and 1590; an optional relationship may be empty")
  func counts() throws {
    let model = GraphFixtures.model()
    let projects = try #require(model.entitiesByName["Worker"]?.relationshipsByName["projects"])
    projects.minCount = 2
    projects.maxCount = 3
    let stack = try GraphStack(model)
    try stack.context.performAndWait {
      let worker = stack.context.makeWorker("Ann")
      try stack.context.save()
      let list = worker.mutableSetValue(forKey: "projects")
      list.add(stack.context.make("Project"))
      #expect(problems { try stack.context.save() } == ["1580 projects"])
      for _ in 0..<3 { list.add(stack.context.make("Project")) }
      #expect(problems { try stack.context.save() } == ["1590 projects"])
      list.remove(list.anyObject()!)
      try stack.context.save()
    }
  }

  @Test("C46: An object of another context is refused, by a message that names both")
  func otherContext() async {
    await #expect(processExitsWith: .failure) {
      let stack = try GraphStack()
      let other = stack.sibling()
      let worker = stack.context.makeWorker("Ann")
      worker.setValue(other.make("Department"), forKey: "department")
    }
  }

  @Test("C47: The mutable set does what the accessors do")
  func proxy() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      let department = stack.context.make("Department")
      let (a, b) = (stack.context.makeWorker("a"), stack.context.makeWorker("b"))
      try stack.context.save()
      let set = department.mutableSetValue(forKey: "workers")
      set.add(a)
      set.addObjects(from: [a, b])
      #expect(set.count == 2 && set.contains(a) && a.one("department") === department)
      #expect((department.changedValues()["workers"] as? NSSet)?.count == 2)
      set.remove(a)
      #expect(a.one("department") == nil && department.related("workers") == [b])
      set.union([a])
      set.minus([b])
      #expect(department.related("workers") == [a] && set.allObjects as? [Worker] == [a])
      #expect((department.value(forKey: "workers") as? Set<Worker>) == [a])
    }
  }

  @Test("Announced primitive changes keep inverses too")
  func announced() throws {
    let stack = try GraphStack()
    try stack.context.performAndWait {
      let department = stack.context.make("Department")
      let worker = stack.context.makeWorker("Ann")
      try stack.context.save()
      worker.willChangeValue(forKey: "department")
      worker.setPrimitiveValue(department, forKey: "department")
      worker.didChangeValue(forKey: "department")
      #expect(department.related("workers") == [worker] && worker.isUpdated)
      let change: Set<AnyHashable> = [worker]
      department.willChangeValue(forKey: "workers", withSetMutation: .minus, using: change)
      (department.primitiveValue(forKey: "workers") as? NSMutableSet)?.remove(worker)
      department.didChangeValue(forKey: "workers", withSetMutation: .minus, using: change)
      #expect(worker.one("department") == nil)
    }
  }
}
