import Annals
import Foundation
import Testing

@testable import ObjectGraph

/// Random walks over relationships against a table of pairs: whatever is done, through whichever side, both sides
/// agree with the table at once, and the store agrees with it after a save.
@Suite("Relationships: random walks")
struct RandomRelationshipTests {
  struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let mixed: UInt64 = (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9
      return mixed ^ mixed >> 32
    }
  }

  /// A relationship as a set of pairs of object numbers.
  struct Table {
    let from: String
    let key: String
    let isToMany: Bool
    let to: String
    let inverse: String
    let inverseIsToMany: Bool
    var pairs: Set<[Int]> = []

    mutating func link(_ a: Int, _ b: Int) {
      if !isToMany { pairs = pairs.filter { $0[0] != a } }
      if !inverseIsToMany { pairs = pairs.filter { $0[1] != b } }
      pairs.insert([a, b])
    }
    mutating func unlink(_ a: Int, _ b: Int) { pairs.remove([a, b]) }
    mutating func forget(_ number: Int, of entity: String) {
      pairs = pairs.filter { (from != entity || $0[0] != number) && (to != entity || $0[1] != number) }
    }
    func there(_ a: Int) -> Set<Int> { Set(pairs.filter { $0[0] == a }.map { $0[1] }) }
    func back(_ b: Int) -> Set<Int> { Set(pairs.filter { $0[1] == b }.map { $0[0] }) }
  }

  /// The walk: objects by entity and number, and what is true of them.
  final class Walk {
    let stack: GraphStack
    var context: NSManagedObjectContext { stack.context }
    var random: Generator
    var objects: [String: [Int: NSManagedObject]] = [:]
    var tables: [Table] = [
      Table(
        from: "Worker", key: "department", isToMany: false, to: "Department", inverse: "workers", inverseIsToMany: true),
      Table(from: "Worker", key: "desk", isToMany: false, to: "Desk", inverse: "worker", inverseIsToMany: false),
      Table(from: "Worker", key: "projects", isToMany: true, to: "Project", inverse: "workers", inverseIsToMany: true),
      Table(from: "Worker", key: "friends", isToMany: true, to: "Worker", inverse: "friendOf", inverseIsToMany: true),
      Table(from: "Step", key: "project", isToMany: false, to: "Project", inverse: "steps", inverseIsToMany: true),
    ]
    var savedObjects: [String: [Int: NSManagedObject]] = [:]
    var savedTables: [Table] = []
    var next = 0

    init(seed: UInt64) throws {
      let model = GraphFixtures.model()
      // Cascades would need an oracle of their own.
      model.entitiesByName["Project"]?.relationshipsByName["steps"]?.deleteRule = .nullifyDeleteRule
      stack = try GraphStack(model)
      random = Generator(state: seed)
      savedTables = tables
    }

    func populate() {
      for _ in 0..<8 { for entity in ["Worker", "Department", "Desk", "Project", "Step"] { make(entity) } }
    }

    func make(_ entity: String) {
      objects[entity, default: [:]][next] = context.make(entity)
      next += 1
    }

    func pick(_ entity: String) -> Int? { objects[entity]?.keys.sorted().randomElement(using: &random) }

    func step() throws {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<12: change()
      case 12: make(["Worker", "Department", "Project", "Step"].randomElement(using: &random)!)
      case 13, 14: delete()
      case 15, 16, 17: try save()
      case 18: rollback()
      default: context.refreshAllObjects()
      }
    }

    private func change() {
      let index: Int = tables.indices.randomElement(using: &random)!
      let table: Table = tables[index]
      guard let a = pick(table.from), let b = pick(table.to) else { return }
      let (here, there) = (objects[table.from]![a]!, objects[table.to]![b]!)
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: set(here, table.key, there, isToMany: table.isToMany) { tables[index].link(a, b) }
      case 2, 3: set(there, table.inverse, here, isToMany: table.inverseIsToMany) { tables[index].link(a, b) }
      case 4:
        guard table.there(a).contains(b) else { return }
        unset(here, table.key, there, isToMany: table.isToMany)
        tables[index].unlink(a, b)
      default:
        guard table.inverseIsToMany else { return }
        let members: [Int] = (0..<3).compactMap { _ in pick(table.from) }
        let wanted: [NSManagedObject] = members.map { objects[table.from]![$0]! }
        if there.entity.relationshipsByName[table.inverse]!.isOrdered {
          there.setValue(NSOrderedSet(array: wanted), forKey: table.inverse)
        } else {
          there.setValue(NSSet(array: wanted), forKey: table.inverse)
        }
        for old in table.back(b) { tables[index].unlink(old, b) }
        for member in members { tables[index].link(member, b) }
      }
    }

    private func set(
      _ here: NSManagedObject, _ key: String, _ there: NSManagedObject, isToMany: Bool, _ note: () -> Void
    ) {
      if isToMany { here.mutableSetValue(forKey: key).add(there) } else { here.setValue(there, forKey: key) }
      note()
    }

    private func unset(_ here: NSManagedObject, _ key: String, _ there: NSManagedObject, isToMany: Bool) {
      if isToMany { here.mutableSetValue(forKey: key).remove(there) } else { here.setValue(nil, forKey: key) }
    }

    private func delete() {
      let entity: String = ["Worker", "Department", "Desk", "Project", "Step"].randomElement(using: &random)!
      guard let number = pick(entity) else { return }
      context.delete(objects[entity]![number]!)
      context.processPendingChanges()
      objects[entity]![number] = nil
      for index in tables.indices { tables[index].forget(number, of: entity) }
    }

    private func save() throws {
      try context.save()
      savedObjects = objects
      savedTables = tables
      try checkStore()
    }

    private func rollback() {
      context.rollback()
      objects = savedObjects
      tables = savedTables
    }

    /// Both sides, as this context has them.
    func check() -> [String] {
      var faults: [String] = []
      for table in tables {
        for (a, object) in objects[table.from] ?? [:] {
          let now: Set<NSManagedObject> = Self.members(object, table.key)
          let expected: Set<NSManagedObject> = Set(table.there(a).map { objects[table.to]![$0]! })
          if now != expected {
            faults.append("\(table.from).\(table.key) of \(a): \(now.count), not \(expected.count)")
          }
        }
        for (b, object) in objects[table.to] ?? [:] {
          let now: Set<NSManagedObject> = Self.members(object, table.inverse)
          let expected: Set<NSManagedObject> = Set(table.back(b).map { objects[table.from]![$0]! })
          if now != expected {
            faults.append("\(table.to).\(table.inverse) of \(b): \(now.count), not \(expected.count)")
          }
        }
      }
      return faults
    }

    private func checkStore() throws {
      let other: NSManagedObjectContext = stack.sibling()
      let faults: [String] = other.performAndWait {
        var faults: [String] = []
        for table in tables {
          for (a, object) in objects[table.from] ?? [:] {
            let found = Set(Self.members(other.object(with: object.objectID), table.key).map { $0.objectID })
            let expected = Set(table.there(a).map { objects[table.to]![$0]!.objectID })
            if found != expected { faults.append("stored \(table.from).\(table.key) of \(a)") }
          }
          for (b, object) in objects[table.to] ?? [:] {
            let found = Set(Self.members(other.object(with: object.objectID), table.inverse).map { $0.objectID })
            let expected = Set(table.back(b).map { objects[table.from]![$0]!.objectID })
            if found != expected { faults.append("stored \(table.to).\(table.inverse) of \(b)") }
          }
        }
        return faults
      }
      #expect(faults.isEmpty)
    }

    static func members(_ object: NSManagedObject, _ key: String) -> Set<NSManagedObject> {
      switch object.value(forKey: key) {
      case let set as NSSet: Set(set.allObjects.map { $0 as! NSManagedObject })
      case let set as NSOrderedSet: Set(set.array.map { $0 as! NSManagedObject })
      case let one as NSManagedObject: [one]
      default: []
      }
    }
  }

  @Test("Whatever is set, from whichever side, both sides and the store agree", arguments: 1...12)
  func walk(seed: Int) throws {
    let walk = try Walk(seed: UInt64(seed) &* 7919)
    try walk.context.performAndWait {
      walk.populate()
      for step in 0..<150 {
        try walk.step()
        let faults: [String] = walk.check()
        #expect(faults.isEmpty, "seed \(seed), step \(step)")
        if !faults.isEmpty { return }
      }
    }
  }

  @Test("Without reading the other side first, changes from either side agree with the store", arguments: 1...12)
  func blindWalk(seed: Int) throws {
    let walk = try Walk(seed: UInt64(seed) &* 104_729)
    try walk.context.performAndWait {
      walk.populate()
      for _ in 0..<200 { try walk.step() }
    }
  }
}
