import Annals
import Foundation
import Testing

@testable import ObjectGraph

@Suite("Access by index and by name")
struct AccessTests {
  static let kinds: [(String, NSAttributeType, any Sendable)] = [
    ("small", .integer16AttributeType, -7), ("medium", .integer32AttributeType, 70_000),
    ("large", .integer64AttributeType, Int64.max), ("real", .doubleAttributeType, 2.5),
    ("single", .floatAttributeType, Float(1.1)), ("flag", .booleanAttributeType, true),
    ("text", .stringAttributeType, "héllo"), ("when", .dateAttributeType, Date(timeIntervalSinceReferenceDate: 77)),
    ("bytes", .binaryDataAttributeType, Data([1, 0, 255])),
    ("price", .decimalAttributeType, NSDecimalNumber(string: "1.50")),
    ("uuid", .UUIDAttributeType, UUID()), ("link", .URIAttributeType, URL(string: "https://example.org/x")!),
  ]

  private static func stack() throws -> GraphStack {
    let model = NSManagedObjectModel()
    model.entities = [GraphFixtures.entity("Thing", kinds.map { ($0.0, $0.1) })]
    return try GraphStack(model)
  }

  private static func check(_ object: NSManagedObject) {
    func at(_ name: String) -> Int { object.info.property(named: name)! }
    #expect(object._int16(at("small")) == -7 && object._int32(at("medium")) == 70_000)
    #expect(object._int64(at("large")) == .max && object._double(at("real")) == 2.5)
    #expect(object._float(at("single")) == 1.1 && object._bool(at("flag")))
    #expect(object._string(at("text")) == "héllo" && object._date(at("when"))?.timeIntervalSinceReferenceDate == 77)
    #expect(
      object._data(at("bytes")) == Data([1, 0, 255]) && object._decimal(at("price")) == NSDecimalNumber(string: "1.5"))
    #expect(object._uuid(at("uuid")) == kinds[10].2 as? UUID && object._url(at("link")) == kinds[11].2 as? URL)
    // Asked for as another type than the model's, a number is converted.
    #expect(object._int64(at("small")) == -7 && object._double(at("medium")) == 70_000)
    #expect(object._number(at("flag")) == true)
  }

  @Test("Every type reads the same from a new object, a saved one, a fault, and one with another property changed")
  func everyType() throws {
    let stack = try Self.stack()
    let context = stack.context
    try context.performAndWait {
      let object = context.make("Thing")
      for (name, _, value) in Self.kinds { object.setValue(value, forKey: name) }
      Self.check(object)
      try context.save()
      #expect(object.flags.contains(.direct) || ConcurrencyDebug.isOn)
      Self.check(object)
      context.refreshAllObjects()
      #expect(object.isFault)
      Self.check(object)
      #expect(object.flags.contains(.direct) || ConcurrencyDebug.isOn)
      object._setInt16(3, object.info.property(named: "small")!)
      object.setValue(-7, forKey: "small")
      #expect(!object.flags.contains(.direct))
      Self.check(object)
    }
  }

  @Test("Absent scalars read as zero, absent objects as nil, in rows and in memory")
  func absent() throws {
    let stack = try Self.stack()
    let context = stack.context
    try context.performAndWait {
      let object = context.make("Thing")
      for _ in 0..<2 {
        for property in object.info.entity.properties.indices { #expect(object._any(property) == nil) }
        #expect(object._int16(object.info.property(named: "small")!) == 0)
        #expect(object._string(object.info.property(named: "text")!) == nil)
        try context.save()
      }
    }
  }

  @Test("By name, numbers come as NSNumber and cast to any number; setting converts")
  func byName() throws {
    let stack = try Self.stack()
    let context = stack.context
    context.performAndWait {
      let object = context.make("Thing")
      object.setValue(3, forKey: "large")
      #expect(object.value(forKey: "large") as? Int == 3 && object.value(forKey: "large") as? Int64 == 3)
      object.setValue(NSNumber(value: 4), forKey: "real")
      #expect(object.value(forKey: "real") as? Double == 4)
      object.setValue(NSNull(), forKey: "real")
      #expect(object.value(forKey: "real") == nil)
      #expect(object.dictionaryWithValues(forKeys: ["large", "real"])["real"] is NSNull)
    }
  }

  @Test("An unknown key stops the program")
  func unknownKey() async {
    await #expect(processExitsWith: .failure) {
      let stack = try AccessTests.stack()
      _ = stack.context.make("Thing").value(forKey: "nonsense")
    }
  }

  @Test("Key paths lead through relationships, to one and to many")
  func keyPaths() throws {
    let stack = try GraphStack()
    let context = stack.context
    context.performAndWait {
      let department = context.make("Department", ["name": "D"])
      let worker = context.make("Worker", ["name": "Ann", "department": department])
      #expect(worker.value(forKeyPath: "department.name") as? String == "D")
      worker.setValue("E", forKeyPath: "department.name")
      #expect(department.text("name") == "E")
      #expect(department.value(forKeyPath: "workers.name") as? NSSet == NSSet(object: "Ann"))
      #expect(department.value(forKeyPath: "workers.@count") as? Int == 1)
    }
  }
}

@Suite("Events and queues")
struct EventTests {
  @Test("A block of perform is an event: changes are told once, at its end")
  func block() async throws {
    let stack = try GraphStack()
    let context = stack.context
    let heard = Listener(.NSManagedObjectContextObjectsDidChange, context)
    await context.perform {
      _ = context.makeWorker("a")
      // A nested wait does not end it.
      context.performAndWait { _ = context.makeWorker("b") }
    }
    context.performAndWait { #expect(heard.sets.count == 1 && heard.sets[0]["inserted"]?.count == 2) }
  }

  @Test("A context used directly ends its event with a call on its queue")
  func direct() async throws {
    let stack = try GraphStack()
    let context = stack.context
    let heard = Listener(.NSManagedObjectContextObjectsDidChange, context)
    context.performAndWait {
      _ = context.makeWorker("a")
      _ = context.makeWorker("b")
      #expect(heard.sets.isEmpty)
    }
    await context.perform(schedule: .enqueued) {}
    #expect(heard.sets.count == 1)
  }

  @Test("perform returns and throws what its block does")
  func results() async throws {
    let stack = try GraphStack()
    let context = stack.context
    let number = await context.perform { 3 }
    #expect(number == 3)
    await #expect(throws: CocoaError.self) {
      try await context.perform { throw CocoaError(.coderInvalidValue) }
    }
    #expect(context.performAndWait { 4 } == 4)
    #expect(throws: CocoaError.self) { try context.performAndWait { throw CocoaError(.coderInvalidValue) } }
  }

  @Test("An object outlives its context without it")
  func orphan() throws {
    var stack: GraphStack? = try GraphStack()
    let worker = stack!.context.performAndWait { UncheckedBox(stack!.context.makeWorker("Ann")) }
    stack!.context.performAndWait { stack!.context.processPendingChanges() }
    stack = nil
    #expect(worker.value.managedObjectContext == nil && worker.value.text("name") == "Ann")
  }

  @Test("Importing in batches keeps nothing of what was saved")
  func flat() throws {
    let stack = try GraphStack()
    let context = stack.context
    try context.performAndWait {
      let department = context.make("Department")
      try context.save()
      for _ in 0..<5 {
        for index in 0..<100 { context.makeWorker("\(index)").setValue(department, forKey: "department") }
        try context.save()
        #expect(context.registeredObjects == [department] && context.pending.isEmpty && context.event.isEmpty)
      }
      #expect(department.related("workers").count == 500)
    }
  }
}
