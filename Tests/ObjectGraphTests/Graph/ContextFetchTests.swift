import Annals
import Foundation
import Testing

@testable import ObjectGraph

@Suite("Fetching through a context")
struct ContextFetchTests {
  private static func request(_ predicate: String? = nil, sort: String? = "name") -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Worker")
    if let predicate { request.predicate = NSPredicate(format: predicate) }
    if let sort { request.sortDescriptors = [NSSortDescriptor(key: sort, ascending: true)] }
    return request
  }

  private static func names(_ context: NSManagedObjectContext, _ request: NSFetchRequest<NSManagedObject>) throws
    -> [String]
  {
    try context.fetch(request).map { $0.text("name") ?? "-" }
  }

  @Test("C49 C50 C51 C54: Pending changes count, in order and within the window, unless the request says otherwise")
  func pending() throws {
    let stack = try GraphStack()
    let context = stack.context
    try context.performAndWait {
      let workers = (0..<6).map { context.make("Worker", ["name": "w\($0)", "age": $0 < 5 ? 20 : 50]) }
      try context.save()
      workers[5].setValue(21, forKey: "age")
      let request = Self.request("age < 40")
      #expect(try Self.names(context, request) == ["w0", "w1", "w2", "w3", "w4", "w5"])
      workers[0].setValue(60, forKey: "age")
      context.delete(workers[1])
      _ = context.make("Worker", ["name": "w22", "age": 30])
      #expect(try Self.names(context, request) == ["w2", "w22", "w3", "w4", "w5"])
      #expect(try context.count(for: request) == 5)
      request.fetchOffset = 1
      request.fetchLimit = 3
      #expect(try Self.names(context, request) == ["w22", "w3", "w4"] && context.count(for: request) == 3)
      request.fetchOffset = 0
      request.fetchLimit = 0
      request.includesPendingChanges = false
      #expect(try context.fetch(request).count == 5)
      #expect(try context.fetch(request).contains(workers[0]))
    }
  }

  @Test("Key paths see pending changes of the objects they lead to")
  func keyPaths() throws {
    let stack = try GraphStack()
    let context = stack.context
    try context.performAndWait {
      let (d1, d2) = (context.make("Department", ["name": "one"]), context.make("Department", ["name": "two"]))
      _ = context.make("Worker", ["name": "a", "department": d1])
      let b = context.make("Worker", ["name": "b", "department": d2])
      try context.save()
      d2.setValue("one", forKey: "name")
      #expect(try Self.names(context, Self.request("department.name == 'one'")) == ["a", "b"])
      b.setValue(nil, forKey: "department")
      #expect(try Self.names(context, Self.request("department.name == 'one'")) == ["a"])
      let c = context.make("Worker", ["name": "c"])
      let project = context.make("Project", ["title": "P"])
      c.mutableSetValue(forKey: "projects").add(project)
      #expect(try Self.names(context, Self.request("ANY projects.title == 'P'")) == ["c"])
      #expect(try Self.names(context, Self.request("projects.@count == 0")) == ["a", "b"])
      let request = Self.request()
      request.predicate = NSPredicate(format: "%@ IN projects", project)
      #expect(try Self.names(context, request) == ["c"])
    }
  }

  @Test("C53 C55 C57 C58: Ids include new objects; dictionaries come from the store, without entries for nothing")
  func resultTypes() throws {
    let stack = try GraphStack()
    let context = stack.context
    try context.performAndWait {
      let department = context.make("Department", ["name": "D"])
      _ = context.make("Worker", ["name": "a", "nickname": "x", "department": department])
      _ = context.make("Worker", ["name": "b", "nickname": "x"])
      try context.save()
      let new = context.make("Worker", ["name": "c"])
      let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Worker")
      ids.resultType = .managedObjectIDResultType
      #expect(try context.fetch(ids).contains(new.objectID) && context.fetch(ids).count == 3)
      let rows = NSFetchRequest<NSDictionary>(entityName: "Worker")
      rows.resultType = .dictionaryResultType
      rows.propertiesToFetch = ["name", "department", "nickname"]
      rows.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      let found = try context.fetch(rows)
      #expect(found.count == 2 && found[0]["department"] as? NSManagedObjectID == department.objectID)
      #expect(found[1]["department"] == nil && found[1].count == 2)
      rows.propertiesToFetch = ["nickname"]
      rows.returnsDistinctResults = true
      #expect(try context.fetch(rows) == [["nickname": "x"]])
      let number = NSFetchRequest<NSNumber>(entityName: "Worker")
      number.resultType = .countResultType
      #expect(try context.fetch(number) == [3])
      rows.sortDescriptors = nil
      rows.propertiesToGroupBy = ["nickname"]
      #expect(try context.fetch(rows) == [["nickname": "x"]])
    }
  }

  @Test("C61 C62: Sub-entities come back as their own entities; their attributes are unknown above")
  func inheritance() throws {
    let stack = try GraphStack()
    let context = stack.context
    try context.performAndWait {
      _ = context.make("Worker", ["name": "a"])
      let boss = context.make("Manager", ["name": "boss", "level": 3])
      try context.save()
      let request = Self.request()
      #expect(try context.fetch(request).last === boss && boss.entity.name == "Manager")
      request.includesSubentities = false
      #expect(try Self.names(context, request) == ["a"])
      #expect(throws: CocoaError.self) { try context.fetch(Self.request("level == 3")) }
    }
  }

  @Test("Objects that are there keep their values and identity; faults take theirs when asked, or with the fetch")
  func uniquing() throws {
    let stack = try GraphStack()
    let context = stack.context
    try context.performAndWait {
      let worker = context.makeWorker("a")
      try context.save()
      let (other, id) = (stack.sibling(), worker.objectID)
      try other.performAndWait {
        let request = Self.request()
        request.returnsObjectsAsFaults = false
        #expect(try other.fetch(request).first?.isFault == false)
        other.object(with: id).setValue("b", forKey: "name")
        try other.save()
      }
      #expect(try context.fetch(Self.request()) == [worker] && worker.text("name") == "a")
      let request = Self.request()
      request.shouldRefreshRefetchedObjects = true
      #expect(try context.fetch(request) == [worker] && worker.text("name") == "b")
    }
  }
}
