import Annals
import Foundation
import Testing

/// The stored row is name a, age 1, city x; both contexts have it; B has saved age 2.
@Suite("Merge policies")
struct MergePolicyTests {
  let coordinator: NSPersistentStoreCoordinator
  let a: NSManagedObjectContext
  let b: NSManagedObjectContext
  let id: NSManagedObjectID

  init() throws {
    coordinator = try StackFixtures.inMemory()
    let a = StackFixtures.context(coordinator)
    let b = StackFixtures.context(coordinator)
    // Clean objects are forgotten when nobody holds them; A has to go on knowing what it read.
    a.retainsRegisteredObjects = true
    self.a = a
    self.b = b
    id = try a.performAndWait {
      let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: a)
      person.setValue("a", forKey: "name")
      person.setValue(1, forKey: "age")
      person.setValue("x", forKey: "city")
      try a.save()
      return person.objectID
    }
  }

  /// B changes the row; A had read it before.
  private func changeInB(_ change: (NSManagedObject) -> Void = { $0.setValue(2, forKey: "age") }) throws {
    a.performAndWait { _ = a.object(with: id).value(forKey: "age") }
    try b.performAndWait {
      change(b.object(with: id))
      try b.save()
    }
  }

  private func saveA(_ policy: NSMergePolicy, _ changes: [String: Any]) throws {
    try a.performAndWait {
      a.mergePolicy = policy
      let person = a.object(with: id)
      for (key, value) in changes { person.setValue(value, forKey: key) }
      try a.save()
    }
  }

  /// What is stored, as a third context reads it.
  private func stored() throws -> [String] {
    let c = StackFixtures.context(coordinator)
    return try c.performAndWait { describe(try c.existingObject(with: id)) }
  }

  private func inA() -> [String] { a.performAndWait { describe(a.object(with: id)) } }

  private func describe(_ person: NSManagedObject) -> [String] {
    ["name", "age", "city"].map { "\(person.value(forKey: $0) ?? "nil")" }
  }

  @Test("C111: the error policy throws with the conflict, writes nothing and leaves the object changed")
  func errorPolicy() throws {
    try changeInB()
    let error = try #require(thrown { try saveA(.error, ["name": "mine"]) })
    #expect(error.code == NSManagedObjectMergeError)
    let conflicts = try #require(error.userInfo["conflictList"] as? [NSMergeConflict])
    #expect(conflicts.count == 1)
    a.performAndWait {
      let conflict = conflicts[0]
      #expect(conflict.sourceObject === a.object(with: id))
      #expect(conflict.oldVersionNumber > 0 && conflict.newVersionNumber > conflict.oldVersionNumber)
      #expect(conflict.objectSnapshot?["name"] as? String == "mine")
      #expect(conflict.objectSnapshot?["age"] as? Int == 1)
      #expect(conflict.cachedSnapshot?["name"] as? String == "a")
      #expect(conflict.cachedSnapshot?["age"] as? Int == 2)
      #expect(conflict.persistedSnapshot == nil)
      #expect(a.hasChanges)
      #expect(a.object(with: id).isUpdated)
    }
    #expect(try stored() == ["a", "2", "x"])
    #expect(inA() == ["mine", "1", "x"])
  }

  @Test("Object trump keeps what A changed and takes what only B changed")
  func objectTrump() throws {
    try changeInB()
    try saveA(.mergeByPropertyObjectTrump, ["name": "mine", "age": 9])
    #expect(try stored() == ["mine", "9", "x"])
    #expect(inA() == ["mine", "9", "x"])
  }

  @Test("Object trump without a common property keeps both changes")
  func objectTrumpDisjoint() throws {
    try changeInB()
    try saveA(.mergeByPropertyObjectTrump, ["name": "mine"])
    #expect(try stored() == ["mine", "2", "x"])
    #expect(inA() == ["mine", "2", "x"])
  }

  @Test("C113: store trump gives way only where both changed")
  func storeTrump() throws {
    try changeInB()
    try saveA(.mergeByPropertyStoreTrump, ["name": "mine", "age": 9])
    #expect(try stored() == ["mine", "2", "x"])
    #expect(inA() == ["mine", "2", "x"])
  }

  @Test("C114: overwrite writes the whole object, stale values too")
  func overwrite() throws {
    try changeInB()
    try saveA(.overwrite, ["name": "mine"])
    #expect(try stored() == ["mine", "1", "x"])
    #expect(inA() == ["mine", "1", "x"])
  }

  @Test("C115: rollback drops what A changed, and the save succeeds")
  func rollback() throws {
    try changeInB()
    try saveA(.rollback, ["name": "mine"])
    #expect(try stored() == ["a", "2", "x"])
    #expect(inA() == ["a", "2", "x"])
    a.performAndWait { #expect(!a.hasChanges) }
  }

  @Test(
    "C117: A deletes what B changed: the error policy throws, the object's policies delete, the store's keep the row",
    arguments: [
      (NSMergePolicyType.errorMergePolicyType, false), (.mergeByPropertyObjectTrumpMergePolicyType, true),
      (.overwriteMergePolicyType, true), (.mergeByPropertyStoreTrumpMergePolicyType, false),
      (.rollbackMergePolicyType, false),
    ])
  func deletedHere(type: NSMergePolicyType, isGone: Bool) throws {
    try changeInB()
    let error = thrown {
      try a.performAndWait {
        a.mergePolicy = NSMergePolicy(merge: type)
        a.delete(a.object(with: id))
        try a.save()
      }
    }
    #expect((error?.code == NSManagedObjectMergeError) == (type == .errorMergePolicyType))
    let c = StackFixtures.context(coordinator)
    let count: Int = try c.performAndWait { try c.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person")) }
    #expect(count == (isGone ? 0 : 1))
    if !isGone && type != .errorMergePolicyType {
      #expect(inA() == ["a", "2", "x"])
      a.performAndWait { #expect(!a.object(with: id).isDeleted && !a.hasChanges) }
    }
  }

  @Test(
    "A changes what B deleted: the store's policies let it go, the object's say that it is gone",
    arguments: [
      (NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, false), (.rollbackMergePolicyType, false),
      (.mergeByPropertyObjectTrumpMergePolicyType, true), (.overwriteMergePolicyType, true),
      (.errorMergePolicyType, true),
    ])
  func deletedThere(type: NSMergePolicyType, throws: Bool) throws {
    try changeInB { $0.managedObjectContext?.delete($0) }
    let error = thrown { try saveA(NSMergePolicy(merge: type), ["name": "mine"]) }
    #expect((error?.code == NSManagedObjectMergeError) == `throws`)
    if `throws` {
      let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
      #expect(conflicts?.first?.newVersionNumber == 0)
    } else {
      a.performAndWait { #expect(!a.hasChanges) }
    }
  }

  @Test("C118: members added on both sides both survive, without a conflict")
  func toMany() throws {
    func addTag(_ context: NSManagedObjectContext, _ label: String) throws {
      try context.performAndWait {
        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        tag.setValue(label, forKey: "label")
        let person = context.object(with: id)
        let tags = NSMutableSet(set: (person.value(forKey: "tags") as? NSSet) ?? NSSet())
        tags.add(tag)
        person.setValue(tags, forKey: "tags")
        try context.save()
      }
    }
    a.performAndWait { _ = (a.object(with: id).value(forKey: "tags") as? NSSet)?.count }
    try addTag(b, "from b")
    a.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try addTag(a, "from a")
    let c = StackFixtures.context(coordinator)
    let labels: [String] = try c.performAndWait {
      let tags = try c.existingObject(with: id).value(forKey: "tags") as? NSSet
      return (tags?.allObjects ?? []).compactMap { ($0 as? NSManagedObject)?.value(forKey: "label") as? String }
    }
    #expect(labels.sorted() == ["from a", "from b"])
  }

  @Test("C119: an object that was only checked makes the save conflict when its row has changed")
  func detectConflicts() throws {
    try changeInB()
    func save(_ policy: NSMergePolicy) -> NSError? {
      thrown {
        try a.performAndWait {
          a.mergePolicy = policy
          a.detectConflicts(for: a.object(with: id))
          let other = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: a)
          other.setValue("t", forKey: "label")
          try a.save()
        }
      }
    }
    #expect(save(.error)?.code == NSManagedObjectMergeError)
    #expect(save(.rollback) == nil)
    #expect(inA() == ["a", "2", "x"])
  }

  @Test("A policy of one's own sees the conflicts and may leave them to the class above")
  func ownPolicy() throws {
    final class Recording: NSMergePolicy, @unchecked Sendable {
      // unchecked: used by one context.
      var seen: [Int] = []
      override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        seen.append(list.count)
        try super.resolve(optimisticLockingConflicts: list)
      }
    }
    try changeInB()
    let policy = Recording(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    try saveA(policy, ["name": "mine"])
    #expect(policy.seen == [1])
    #expect(try stored() == ["mine", "2", "x"])
  }

  @Test("The named policies have their types")
  func types() {
    #expect(NSMergePolicy.error.mergeType == .errorMergePolicyType)
    #expect(NSMergePolicy.overwrite === NSOverwriteMergePolicy)
    #expect(NSRollbackMergePolicy.mergeType == .rollbackMergePolicyType)
    #expect(NSMergePolicy.mergeByPropertyStoreTrump.mergeType == .mergeByPropertyStoreTrumpMergePolicyType)
    #expect(NSMergePolicy.mergeByPropertyObjectTrump.mergeType == .mergeByPropertyObjectTrumpMergePolicyType)
  }
}
