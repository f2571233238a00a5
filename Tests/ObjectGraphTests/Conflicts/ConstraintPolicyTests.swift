import Annals
import Foundation
import Testing

@Suite("Uniqueness constraints")
struct ConstraintPolicyTests {
  let coordinator: NSPersistentStoreCoordinator
  let context: NSManagedObjectContext

  init() throws {
    coordinator = try StackFixtures.inMemory()
    context = StackFixtures.context(coordinator)
  }

  private func account(_ email: String?, _ owner: String?, plan: String? = nil) -> NSManagedObject {
    let account = NSEntityDescription.insertNewObject(forEntityName: "Account", into: context)
    account.setValue(email, forKey: "email")
    if let owner { account.setValue(owner, forKey: "owner") }
    if let plan { account.setValue(plan, forKey: "plan") }
    return account
  }

  /// Email, owner and plan of what is stored.
  private func stored() throws -> [String] {
    let reader = StackFixtures.context(coordinator)
    return try reader.performAndWait {
      let all = try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Account"))
      return all.map { account in
        ["email", "owner", "plan"].map { "\(account.value(forKey: $0) ?? "nil")" }.joined(separator: " ")
      }.sorted()
    }
  }

  @Test("C121, B137: the error policy throws with the stored and the new object, and names what to delete")
  func errorPolicy() throws {
    try context.performAndWait {
      let first = account("a@x", "Ada")
      try context.save()
      let second = account("a@x", "Bob")
      let error = try #require(thrown { try context.save() })
      #expect(error.code == NSManagedObjectConstraintMergeError)
      let conflicts = try #require(error.userInfo["conflictList"] as? [NSConstraintConflict])
      #expect(conflicts.count == 1)
      #expect(conflicts[0].constraint == ["email"])
      #expect(conflicts[0].constraintValues["email"] as? String == "a@x")
      #expect(conflicts[0].databaseObject === first)
      #expect(conflicts[0].databaseSnapshot?["owner"] as? String == "Ada")
      #expect(conflicts[0].conflictingObjects == [second])
      #expect(context.hasChanges)
      let offenders = try #require(error.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject])
      for offender in offenders { context.delete(offender) }
      _ = account("b@x", "Cy")
      try context.save()
    }
    #expect(try stored() == ["a@x Ada nil", "b@x Cy nil"])
  }

  @Test("C122: under object trump one row stays, with what was set on the new object, under the stored identity")
  func objectTrump() throws {
    try context.performAndWait {
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      let first = account("a@x", "Ada", plan: "free")
      try context.save()
      _ = account("a@x", "Bob")
      try context.save()
      #expect(first.value(forKey: "owner") as? String == "Bob")
      #expect(first.value(forKey: "plan") as? String == "free")
      #expect(!context.hasChanges)
    }
    #expect(try stored() == ["a@x Bob free"])
  }

  @Test(
    "C122: under the store's policies the stored values stay, and the new object is gone",
    arguments: [NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType])
  func storeTrump(type: NSMergePolicyType) throws {
    try context.performAndWait {
      context.mergePolicy = NSMergePolicy(merge: type)
      _ = account("a@x", "Ada", plan: "free")
      try context.save()
      let second = account("a@x", "Bob")
      try context.save()
      #expect(second.managedObjectContext == nil)
      #expect(context.insertedObjects.isEmpty && !context.hasChanges)
    }
    #expect(try stored() == ["a@x Ada free"])
  }

  @Test("C123: of unsaved duplicates one survives under object trump; the error policy names both")
  func unsavedDuplicates() throws {
    try context.performAndWait {
      let both = [account("a@x", "Ada"), account("a@x", "Bob")]
      let error = try #require(thrown { try context.save() })
      let conflicts = try #require(error.userInfo["conflictList"] as? [NSConstraintConflict])
      #expect(conflicts.count == 1 && conflicts[0].databaseObject == nil)
      #expect(Set(conflicts[0].conflictingObjects) == Set(both))
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
    }
    #expect(try stored().count == 1)
  }

  @Test("C125: any number of rows may have no value; two rows may swap theirs in one save")
  func absenceAndSwap() throws {
    try context.performAndWait {
      let nobody = [account(nil, "Cy"), account(nil, "Di")]
      let pair = [account("a@x", "Ada"), account("b@x", "Bob")]
      try context.save()
      #expect(nobody.allSatisfy { !$0.hasChanges })
      pair[0].setValue("b@x", forKey: "email")
      pair[1].setValue("a@x", forKey: "email")
      try context.save()
    }
    #expect(try stored() == ["a@x Bob nil", "b@x Ada nil", "nil Cy nil", "nil Di nil"])
  }

  @Test("C126: members of the stored row are not lost when a new object wins, and its own join them")
  func membersSurvive() throws {
    func note(_ text: String, _ account: NSManagedObject) {
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue(text, forKey: "text")
      note.setValue(account, forKey: "account")
    }
    try context.performAndWait {
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      note("old", account("a@x", "Ada"))
      try context.save()
      note("new", account("a@x", "Bob"))
      try context.save()
    }
    let reader = StackFixtures.context(coordinator)
    let texts: [String] = try reader.performAndWait {
      let all = try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Account"))
      #expect(all.count == 1)
      let notes = (all.first?.value(forKey: "notes") as? NSSet)?.allObjects ?? []
      return notes.compactMap { ($0 as? NSManagedObject)?.value(forKey: "text") as? String }
    }
    #expect(texts.sorted() == ["new", "old"])
  }

  @Test("A saved object that takes another's value wins or gives way like a new one")
  func updatedToDuplicate() throws {
    try context.performAndWait {
      _ = account("a@x", "Ada")
      let second = account("b@x", "Bob")
      try context.save()
      second.setValue("a@x", forKey: "email")
      context.mergePolicy = NSMergePolicy.rollback
      try context.save()
      #expect(second.value(forKey: "email") as? String == "b@x")
      second.setValue("a@x", forKey: "email")
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
    }
    #expect(try stored() == ["a@x Bob nil"])
  }
}
