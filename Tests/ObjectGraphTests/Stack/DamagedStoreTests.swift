import Annals
import Foundation
import Schema
import Testing

@testable import ObjectGraph

@Suite("Damaged stores")
struct DamagedStoreTests {
  /// Three saves, then a byte changed in the second one's record.
  private func damagedStore(in directory: TemporaryDirectory) throws {
    let stack = NSPersistentStoreCoordinator(managedObjectModel: StackFixtures.model())
    let store = try stack.addPersistentStore(type: .sqlite, at: directory.store())
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = stack
    for name in ["first", "SECOND-NAME", "third"] {
      try context.performAndWait {
        let object = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
        object.setValue(name, forKey: "name")
        try context.save()
      }
    }
    try stack.remove(store)
    let segment = directory.store().appendingPathComponent("log-0000000000000001.seg")
    var bytes = try Data(contentsOf: segment)
    let place = try #require(bytes.range(of: Data("SECOND-NAME".utf8)))
    bytes[place.lowerBound] ^= 1
    try bytes.write(to: segment)
  }

  @Test("B067, B085: a store damaged inside is refused with file and offset, and nothing is changed")
  func refused() throws {
    let directory = try TemporaryDirectory()
    try damagedStore(in: directory)
    let segment = directory.store().appendingPathComponent("log-0000000000000001.seg")
    let before = try Data(contentsOf: segment)
    for options in [[:], [NSReadOnlyPersistentStoreOption: true], [AnnalsReadDamagedStoreOption: true]] {
      let stack = NSPersistentStoreCoordinator(managedObjectModel: StackFixtures.model())
      let error = thrown { try stack.addPersistentStore(type: .sqlite, at: directory.store(), options: options) }
      #expect(error?.code == NSPersistentStoreOpenError)
      let cause = error?.userInfo[NSUnderlyingErrorKey] as? StoreError
      #expect(cause?.code == .damaged)
      #expect(cause?.path?.hasSuffix("log-0000000000000001.seg") == true)
      #expect((cause?.offsetBytes ?? 0) > 0)
      #expect(error?.localizedDescription.contains("AnnalsReadDamagedStoreOption") == true)
    }
    #expect(try Data(contentsOf: segment) == before)
  }

  @Test("A damaged store can be read up to the damage when that is asked for, and takes no change")
  func readUpToDamage() throws {
    let directory = try TemporaryDirectory()
    try damagedStore(in: directory)
    let stack = NSPersistentStoreCoordinator(managedObjectModel: StackFixtures.model())
    let options = [NSReadOnlyPersistentStoreOption: true, AnnalsReadDamagedStoreOption: true]
    try stack.addPersistentStore(type: .sqlite, at: directory.store(), options: options)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = stack
    try context.performAndWait {
      let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
      #expect(found.map { $0.value(forKey: "name") as? String } == ["first"])
      found.first?.setValue("other", forKey: "name")
      #expect(throws: (any Error).self) { try context.save() }
    }
  }
}
