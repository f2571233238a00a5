import Annals
import Foundation
import Testing

@testable import ObjectGraph

extension NSManagedObjectContext {
  /// A context on top of this one.
  func child(_ type: NSManagedObjectContextConcurrencyType = .privateQueueConcurrencyType) -> NSManagedObjectContext {
    let child = NSManagedObjectContext(concurrencyType: type)
    child.parent = self
    return child
  }

  func request(_ entity: String, _ format: String, _ arguments: Any?...) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: format, argumentArray: arguments.map { $0 ?? NSNull() })
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return request
  }
}

@Suite("Parent and child contexts")
struct ParentContextTests {
  private let stack: GraphStack
  private var root: NSManagedObjectContext { stack.context }

  init() throws { stack = try GraphStack() }

  private func seed(_ names: String...) throws -> [NSManagedObjectID] {
    try root.performAndWait {
      let workers = names.map { root.makeWorker($0) }
      try root.save()
      return workers.map { $0.objectID }
    }
  }

  @Test("S99 S100: The chain ends at the root's coordinator, and a context has either that or a parent")
  func chain() throws {
    let child = root.child()
    let grandchild = child.child()
    #expect(child.parent === root && grandchild.persistentStoreCoordinator === stack.coordinator)
    #expect(root.parent == nil)
  }

  @Test("C134 S103: A child's save goes one level up: the parent has the changes pending, the store has not")
  func oneLevel() throws {
    let ids = try seed("a", "b", "c")
    let child = root.child()
    try child.performAndWait {
      let new = child.make("Worker", ["name": "new"])
      child.object(with: ids[0]).setValue("edited", forKey: "name")
      child.delete(child.object(with: ids[1]))
      #expect(child.hasChanges)
      try child.save()
      #expect(!child.hasChanges && !new.isInserted && new.text("name") == "new")
    }
    try root.performAndWait {
      #expect(root.insertedObjects.map { $0.text("name") } == ["new"])
      #expect(root.updatedObjects.map { $0.objectID } == [ids[0]])
      #expect(root.deletedObjects.map { $0.objectID } == [ids[1]])
      let sibling = root.child()
      try sibling.performAndWait {
        let names = try sibling.all("Worker").compactMap { $0.text("name") }.sorted()
        #expect(names == ["c", "edited", "new"])
      }
      #expect(try stack.savedCount("Worker") == 3)
      try root.save()
      #expect(try stack.savedCount("Worker") == 3)
      #expect(try root.all("Worker").compactMap { $0.text("name") }.sorted() == ["c", "edited", "new"])
    }
  }

  @Test("C135 S101: A child fetches over its parent's unsaved changes, and shows their values; its own come over them")
  func fetching() throws {
    let ids = try seed("a", "b", "c", "d")
    try root.performAndWait {
      root.object(with: ids[0]).setValue("x1", forKey: "name")
      root.object(with: ids[1]).setValue("x2", forKey: "name")
      _ = root.make("Worker", ["name": "x3"])
      root.delete(root.object(with: ids[3]))
      let child = root.child()
      try child.performAndWait {
        let request = child.request("Worker", "name BEGINSWITH %@", "x")
        let found = try child.fetch(request)
        #expect(found.map { $0.text("name") } == ["x1", "x2", "x3"])
        #expect(found[0].objectID == ids[0] && !found[2].isInserted && !child.hasChanges)
        #expect(try child.count(for: request) == 3)
        found[1].setValue("y", forKey: "name")
        _ = child.make("Worker", ["name": "x0"])
        #expect(try child.fetch(request).map { $0.text("name") } == ["x0", "x1", "x3"])
        request.fetchLimit = 1
        request.fetchOffset = 1
        #expect(try child.fetch(request).map { $0.text("name") } == ["x1"])
        #expect(try child.all("Worker").count == 5)
        request.fetchLimit = 0
        request.fetchOffset = 0
        request.includesPendingChanges = false
        #expect(try child.fetch(request).isEmpty)
      }
    }
  }

  @Test("C135: Predicates of a child follow relationships through its parent's unsaved changes")
  func throughRelationships() throws {
    let ids = try seed("a", "b")
    try root.performAndWait {
      let department = root.make("Department", ["name": "new"])
      root.object(with: ids[0]).setValue(department, forKey: "department")
      let child = root.child()
      try child.performAndWait {
        let there = child.request("Worker", "department.name == %@", "new")
        #expect(try child.fetch(there).map { $0.objectID } == [ids[0]])
        let back = child.request("Department", "ANY workers.name == %@", "a")
        let found = try #require(try child.fetch(back).first)
        #expect(found.objectID == department.objectID && found.related("workers").map { $0.objectID } == [ids[0]])
        let counted = child.request("Department", "workers.@count == 1")
        #expect(try child.count(for: counted) == 1)
        child.object(with: ids[1]).setValue(found, forKey: "department")
        #expect(try child.count(for: counted) == 0)
        #expect(try child.fetch(there).count == 2)
      }
    }
  }

  @Test(
    "C137 B140: New objects keep their temporary ids until the root saves; then both ids lead to them, at each level")
  func ids() throws {
    let middle = root.child()
    let leaf = middle.child()
    let (object, before) = try leaf.performAndWait {
      let worker = leaf.make("Worker", ["name": "new"])
      let before = worker.objectID
      try leaf.save()
      #expect(worker.objectID === before && before.isTemporaryID)
      return (UncheckedBox(worker), before)
    }
    for context in [middle, root] {
      try context.performAndWait {
        let here = context.object(with: before)
        #expect(here.objectID == before && here.isInserted && here.text("name") == "new")
        #expect(context.registeredObject(for: before) === here)
        #expect(try context.existingObject(with: before) === here)
        try context.save()
      }
    }
    let after = root.performAndWait { root.object(with: before).objectID }
    #expect(!after.isTemporaryID && after != before)
    for context in [leaf, middle, root] {
      try context.performAndWait {
        let existing = try context.existingObject(with: after)
        #expect(context.object(with: before) === existing && context.object(with: after) === existing)
        #expect(existing.objectID == after && existing.text("name") == "new")
        let found = try context.fetch(context.request("Worker", "SELF == %@", before))
        #expect(found == [existing])
      }
    }
    leaf.performAndWait { #expect(object.value === leaf.object(with: after) && object.value.objectID == after) }
  }

  @Test("C002 C137: obtainPermanentIDs in a child gives ids that hold through all levels")
  func permanentIDs() throws {
    let child = root.child()
    let id = try child.performAndWait {
      let worker = child.make("Worker", ["name": "new"])
      let department = child.make("Department")
      worker.setValue(department, forKey: "department")
      try child.obtainPermanentIDs(for: [worker])
      #expect(!worker.objectID.isTemporaryID && worker.isInserted && department.objectID.isTemporaryID)
      #expect(department.related("workers") == [worker])
      let other = stack.sibling()
      #expect(throws: (any Error).self) {
        try other.performAndWait { _ = try other.existingObject(with: worker.objectID) }
      }
      try child.save()
      return worker.objectID
    }
    try root.performAndWait {
      #expect(root.object(with: id).isInserted && root.object(with: id).one("department") != nil)
      try root.save()
      #expect(root.object(with: id).objectID == id)
    }
    #expect(try stack.savedCount("Worker") == 1)
  }

  @Test("C138: A child's deletions and what they propagated arrive in the parent; its rollback restores all")
  func deletions() throws {
    let (worker, department, project) = try root.performAndWait {
      let worker = root.make("Worker", ["name": "a"])
      let department = root.make("Department")
      let project = root.make("Project")
      worker.setValue(department, forKey: "department")
      for text in ["1", "2"] { root.make("Step", ["text": text]).setValue(project, forKey: "project") }
      try root.save()
      return (worker.objectID, department.objectID, project.objectID)
    }
    let child = root.child()
    try child.performAndWait {
      child.delete(child.object(with: department))
      child.delete(child.object(with: project))
      try child.save()
    }
    try root.performAndWait {
      #expect(root.object(with: department).isDeleted && root.object(with: worker).one("department") == nil)
      #expect(root.deletedObjects.count == 4 && root.updatedObjects.map { $0.objectID } == [worker])
      root.rollback()
      #expect(root.object(with: worker).one("department") === root.object(with: department) && !root.hasChanges)
      #expect(root.object(with: project).ordered("steps").count == 2)
      try child.performAndWait {
        child.delete(child.object(with: project))
        try child.save()
      }
      try root.save()
    }
    #expect(try stack.savedCount("Step") == 0)
    #expect(try stack.savedCount("Department") == 1)
  }

  @Test("C139 S101: Dropping, resetting or rolling back a child leaves the parent alone")
  func discardable() throws {
    let ids = try seed("a")
    for discard in 0..<3 {
      var child: NSManagedObjectContext? = root.child()
      child!.performAndWait {
        let context = child!
        context.object(with: ids[0]).setValue("edited", forKey: "name")
        _ = context.make("Worker")
        switch discard {
        case 0: context.reset()
        case 1: context.rollback()
        default: return
        }
        #expect(!context.hasChanges && context.object(with: ids[0]).text("name") == "a")
      }
      child = nil
      root.performAndWait { #expect(!root.hasChanges && root.object(with: ids[0]).text("name") == "a") }
    }
  }

  @Test("S104: A parent's save takes nothing from children that are not saved")
  func unsavedChild() throws {
    let child = root.child()
    try root.performAndWait {
      child.performAndWait { _ = child.make("Worker") }
      try root.save()
      #expect(child.performAndWait { child.hasChanges })
    }
    #expect(try stack.savedCount("Worker") == 0)
  }

  @Test("A15: Where parent and child have changed the same object, the child's properties win and the others stay")
  func conflicts() throws {
    let ids = try seed("a", "b")
    let child = root.child()
    try root.performAndWait {
      let (mine, other) = (root.object(with: ids[0]), root.object(with: ids[1]))
      child.performAndWait { child.object(with: ids[0]).setValue("child", forKey: "name") }
      mine.setValuesForKeys(["name": "parent", "age": 5])
      let (d1, d2) = (root.make("Department"), root.make("Department"))
      mine.setValue(d1, forKey: "department")
      other.setValue(d1, forKey: "department")
      try child.performAndWait {
        let theirs = child.object(with: ids[0])
        theirs.setValue(child.object(with: d2.objectID), forKey: "department")
        try child.save()
        #expect(theirs.value(forKey: "age") as? Int == 5)
      }
      #expect(mine.text("name") == "child" && mine.value(forKey: "age") as? Int == 5)
      #expect(d2.related("workers") == [mine] && d1.related("workers") == [other] && mine.one("department") === d2)
      try root.save()
    }
  }

  @Test("Members that parent and child add to one relationship both stay, ordered ones in the child's order")
  func members() throws {
    let (project, step) = try root.performAndWait {
      let project = root.make("Project")
      let step = root.make("Step", ["text": "1"])
      step.setValue(project, forKey: "project")
      try root.save()
      return (project, step)
    }
    let child = root.child()
    try root.performAndWait {
      let mine = root.make("Worker", ["name": "parent"])
      try child.performAndWait {
        let theirs = child.object(with: project.objectID)
        #expect(theirs.ordered("steps").count == 1)
        theirs.mutableSetValue(forKey: "workers").add(child.make("Worker", ["name": "child"]))
        theirs.mutableOrderedSetValue(forKey: "steps").insert(child.make("Step", ["text": "0"]), at: 0)
        project.mutableSetValue(forKey: "workers").add(mine)
        root.make("Step", ["text": "2"]).setValue(project, forKey: "project")
        try child.save()
        child.refresh(theirs, mergeChanges: false)
        #expect(theirs.related("workers").count == 2)
      }
      #expect(Set(project.related("workers").compactMap { $0.text("name") }) == ["parent", "child"])
      #expect(project.ordered("steps").compactMap { $0.text("text") } == ["0", "1", "2"])
      #expect(step.one("project") === project)
      try root.save()
      let other = stack.sibling()
      other.performAndWait {
        let saved = other.object(with: project.objectID)
        #expect(saved.ordered("steps").compactMap { $0.text("text") } == ["0", "1", "2"])
        #expect(saved.related("workers").count == 2)
      }
    }
  }

  @Test("C107 C109: A child's save posts its notifications with its own objects, and one change in the parent")
  func notifications() throws {
    let ids = try seed("a")
    let child = root.child()
    let saved = Listener(.NSManagedObjectContextDidSave, child)
    let changed = Listener(.NSManagedObjectContextObjectsDidChange, root)
    try child.performAndWait {
      let new = child.make("Worker")
      let old = child.object(with: ids[0])
      old.setValue("b", forKey: "name")
      try child.save()
      #expect(saved.sets == [["inserted": [new], "updated": [old]]])
    }
    root.performAndWait {
      #expect(changed.sets == [["inserted": root.insertedObjects, "updated": root.updatedObjects]])
    }
  }

  @Test("C101 A15: Validation stops a child's save; the parent has nothing of it")
  func validation() throws {
    let child = root.child()
    child.performAndWait {
      child.makeWorker("a").extraProblem = NSError(domain: "test", code: 7)
      #expect(problems { try child.save() } == ["7 -"])
      #expect(child.hasChanges)
    }
    root.performAndWait { #expect(!root.hasChanges) }
  }

  @Test("A15.2: automaticallyMergesChangesFromParent shows a child what its parent saves, its own edits kept")
  func automatic() throws {
    let ids = try seed("a", "b")
    let child = root.child()
    child.automaticallyMergesChangesFromParent = true
    let boxes = child.performAndWait {
      let (a, b) = (child.object(with: ids[0]), child.object(with: ids[1]))
      #expect(a.text("name") == "a" && b.text("name") == "b")
      b.setValue("mine", forKey: "name")
      return UncheckedBox((a, b))
    }
    try root.performAndWait {
      root.object(with: ids[0]).setValue("a2", forKey: "name")
      root.object(with: ids[1]).setValuesForKeys(["name": "b2", "age": 3])
      try root.save()
    }
    child.performAndWait {
      let (a, b) = boxes.value
      #expect(a.text("name") == "a2" && b.text("name") == "mine" && b.value(forKey: "age") as? Int == 3)
    }
  }

  @Test("B142: What a child has saved itself is not merged back into it")
  func echo() throws {
    let child = root.child()
    child.automaticallyMergesChangesFromParent = true
    let changed = Listener(.NSManagedObjectContextObjectsDidChange, child)
    let worker = try child.performAndWait {
      let worker = child.make("Worker", ["name": "a"])
      try child.save()
      return UncheckedBox(worker)
    }
    root.performAndWait { root.insertedObjects.first!.setValue(7, forKey: "age") }
    try child.performAndWait {
      worker.value.setValue("b", forKey: "name")
      try child.save()
      changed.clear()
    }
    try root.performAndWait { try root.save() }
    child.performAndWait {
      #expect(changed.sets.isEmpty && !worker.value.isFault && !child.hasChanges)
      #expect(worker.value.text("name") == "b" && worker.value.value(forKey: "age") as? Int == 7)
    }
    #expect(try stack.savedCount("Worker") == 1)
  }

  @Test("C21 C147: refresh in a child shows the parent's values now")
  func refreshing() throws {
    let ids = try seed("a")
    let child = root.child()
    root.performAndWait {
      let mine = root.object(with: ids[0])
      child.performAndWait {
        let theirs = child.object(with: ids[0])
        #expect(theirs.text("name") == "a")
        mine.setValuesForKeys(["name": "b", "age": 2])
        #expect(theirs.text("name") == "a")
        theirs.setValue("edited", forKey: "name")
        child.refresh(theirs, mergeChanges: true)
        #expect(theirs.text("name") == "edited" && theirs.value(forKey: "age") as? Int == 2)
        child.refresh(theirs, mergeChanges: false)
        #expect(theirs.text("name") == "b" && !child.hasChanges)
      }
      root.rollback()
      child.performAndWait {
        child.refreshAllObjects()
        #expect(child.object(with: ids[0]).text("name") == "a")
      }
    }
  }

  @Test("C5 C39: An object that the parent has deleted is gone for the child")
  func goneBelow() throws {
    let ids = try seed("a", "b")
    let child = root.child()
    try root.performAndWait {
      root.delete(root.object(with: ids[0]))
      try child.performAndWait {
        #expect(throws: (any Error).self) { try child.existingObject(with: ids[0]) }
        let gone = child.object(with: ids[0])
        #expect(gone.text("name") == nil && gone.isDeleted)
        #expect(try child.all("Worker").map { $0.objectID } == [ids[1]])
        try child.save()
      }
    }
  }

  @Test("C141: A parent that waits for its child can be used by it, on main and private queues")
  @MainActor
  func reentrancy() throws {
    let main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    main.persistentStoreCoordinator = stack.coordinator
    _ = main.make("Worker", ["name": "a"])
    let child = main.child()
    let grandchild = child.child()
    try child.performAndWait {
      #expect(try child.all("Worker").count == 1)
      _ = child.make("Worker", ["name": "b"])
      try grandchild.performAndWait {
        #expect(try grandchild.all("Worker").count == 2)
        child.performAndWait { _ = child.make("Worker", ["name": "c"]) }
        #expect(try grandchild.all("Worker").count == 3)
        try grandchild.save()
      }
      try child.save()
    }
    #expect(main.insertedObjects.count == 3)
    try main.save()
    #expect(try stack.savedCount("Worker") == 3)
  }

  @Test("S102: A child on another queue saves and fetches while its parent works")
  func queues() async throws {
    let root = root
    let child = root.child()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          try await child.perform {
            _ = child.make("Worker", ["name": "c\(number)"])
            try child.save()
            _ = try child.all("Worker").map { $0.text("name") }
          }
        }
        group.addTask {
          try await root.perform {
            _ = root.make("Worker", ["name": "r\(number)"])
            try root.save()
          }
        }
      }
      try await group.waitForAll()
    }
    try await root.perform { try root.save() }
    #expect(try stack.savedCount("Worker") == 40)
  }

  @Test("B044: Once the root has saved, neither parent nor child keeps what was imported alive")
  func memory() throws {
    let child = root.child()
    try child.performAndWait {
      for number in 0..<100 { _ = child.make("Worker", ["name": "\(number)"]) }
      try child.save()
      #expect(child.registeredObjects.isEmpty)
    }
    try root.performAndWait {
      #expect(root.registeredObjects.count == 100)
      try root.save()
      #expect(root.registeredObjects.isEmpty)
    }
  }
}
