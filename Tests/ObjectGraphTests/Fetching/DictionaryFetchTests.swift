import Annals
import Foundation
import Testing

@testable import ObjectGraph

@Suite("Fetching dictionaries")
struct DictionaryFetchTests {
  /// Five workers in two departments, one in none; one has no age, two no nickname.
  private static func stack() throws -> GraphStack {
    let stack = try GraphStack()
    let context = stack.context
    try context.performAndWait {
      let (shop, yard) = (context.make("Department", ["name": "shop"]), context.make("Department", ["name": "yard"]))
      let make = { (name: String, age: Int?, salary: Double, nickname: String?, department: NSManagedObject?) in
        var values: [String: Any] = ["name": name, "salary": salary]
        values["age"] = age
        values["nickname"] = nickname
        values["department"] = department
        _ = context.make("Worker", values)
      }
      make("Ada", 30, 10, "a", shop)
      make("Bob", 20, 20, nil, shop)
      make("Cy", 40, 30, "c", yard)
      make("Di", nil, 40, "a", yard)
      make("Ed", 50, 50, nil, nil)
      try context.save()
    }
    return stack
  }

  private static func expression(
    _ name: String, _ format: String, _ type: NSAttributeType = .undefinedAttributeType
  ) -> NSExpressionDescription {
    let description = NSExpressionDescription()
    description.name = name
    description.expression = Predicates.NSExpression(format: format)
    description.expressionResultType = type
    return description
  }

  private static func fetch(
    _ stack: GraphStack, _ properties: [Any]?, _ change: (NSFetchRequest<NSDictionary>) -> Void = { _ in }
  ) throws -> [String] {
    let context = stack.context
    return try context.performAndWait {
      let request = NSFetchRequest<NSDictionary>(entityName: "Worker")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = properties
      change(request)
      return try context.fetch(request).map(text)
    }
  }

  private static func text(_ dictionary: NSDictionary) -> String {
    let keys: [String] = dictionary.allKeys.compactMap { $0 as? String }.sorted()
    return keys.map { "\($0)=\(dictionary[$0] ?? "nil")" }.joined(separator: " ")
  }

  private static func sorted(_ key: String, ascending: Bool = true) -> [NSSortDescriptor] {
    [NSSortDescriptor(key: key, ascending: ascending)]
  }

  @Test("C57: Names, descriptions and key paths are columns; absent values have no entry")
  func columns() throws {
    let stack = try Self.stack()
    let worker = try #require(stack.coordinator.managedObjectModel.entitiesByName["Worker"])
    let age = try #require(worker.attributesByName["age"])
    let found = try Self.fetch(stack, ["name", age, "department.name"]) { $0.sortDescriptors = Self.sorted("name") }
    #expect(
      found == [
        "age=30 department.name=shop name=Ada", "age=20 department.name=shop name=Bob",
        "age=40 department.name=yard name=Cy", "department.name=yard name=Di", "age=50 name=Ed",
      ])
  }

  @Test("C57: A to-one relationship in a dictionary is an object's id")
  func relationships() throws {
    let stack = try Self.stack()
    try stack.context.performAndWait {
      let request = NSFetchRequest<NSDictionary>(entityName: "Worker")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["department"]
      request.predicate = NSPredicate(format: "name == 'Ada'")
      let id = try #require(try stack.context.fetch(request).first?["department"] as? NSManagedObjectID)
      #expect(stack.context.object(with: id).text("name") == "shop")
    }
  }

  @Test("Aggregates over all rows are one dictionary; sum and count of no rows are 0, the others absent")
  func aggregates() throws {
    let stack = try Self.stack()
    let columns: [Any] = [
      Self.expression("n", "count:(SELF)"), Self.expression("ages", "count:(age)"),
      Self.expression("sum", "sum:(age)"), Self.expression("low", "min:(name)"), Self.expression("high", "max:(age)"),
      Self.expression("mean", "average:(salary)", .integer64AttributeType),
      Self.expression("ratio", "sum:(salary) / count:(age)", .doubleAttributeType),
      Self.expression("middle", "median:(age)"), Self.expression("paths", "count:(department.name)"),
    ]
    #expect(
      try Self.fetch(stack, columns) == [
        "ages=4 high=50 low=Ada mean=30 middle=35.0 n=5 paths=4 ratio=37.5 sum=140"
      ])
    let none = try Self.fetch(stack, columns) { $0.predicate = NSPredicate(format: "age > 99") }
    #expect(none == ["ages=0 n=0 paths=0 sum=0"])
    #expect(try Self.fetch(stack, columns) { $0.predicate = NSPredicate(value: false) } == none)
  }

  @Test("Key paths that begin with a collection operator are aggregates over the rows too")
  func operators() throws {
    let columns: [Any] = [Self.expression("n", "@count"), Self.expression("most", "@max.age")]
    #expect(try Self.fetch(try Self.stack(), columns) == ["most=50 n=5"])
  }

  @Test("Aggregates along to-many relationships count every member; collection operators give one value a row")
  func members() throws {
    let stack = try Self.stack()
    let columns: ([Any], Bool) throws -> [String] = { properties, isSorted in
      try stack.context.performAndWait {
        let request = NSFetchRequest<NSDictionary>(entityName: "Department")
        request.resultType = .dictionaryResultType
        if isSorted { request.sortDescriptors = Self.sorted("name") }
        request.propertiesToFetch = properties
        return try stack.context.fetch(request).map(Self.text)
      }
    }
    let rows = try columns(
      ["name", Self.expression("n", "workers.@count"), Self.expression("s", "workers.@sum.salary")], true)
    #expect(rows == ["n=2 name=shop s=30.0", "n=2 name=yard s=70.0"])
    let all = try columns(
      [Self.expression("n", "count:(workers)"), Self.expression("s", "sum:(workers.salary)")], false)
    #expect(all == ["n=4 s=100.0"])
  }

  @Test("Groups: one dictionary for each, in the order of the groups, or by a grouped property or a column's name")
  func groups() throws {
    let stack = try Self.stack()
    let count = Self.expression("n", "count:(name)")
    let total = Self.expression("total", "sum:(salary)")
    let byNickname = try Self.fetch(stack, ["nickname", count, total]) { $0.propertiesToGroupBy = ["nickname"] }
    #expect(byNickname == ["n=2 total=70.0", "n=2 nickname=a total=50.0", "n=1 nickname=c total=30.0"])
    let byName = try Self.fetch(stack, ["department.name", total]) {
      $0.propertiesToGroupBy = ["department.name"]
      $0.sortDescriptors = Self.sorted("department.name", ascending: false)
    }
    #expect(byName == ["department.name=yard total=70.0", "department.name=shop total=30.0", "total=50.0"])
    let byTotal = try Self.fetch(stack, ["nickname", total]) {
      $0.propertiesToGroupBy = ["nickname"]
      $0.sortDescriptors = Self.sorted("total")
      $0.fetchOffset = 1
      $0.fetchLimit = 1
    }
    #expect(byTotal == ["nickname=a total=50.0"])
    let two = try Self.fetch(stack, ["nickname", "age", count]) {
      $0.propertiesToGroupBy = ["nickname", "age"]
      $0.predicate = NSPredicate(format: "nickname == 'a'")
    }
    #expect(two == ["n=1 nickname=a", "age=30 n=1 nickname=a"])
  }

  @Test("Groups are chosen by grouped properties, aggregates, and columns named as variables or keys")
  func having() throws {
    let stack = try Self.stack()
    let count = Self.expression("n", "count:(name)")
    for format in ["$n > 1", "n > 1", "count:(name) > 1", "nickname != 'c' AND sum:(age) >= 0"] {
      let found = try Self.fetch(stack, ["nickname", count]) {
        $0.propertiesToGroupBy = ["nickname"]
        $0.havingPredicate = NSPredicate(format: format)
      }
      #expect(found == ["n=2", "n=2 nickname=a"], "\(format)")
    }
    let variable = NSExpression(forVariable: "n")
    let found = try Self.fetch(stack, ["nickname", count]) {
      $0.propertiesToGroupBy = ["nickname"]
      $0.havingPredicate = NSPredicate(format: "%@ == 1", variable)
    }
    #expect(found == ["n=1 nickname=c"])
  }

  @Test("Having compares a grouped relationship with an object")
  func havingObjects() throws {
    let stack = try Self.stack()
    let shop = try stack.context.performAndWait {
      try #require(try stack.context.all("Department").first { $0.text("name") == "shop" }).objectID
    }
    let found = try Self.fetch(stack, [Self.expression("n", "count:(SELF)")]) {
      $0.propertiesToGroupBy = ["department"]
      $0.havingPredicate = NSPredicate(format: "department == %@", shop)
    }
    #expect(found == ["n=2"])
  }

  @Test("C58: Distinct results come once, nothing counting as a value, and the window is cut afterwards")
  func distinct() throws {
    let stack = try Self.stack()
    let found = try Self.fetch(stack, ["nickname"]) {
      $0.returnsDistinctResults = true
      $0.sortDescriptors = Self.sorted("nickname", ascending: false)
    }
    #expect(found == ["nickname=c", "nickname=a", ""])
    let window = try Self.fetch(stack, ["nickname"]) {
      $0.returnsDistinctResults = true
      $0.sortDescriptors = Self.sorted("nickname", ascending: false)
      $0.fetchOffset = 1
      $0.fetchLimit = 1
    }
    #expect(window == ["nickname=a"])
  }

  @Test("Without groups a column beside an aggregate is read from the row that has the least or greatest")
  func samples() throws {
    let found = try Self.fetch(try Self.stack(), ["name", Self.expression("oldest", "max:(age)")])
    #expect(found == ["name=Ed oldest=50"])
  }

  @Test("Expressions of rows are columns, and results can be sorted by them")
  func rowExpressions() throws {
    let stack = try Self.stack()
    let columns: [Any] = [
      "name", Self.expression("net", "salary * 2 - age", .integer32AttributeType),
      Self.expression("loud", "uppercase:(name)"),
    ]
    let found = try Self.fetch(stack, columns) {
      $0.predicate = NSPredicate(format: "age != nil")
      $0.sortDescriptors = Self.sorted("net")
      $0.fetchLimit = 2
    }
    #expect(found == ["loud=ADA name=Ada net=-10", "loud=BOB name=Bob net=20"])
  }

  @Test("C53: Dictionaries show the store, whatever is pending, and wherever the request is asked about it")
  func committedOnly() throws {
    let stack = try Self.stack()
    let context = stack.context
    try context.performAndWait {
      for worker in try context.all("Worker") { worker.setValue(1000.0, forKey: "salary") }
      _ = context.make("Worker", ["name": "new", "salary": 1.0])
    }
    for includesPending in [true, false] {
      let found = try Self.fetch(stack, [Self.expression("s", "sum:(salary)")]) {
        $0.includesPendingChanges = includesPending
      }
      #expect(found == ["s=150.0"])
    }
  }

  @Test("Requests that make no sense are refused, naming entity and key")
  func refusals() throws {
    let stack = try Self.stack()
    func refusal(_ properties: [Any]?, _ change: @escaping (NSFetchRequest<NSDictionary>) -> Void = { _ in }) -> String
    {
      do { return "accepted \(try Self.fetch(stack, properties, change))" } catch { return error.localizedDescription }
    }
    let count = Self.expression("n", "count:(SELF)")
    #expect(refusal(["projects"]).contains("'projects' in propertiesToFetch is a to-many relationship"))
    #expect(refusal(["mood"]).contains("'mood' in propertiesToFetch is not stored"))
    #expect(refusal(["nothing"]).contains("no property named “nothing”"))
    #expect(
      refusal(["name", count]) { $0.propertiesToGroupBy = ["age"] }.contains(
        "“name” is neither grouped nor an aggregate"))
    #expect(refusal([count]) { $0.havingPredicate = NSPredicate(format: "n > 1") }.contains("set propertiesToGroupBy"))
    #expect(refusal([Self.expression("x", "projects.title")]).contains("has many values for a row"))
    #expect(refusal([Self.expression("x", "sum:(max:(age))")]).contains("aggregate of an aggregate"))
    #expect(
      refusal(["age", count]) {
        $0.propertiesToGroupBy = ["age"]
        $0.havingPredicate = NSPredicate(format: "$m > 1")
      }.contains("$m has no value"))
    #expect(refusal([3]).contains("is of type Int"))
  }

  @Test("Groups need the dictionary result type")
  func resultType() throws {
    let stack = try Self.stack()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Worker")
    request.propertiesToGroupBy = ["age"]
    #expect(throws: (any Error).self) { try stack.context.performAndWait { try stack.context.fetch(request) } }
  }

  @Test("Numbers keep their attribute's width; expressions take the type they declare")
  func types() throws {
    let stack = try Self.stack()
    try stack.context.performAndWait {
      let request = NSFetchRequest<NSDictionary>(entityName: "Worker")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = [
        Self.expression("m", "max:(age)"), Self.expression("d", "sum:(salary)", .decimalAttributeType),
        Self.expression("t", "min:(salary)", .dateAttributeType),
        Self.expression("s", "sum:(age)", .stringAttributeType),
      ]
      let found = try #require(try stack.context.fetch(request).first)
      #expect(found["m"] as? Int16 == 50 && found["s"] as? String == "140")
      #expect(found["d"] is NSDecimalNumber && (found["d"] as? NSDecimalNumber)?.intValue == 150)
      #expect(found["t"] as? Date == Date(timeIntervalSinceReferenceDate: 10))
    }
  }
}
