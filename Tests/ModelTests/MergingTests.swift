import Foundation
import Testing

@testable import Model

@Suite("Merging models")
struct MergingTests {
  private func model(_ lines: String, _ file: String) throws -> NSManagedObjectModel {
    try ModelReader.read(Data(ModelText.file(lines).utf8), file: file).model
  }

  private let tag = "<entity name=\"Tag\"><attribute name=\"name\" attributeType=\"String\"/></entity>"

  @Test("B104: entities described alike in two models count once")
  func identical() throws {
    let first: NSManagedObjectModel = try model(tag, "one")
    let second: NSManagedObjectModel = try model(tag + "<entity name=\"Note\"/>", "two")
    let merged: NSManagedObjectModel = try NSManagedObjectModel(merging: [first, second])
    #expect(merged.entitiesByName.keys.sorted() == ["Note", "Tag"])
    #expect(first.entities.count == 1 && first.entities[0].managedObjectModel === first)
    #expect(NSManagedObjectModel(byMerging: [first, second]) == merged)
    #expect(NSManagedObjectModel(byMerging: nil) == nil)
  }

  @Test("B104: entities described differently are an error that names them, both files and what differs")
  func differing() throws {
    let first: NSManagedObjectModel = try model(tag, "one")
    let second: NSManagedObjectModel = try model(
      "<entity name=\"Tag\"><attribute name=\"name\" attributeType=\"Date\"/></entity>", "two")
    let error: ModelError? = #expect(throws: ModelError.self) { try NSManagedObjectModel(merging: [first, second]) }
    #expect(
      error?.description
        == "The models can't be merged.\ntwo:3: error: Tag: the entity is described differently in one:3: name differ")
  }

  @Test("relationships of a merged model lead to its own entities")
  func relationships() throws {
    let merged: NSManagedObjectModel = try NSManagedObjectModel(merging: [
      try model(EntityReadingTests.library, "one"), try model(tag, "two"),
    ])
    let pages = try #require(merged.entitiesByName["Book"]?.relationshipsByName["pages"])
    #expect(pages.destinationEntity === merged.entitiesByName["Page"])
    #expect(pages.inverseRelationship?.entity === merged.entitiesByName["Page"])
    #expect(merged.entitiesByName["Page"]?.superentity === merged.entitiesByName["Paper"])
    #expect(merged.templates["all"] != nil && merged.configurations == ["Local"])
    #expect(try merged.schema().entities.count == 4)
  }

  @Test("for a store's metadata, the versions it was written with are chosen")
  func forMetadata() throws {
    let old: NSManagedObjectModel = try model(tag, "old")
    let new: NSManagedObjectModel = try model(
      "<entity name=\"Tag\"><attribute name=\"label\" attributeType=\"String\"/></entity>", "new")
    let metadata: [String: Any] = ["NSStoreModelVersionHashes": old.entityVersionHashesByName]
    let found = NSManagedObjectModel(byMerging: [new, old], forStoreMetadata: metadata)
    #expect(found?.entitiesByName["Tag"]?.attributesByName["name"] != nil)
    #expect(NSManagedObjectModel(byMerging: [new], forStoreMetadata: metadata) == nil)
  }
}
