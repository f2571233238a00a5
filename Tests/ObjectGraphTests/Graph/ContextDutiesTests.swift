import Annals
import Foundation
import Testing

@testable import ObjectGraph

/// What the overview of contexts promises, and their queues.
@Suite("A context's duties")
struct ContextDutiesTests {
  /// The form of `perform` that calls nobody back.
  private func later(_ context: NSManagedObjectContext, _ block: @escaping @Sendable () -> Void) {
    context.perform(block)
  }

  private struct Refusal: Error, Equatable {
    let number: Int
  }

  @Test("S92 S94 S98: one instance for an id in a context, another one in another context, registered when fetched")
  func identity() throws {
    let stack = try GraphStack()
    let context = stack.context
    let id: NSManagedObjectID = try context.performAndWait {
      let worker = context.makeWorker("a")
      try context.save()
      #expect(try context.existingObject(with: worker.objectID) === worker)
      #expect(try context.all("Worker").first === worker)
      return worker.objectID
    }
    let other = stack.sibling()
    try other.performAndWait {
      #expect(other.registeredObject(for: id) == nil)
      let mine = try #require(try other.all("Worker").first)
      #expect(mine.managedObjectContext === other && mine.objectID == id)
      #expect(other.registeredObject(for: id) === mine && other.object(with: id) === mine)
    }
  }

  @Test("S35 S93 S95 S96 S97: changes stay in the context until saved, can be undone, discarded or committed")
  func changes() throws {
    let stack = try GraphStack()
    let context = stack.context
    let other = stack.sibling()
    func seen() throws -> [String?] {
      try other.performAndWait {
        other.reset()
        return try other.all("Worker").map { $0.text("name") }
      }
    }
    try context.performAndWait {
      context.undoManager = UndoManager()
      let worker = context.makeWorker("a")
      #expect(try seen().isEmpty)
      try context.save()
      worker.setValue("b", forKey: "name")
      context.processPendingChanges()
      #expect(try seen() == ["a"])
      context.undo()
      #expect(worker.text("name") == "a")
      worker.setValue("c", forKey: "name")
      context.rollback()
      #expect(worker.text("name") == "a" && !context.hasChanges)
      worker.setValue("d", forKey: "name")
      try context.save()
      #expect(try seen() == ["d"])
    }
  }

  @Test("S104: a parent does not pull a child's changes before it saves")
  func parentSavesItsOwn() throws {
    let stack = try GraphStack()
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = stack.context
    child.performAndWait { _ = child.makeWorker("a") }
    try stack.context.performAndWait {
      try stack.context.save()
      #expect(try stack.context.all("Worker").isEmpty)
    }
  }

  @Test("S105: notifications come from the context that they are about, and from no other")
  func notifications() throws {
    let stack = try GraphStack()
    let other = stack.sibling()
    let (mine, theirs) = (
      Listener(.NSManagedObjectContextDidSave, stack.context), Listener(.NSManagedObjectContextDidSave, other)
    )
    try stack.context.performAndWait {
      _ = stack.context.makeWorker("a")
      try stack.context.save()
    }
    #expect(mine.sets.count == 1 && theirs.sets.isEmpty)
  }

  @Test("S45 S109 S111: perform returns at once and runs blocks one by one; performAndWait has run when it returns")
  func queues() throws {
    let stack = try GraphStack()
    let context = stack.context
    let noted = Noted()
    let gate = DispatchSemaphore(value: 0)
    context.perform {
      gate.wait()
      noted.add("first")
    }
    context.perform { noted.add("second") }
    noted.add("returned")
    gate.signal()
    let waited: Int = context.performAndWait {
      noted.add("waited")
      return context.performAndWait { 7 }
    }
    #expect(waited == 7)
    #expect(noted.all == ["returned", "first", "second", "waited"])
  }

  @Test("C209: asynchronous perform returns the block's value and rethrows; on the queue, immediate runs at once")
  func asynchronous() async throws {
    let stack = try GraphStack()
    let context = stack.context
    let count: Int = try await context.perform {
      _ = context.makeWorker("a")
      try context.save()
      return try context.all("Worker").count
    }
    #expect(count == 1)
    await #expect(throws: Refusal(number: 3)) {
      try await context.perform(schedule: .enqueued) { () throws in throw Refusal(number: 3) }
    }
    let noted = Noted()
    let gate = DispatchSemaphore(value: 0)
    later(context) {
      gate.wait()
      noted.add("ahead")
    }
    async let enqueued: Void = context.perform(schedule: .enqueued) { noted.add("enqueued") }
    gate.signal()
    await enqueued
    #expect(noted.all == ["ahead", "enqueued"])
  }

  @Test("S110: settings may be changed from any thread")
  func settings() throws {
    let stack = try GraphStack()
    let context = stack.context
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      context.name = "number \(number)"
      context.transactionAuthor = "author"
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    }
    #expect(context.name?.hasPrefix("number") == true && context.transactionAuthor == "author")
  }

  @Test("S112: a block hands on what it found by id, and another context takes it up")
  func handingOn() async throws {
    let stack = try GraphStack()
    let (context, other) = (stack.context, stack.sibling())
    let ids: [NSManagedObjectID] = try await context.perform {
      _ = context.makeWorker("a")
      try context.save()
      return try context.all("Worker").map { $0.objectID }
    }
    let names: [String?] = try await other.perform {
      try ids.map { try other.existingObject(with: $0).value(forKey: "name") as? String }
    }
    #expect(names == ["a"])
  }

  @Test("S33 S36 S38 S46: containers share a model made in code, and a class tells its entity")
  func sharedModel() throws {
    let model = GraphFixtures.model()
    for name in ["One", "Two"] {
      let container = NSPersistentContainer(name: name, managedObjectModel: model)
      container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))]
      let outcomes = Outcomes()
      container.loadPersistentStores { _, error in outcomes.add(error) }
      #expect(outcomes.all.count == 1 && outcomes.all[0] == nil)
      let context = container.newBackgroundContext()
      let entity: String? = context.performAndWait { Worker(context: context).entity.name }
      #expect(entity == "Worker")
    }
  }
}
