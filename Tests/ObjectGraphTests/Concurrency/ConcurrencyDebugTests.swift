import Annals
import Foundation
import Testing

@testable import ObjectGraph

/// Each in a process of its own, since debugging is on or off for the life of a process.
@Suite("Debugging of queues")
struct ConcurrencyDebugTests {
  private static func violation(_ result: ExitTest.Result?) -> Bool {
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    return said.contains("multi-threading assertions enabled") && said.contains("multithreading violation")
      && said.contains("'annals.context' of the context 'mine'") && said.contains("was touched on the queue '")
  }

  @Test("C207 S86: Reading an object off its context's queue stops at once and names both queues")
  func object() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      setenv("com.apple.CoreData.ConcurrencyDebug", "1", 1)
      let stack = try GraphStack()
      stack.context.name = "mine"
      let worker = stack.context.performAndWait { UncheckedBox(stack.context.makeWorker("a")) }
      _ = worker.value.value(forKey: "name")
    }
    #expect(Self.violation(result))
  }

  @Test("C207 S86: A fetch off the context's queue stops at once")
  func context() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      setenv("com.apple.CoreData.ConcurrencyDebug", "1", 1)
      let stack = try GraphStack()
      stack.context.name = "mine"
      _ = try stack.context.all("Worker")
    }
    #expect(Self.violation(result))
  }

  @Test("C207: A sibling's queue is not the context's, the parent's is not the child's")
  func otherQueue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      setenv("com.apple.CoreData.ConcurrencyDebug", "1", 1)
      let stack = try GraphStack()
      let child = stack.context.child()
      child.name = "mine"
      try stack.context.performAndWait { _ = try child.all("Worker") }
    }
    #expect(Self.violation(result))
  }

  @Test(
    "C207: objectID anywhere, values inside perform and performAndWait, and a parent's objects below its child: fine")
  func allowed() async {
    await #expect(processExitsWith: .success) {
      setenv("com.apple.CoreData.ConcurrencyDebug", "1", 1)
      let stack = try GraphStack()
      let context = stack.context
      let worker = context.performAndWait { UncheckedBox(context.makeWorker("a")) }
      _ = worker.value.objectID
      try await context.perform {
        _ = worker.value.text("name")
        try context.save()
        let child = context.child()
        child.performAndWait {
          _ = worker.value.text("name")
          child.object(with: worker.value.objectID).setValue("b", forKey: "name")
        }
        try child.performAndWait { try child.save() }
        try context.save()
      }
      await MainActor.run {
        let main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        main.persistentStoreCoordinator = stack.coordinator
        _ = main.makeWorker("c").text("name")
      }
      exit(ConcurrencyDebug.isOn ? 0 : 1)
    }
  }

  @Test("C207: Off by default")
  func off() {
    #expect(ProcessInfo.processInfo.environment["com.apple.CoreData.ConcurrencyDebug"] != nil || !ConcurrencyDebug.isOn)
  }
}
