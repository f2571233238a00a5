import Annals
import Foundation
import Testing

@testable import ObjectGraph

@Suite("Merging between contexts")
struct MergingTests {
  /// Keeps the last didSave of a context.
  final class Saves: @unchecked Sendable {
    private let lock = NSLock()
    private var last: Notification?
    private var token: (any NSObjectProtocol)?
    init(_ context: NSManagedObjectContext) {
      token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: context, queue: nil
      ) { [weak self] note in
        guard let self else { return }
        self.lock.withLock { self.last = note }
      }
    }
    deinit { if let token { NotificationCenter.default.removeObserver(token) } }
    var notification: Notification? { lock.withLock { last } }
  }

  private struct Two {
    let stack: GraphStack
    let other: NSManagedObjectContext
    let saves: Saves
    let id: NSManagedObjectID

    init() throws {
      stack = try GraphStack()
      other = stack.sibling()
      saves = Saves(other)
      let context = stack.context
      id = try context.performAndWait {
        let worker = context.make("Worker", ["name": "a", "age": 1])
        try context.save()
        return worker.objectID
      }
    }

    func changeElsewhere(_ values: [String: Any]) throws {
      let (other, id) = (other, id)
      try other.performAndWait {
        other.object(with: id).setValuesForKeys(values)
        try other.save()
      }
    }
  }

  @Test("C127: A merge shows new values without making anything dirty")
  func clean() throws {
    let two = try Two()
    let context = two.stack.context
    try context.performAndWait {
      let worker = try context.existingObject(with: two.id)
      try two.changeElsewhere(["name": "b"])
      #expect(worker.text("name") == "a")
      let heard = Listener(.NSManagedObjectContextObjectsDidChange, context)
      context.mergeChanges(fromContextDidSave: try #require(two.saves.notification))
      #expect(worker.text("name") == "b" && !context.hasChanges && !worker.hasChanges)
      #expect(heard.sets == [["refreshed": [worker]]])
    }
  }

  @Test("C129 C21: A pending edit survives the merge, and the later save has no conflict")
  func dirty() throws {
    let two = try Two()
    let context = two.stack.context
    try context.performAndWait {
      let worker = try context.existingObject(with: two.id)
      worker.setValue("mine", forKey: "name")
      try two.changeElsewhere(["name": "theirs", "age": 9])
      context.mergeChanges(fromContextDidSave: try #require(two.saves.notification))
      #expect(worker.text("name") == "mine" && worker.value(forKey: "age") as? Int == 9)
      #expect(worker.committedValues(forKeys: ["name"])["name"] as? String == "theirs")
      try context.save()
    }
  }

  @Test("C130: Deletions and insertions arrive; a deletion wins over a pending edit")
  func insertedAndDeleted() throws {
    let two = try Two()
    let context = two.stack.context
    try context.performAndWait {
      let worker = try context.existingObject(with: two.id)
      worker.setValue("mine", forKey: "name")
      let (other, id) = (two.other, two.id)
      try other.performAndWait {
        other.delete(other.object(with: id))
        _ = other.make("Worker", ["name": "new"])
        try other.save()
      }
      let heard = Listener(.NSManagedObjectContextObjectsDidChange, context)
      context.mergeChanges(fromContextDidSave: try #require(two.saves.notification))
      #expect(worker.managedObjectContext == nil && !context.hasChanges)
      let inserted = try #require(heard.sets.first?["inserted"]?.first)
      #expect(inserted.text("name") == "new" && heard.sets.first?["deleted"] == [worker])
    }
  }

  @Test("C131: Changes can be told by id or by URI")
  func remote() throws {
    let two = try Two()
    let context = two.stack.context
    try context.performAndWait {
      let worker = try context.existingObject(with: two.id)
      try two.changeElsewhere(["name": "b"])
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: [two.id]], into: [context])
      #expect(worker.text("name") == "b")
      try two.changeElsewhere(["name": "c"])
      let uri = two.id.uriRepresentation()
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectIDsKey: [uri]], into: [context])
      #expect(worker.text("name") == "c")
      let (other, id) = (two.other, two.id)
      try other.performAndWait {
        other.delete(other.object(with: id))
        try other.save()
      }
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: [uri]], into: [context])
      #expect(worker.managedObjectContext == nil)
    }
  }

  @Test("C133: Merging leaves nothing dirty and nothing to undo")
  func cleanMerge() throws {
    let two = try Two()
    let context = two.stack.context
    try context.performAndWait {
      context.undoManager = UndoManager()
      let worker = try context.existingObject(with: two.id)
      let (other, id) = (two.other, two.id)
      let department: NSManagedObjectID = try other.performAndWait {
        let department = other.make("Department")
        other.object(with: id).setValue(department, forKey: "department")
        try other.save()
        return department.objectID
      }
      context.mergeChanges(fromContextDidSave: try #require(two.saves.notification))
      context.processPendingChanges()
      #expect(worker.one("department")?.objectID == department)
      #expect(!context.hasChanges && !worker.hasChanges && context.undoManager?.canUndo == false)
      try other.performAndWait {
        other.delete(other.object(with: department))
        try other.save()
      }
      context.mergeChanges(fromContextDidSave: try #require(two.saves.notification))
      context.processPendingChanges()
      #expect(worker.one("department") == nil)
      #expect(!context.hasChanges && context.undoManager?.canUndo == false)
    }
  }

  @Test("A relationship that was read shows members that a merge brought and took")
  func members() throws {
    let two = try Two()
    let context = two.stack.context
    try context.performAndWait {
      let department = context.make("Department")
      let worker = try context.existingObject(with: two.id)
      worker.setValue(department, forKey: "department")
      try context.save()
      #expect(department.related("workers") == [worker])
      let (other, id, departmentID) = (two.other, two.id, department.objectID)
      try other.performAndWait {
        let added = other.make("Worker")
        added.setValue(other.object(with: departmentID), forKey: "department")
        other.object(with: id).setValue(nil, forKey: "department")
        try other.save()
      }
      context.mergeChanges(fromContextDidSave: try #require(two.saves.notification))
      #expect(worker.one("department") == nil)
      #expect(department.related("workers").count == 1 && !department.related("workers").contains(worker))
    }
  }

  @Test("automaticallyMergesChangesFromParent takes in what siblings save")
  func automatic() throws {
    let two = try Two()
    let context = two.stack.context
    let worker = try context.performAndWait {
      context.automaticallyMergesChangesFromParent = true
      return UncheckedBox(try context.existingObject(with: two.id))
    }
    try two.changeElsewhere(["name": "b"])
    context.performAndWait { #expect(worker.value.text("name") == "b") }
  }

  @Test("C21: refresh(mergeChanges: true) keeps the edit over the newer row; false drops it on both sides")
  func refresh() throws {
    let two = try Two()
    let context = two.stack.context
    try context.performAndWait {
      let worker = try context.existingObject(with: two.id)
      let department = context.make("Department")
      try context.save()
      worker.setValue(department, forKey: "department")
      try two.changeElsewhere(["name": "theirs"])
      context.refresh(worker, mergeChanges: true)
      #expect(worker.text("name") == "theirs" && worker.one("department") === department)
      context.refresh(worker, mergeChanges: false)
      #expect(worker.one("department") == nil && department.related("workers").isEmpty && !worker.hasChanges)
    }
  }

  @Test("C22 C23 C147: refreshAllObjects keeps edits; rollback and reset drop them")
  func everything() throws {
    let stack = try GraphStack()
    let context = stack.context
    try context.performAndWait {
      let (a, b) = (context.makeWorker("a"), context.makeWorker("b"))
      try context.save()
      a.setValue("edited", forKey: "name")
      context.refreshAllObjects()
      #expect(a.text("name") == "edited" && b.isFault && b.text("name") == "b")
      let new = context.makeWorker("c")
      context.delete(b)
      context.rollback()
      #expect(a.text("name") == "a" && !b.isDeleted && !context.hasChanges && new.managedObjectContext == nil)
      #expect(b.text("name") == "b")
      a.setValue("edited", forKey: "name")
      let heard = Listener(.NSManagedObjectContextObjectsDidChange, context)
      context.reset()
      #expect(
        context.registeredObjects.isEmpty && !context.hasChanges && heard.sets.last?.keys.first == "invalidatedAll")
      #expect(try context.all("Worker").allSatisfy { $0 !== a && $0 !== b })
    }
  }

  @Test("C109: Changes are told once an event: an object in one set only")
  func notifications() throws {
    let stack = try GraphStack()
    let context = stack.context
    try context.performAndWait {
      let (a, b) = (context.makeWorker("a"), context.makeWorker("b"))
      try context.save()
      let heard = Listener(.NSManagedObjectContextObjectsDidChange, context)
      let new = context.makeWorker("c")
      new.setValue("d", forKey: "name")
      a.setValue("x", forKey: "name")
      a.setValue("y", forKey: "name")
      b.setValue("z", forKey: "name")
      context.delete(b)
      #expect(heard.sets.isEmpty)
      context.processPendingChanges()
      #expect(heard.sets == [["inserted": [new], "updated": [a], "deleted": [b]]])
      context.processPendingChanges()
      #expect(heard.sets.count == 1)
    }
  }
}

struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
