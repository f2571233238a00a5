import Annals
import Foundation
import Testing

@Suite("Store descriptions")
struct StoreDescriptionTests {
  @Test("A description starts as Core Data's: log store, migrating and inferring, synchronous, no waiting")
  func defaults() {
    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/data/Blog.sqlite"))
    #expect(description.type == NSSQLiteStoreType)
    #expect(description.url?.path == "/data/Blog.sqlite")
    #expect(description.configuration == nil)
    #expect(!description.isReadOnly)
    #expect(!description.shouldAddStoreAsynchronously)
    #expect(description.shouldMigrateStoreAutomatically && description.shouldInferMappingModelAutomatically)
    #expect(description.timeout == 0)
    #expect(description.sqlitePragmas.isEmpty)
  }

  @Test("Properties and options are two sides of one thing")
  func options() {
    let description = NSPersistentStoreDescription()
    description.isReadOnly = true
    description.timeout = 2.5
    #expect(description.options[NSReadOnlyPersistentStoreOption] == NSNumber(value: true))
    #expect(description.options[NSPersistentStoreTimeoutOption] == NSNumber(value: 2.5))
    description.setOption(NSNumber(value: false), forKey: NSReadOnlyPersistentStoreOption)
    #expect(!description.isReadOnly)
    description.setOption(nil, forKey: NSPersistentStoreTimeoutOption)
    #expect(description.timeout == 0)
    description.setValue(NSString(string: "WAL"), forPragmaNamed: "journal_mode")
    #expect(description.sqlitePragmas == ["journal_mode": NSString(string: "WAL")])
  }

  @Test("A copy has everything, and is independent")
  func copying() throws {
    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/data/a"))
    description.configuration = "Local"
    description.shouldAddStoreAsynchronously = true
    description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
    let copy = try #require(description.copy() as? NSPersistentStoreDescription)
    description.isReadOnly = true
    description.url = nil
    #expect(copy.url?.path == "/data/a")
    #expect(copy.configuration == "Local")
    #expect(copy.shouldAddStoreAsynchronously)
    #expect(!copy.isReadOnly)
    #expect(copy.options[NSPersistentHistoryTrackingKey] == NSNumber(value: true))
  }
}
