import Annals
import Foundation
import Testing

@testable import ObjectGraph

@Suite("Validation")
struct ValidationTests {
  private static func model() -> NSManagedObjectModel {
    let model = GraphFixtures.model()
    let worker = model.entitiesByName["Worker"]!
    worker.attributesByName["name"]?.isOptional = false
    worker.attributesByName["name"]?.setValidationPredicates(
      [NSPredicate(format: "SELF MATCHES %@", "[A-Za-z]*")], withValidationWarnings: ["letters only"])
    worker.attributesByName["age"]?.limits.minNumber = 16
    worker.attributesByName["age"]?.limits.maxNumber = 99
    worker.attributesByName["nickname"]?.limits.minLength = 2
    worker.attributesByName["nickname"]?.limits.maxLength = 4
    worker.attributesByName["nickname"]?.limits.pattern = "[a-z]+"
    return model
  }

  @Test("C97: Two violations are one error 1560 with both in it; one violation is thrown bare")
  func several() throws {
    let stack = try GraphStack(Self.model())
    try stack.context.performAndWait {
      let worker = stack.context.make("Worker", ["age": 120])
      do {
        try stack.context.save()
        Issue.record("saved")
      } catch {
        let outer = error as NSError
        #expect(outer.code == NSValidationMultipleErrorsError && outer.domain == NSCocoaErrorDomain)
        let details = try #require(outer.userInfo[NSDetailedErrorsKey] as? [NSError])
        #expect(details.count == 2)
        let large = try #require(details.first { $0.code == NSValidationNumberTooLargeError })
        #expect(large.userInfo[NSValidationValueErrorKey] as? Int == 120)
        #expect(large.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === worker)
      }
      #expect(problems { try worker.validateForInsert() } == ["1570 name", "1610 age"])
      worker.setValue(17, forKey: "age")
      do { try stack.context.save() } catch {
        let single = error as NSError
        #expect(single.code == NSValidationMissingMandatoryPropertyError)
        #expect(single.localizedDescription == "Worker.name is required.")
      }
      // C99: nothing was lost, and the corrected save succeeds.
      #expect(worker.isInserted && worker.objectID.isTemporaryID)
      worker.setValue("Ann", forKey: "name")
      try stack.context.save()
    }
  }

  @Test("C98: Violations of several objects are one flat list")
  func flat() throws {
    let stack = try GraphStack(Self.model())
    stack.context.performAndWait {
      _ = stack.context.make("Worker", ["age": 1])
      _ = stack.context.make("Worker", ["age": 18])
      #expect(problems { try stack.context.save() } == ["1570 name", "1570 name", "1620 age"])
    }
  }

  @Test("C101 C106: Empty is not absent; a number out of its type's range is refused, not wrapped")
  func emptyAndRange() throws {
    let stack = try GraphStack(Self.model())
    try stack.context.performAndWait {
      let worker = stack.context.make("Worker", ["name": ""])
      try stack.context.save()
      worker.setValue(40_000, forKey: "age")
      #expect(problems { try stack.context.save() }.contains("1610 age"))
      #expect(worker.value(forKey: "age") as? Int == 40_000)
    }
  }

  @Test("Lengths, patterns and a program's own predicates have their codes")
  func strings() throws {
    let stack = try GraphStack(Self.model())
    stack.context.performAndWait {
      let worker = stack.context.make("Worker", ["name": "Ann", "nickname": "x"])
      #expect(problems { try stack.context.save() } == ["1670 nickname"])
      worker.setValue("toolong", forKey: "nickname")
      #expect(problems { try stack.context.save() } == ["1660 nickname"])
      worker.setValue("AB", forKey: "nickname")
      #expect(problems { try stack.context.save() } == ["1680 nickname"])
      worker.setValue("ab", forKey: "nickname")
      worker.setValue("R2", forKey: "name")
      #expect(problems { try stack.context.save() } == ["1680 name"])
    }
  }

  @Test("C102: A pending deletion is checked by the rules of deletion only")
  func deletion() throws {
    let stack = try GraphStack(Self.model())
    try stack.context.performAndWait {
      let worker = stack.context.make("Worker", ["name": "Ann"])
      try stack.context.save()
      worker.setValue(nil, forKey: "name")
      stack.context.delete(worker)
      try stack.context.save()
      #expect(try stack.savedCount("Worker") == 0)
    }
  }

  @Test("C103: What an overridden validateForInsert adds reaches the error of the save")
  func overridden() throws {
    let stack = try GraphStack(Self.model())
    stack.context.performAndWait {
      let worker = stack.context.make("Worker") as! Worker
      worker.extraProblem = NSError(
        domain: NSCocoaErrorDomain, code: NSManagedObjectValidationError, userInfo: [NSValidationKeyErrorKey: "own"])
      #expect(problems { try stack.context.save() } == ["1550 own", "1570 name"])
    }
  }

  @Test("C105: Unchanged objects are not checked")
  func unchanged() throws {
    let stack = try GraphStack(Self.model())
    try stack.context.performAndWait {
      let worker = stack.context.make("Worker", ["name": "Ann"])
      let department = stack.context.make("Department")
      try stack.context.save()
      worker.flags.insert(.untracked)
      worker.setValue(nil, forKey: "name")
      worker.flags.remove(.untracked)
      department.setValue("D", forKey: "name")
      try stack.context.save()
    }
  }

  @Test("A failed save changes nothing: not in the store, not in the context, and posts no didSave")
  func failedSave() throws {
    let stack = try GraphStack(Self.model())
    try stack.context.performAndWait { () throws -> Void in
      let good = stack.context.make("Worker", ["name": "Ann"])
      let bad = stack.context.make("Worker")
      let heard = Listener(.NSManagedObjectContextDidSave, stack.context)
      #expect(problems { try stack.context.save() } == ["1570 name"])
      #expect(heard.sets.isEmpty && stack.context.insertedObjects == [good, bad])
      #expect(try stack.savedCount("Worker") == 0)
    }
  }
}
