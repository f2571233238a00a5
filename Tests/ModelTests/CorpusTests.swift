import Foundation
import Schema
import Testing

@testable import Model

@Suite("Real model files", .enabled(if: Corpus.isPresent))
struct CorpusTests {
  @Test("every one loads without an error, with as many parts as its index says")
  func everyModelLoads() throws {
    #expect(Corpus.entries.count == 152)
    for entry in Corpus.entries {
      do {
        let model: NSManagedObjectModel = try ModelReader.read(try Corpus.data(entry), file: entry.file).model
        let own: [NSPropertyDescription] = model.entities.flatMap { $0.ownProperties }
        let attributes: Int = own.filter { $0 is NSAttributeDescription }.count
        #expect(model.entities.count == entry.count("entities"), "\(entry.file)")
        #expect(attributes == entry.count("attributes"), "\(entry.file)")
        let relationships: Int = own.filter { $0 is NSRelationshipDescription }.count
        #expect(relationships == entry.count("relationships"), "\(entry.file)")
      } catch let error as ModelError {
        Issue.record("\(error)")
      }
    }
  }

  @Test("every one is written and read back equal, and written the same again")
  func everyModelGoesRound() throws {
    for entry in Corpus.entries {
      let model: NSManagedObjectModel = try ModelReader.read(try Corpus.data(entry), file: entry.file).model
      let text: String = ModelWriter.xml(of: model)
      let again: NSManagedObjectModel = try ModelReader.read(Data(text.utf8), file: entry.file).model
      #expect(again == model, "\(entry.file)")
      #expect(ModelWriter.xml(of: again) == text, "\(entry.file)")
      #expect(again.versionChecksum == model.versionChecksum, "\(entry.file)")
    }
  }

  @Test("every one freezes, and every index leads back to its description")
  func everyModelFreezes() throws {
    for entry in Corpus.entries {
      let model: NSManagedObjectModel = try ModelReader.read(try Corpus.data(entry), file: entry.file).model
      do {
        let schema: Schema = try model.schema()
        #expect(schema.entities.count == model.entities.count)
        check(schema, model)
      } catch {
        Issue.record("\(entry.file): \(error)")
      }
    }
  }

  private func check(_ schema: Schema, _ model: NSManagedObjectModel) {
    for entity in schema.entities {
      let description: NSEntityDescription = model.entityDescriptions[entity.index]
      #expect(description.name == entity.name)
      #expect(description.schemaIndex == entity.index)
      for (property, schema) in zip(description.propertyDescriptions, entity.properties) {
        #expect(description.property(atPath: schema.name) === property)
      }
      #expect(description.propertyDescriptions.count == entity.properties.count)
      for property in entity.properties {
        guard let relationship = property.relationship, let inverse = relationship.inverse else { continue }
        let back: PropertySchema = schema.entities[relationship.destination].properties[inverse]
        #expect(back.relationship?.inverse != nil)
      }
      if let superentity = entity.superentity {
        let above: EntitySchema = schema.entities[superentity]
        #expect(Array(entity.properties.prefix(entity.inheritedCount)) == above.properties)
      }
    }
  }
}
