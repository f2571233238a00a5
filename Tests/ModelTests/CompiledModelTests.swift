import Foundation
import Schema
import Testing

@testable import Model

@Suite("Compiled models")
struct CompiledModelTests {
  static let rich = """
    <entity name="Note" representedClassName=".Note" isAbstract="YES" elementID="Memo" codeGenerationType="category" versionHashModifier="2">
      <attribute name="title" optional="YES" attributeType="String" defaultValueString="„Näme“ &amp;&#10;&quot;" minValueString="1" regularExpressionString="a+"/>
      <attribute name="number" attributeType="Integer 64" defaultValueString="-9223372036854775808" minValueString="-5" maxValueString="7" usesScalarValueType="YES"/>
      <attribute name="price" attributeType="Decimal" defaultValueString="0.10"/>
      <attribute name="when" optional="YES" attributeType="Date" defaultDateTimeInterval="-1.5" minDateTimeInterval="-100"/>
      <attribute name="flag" attributeType="Boolean" defaultValueString="YES" transient="YES"/>
      <attribute name="ratio" attributeType="Float" defaultValueString="0.1"/>
      <attribute name="blob" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES" preserveAfterDeletion="YES"/>
      <attribute name="thing" optional="YES" attributeType="Transformable" valueTransformerName="T" customClassName="[String]"/>
      <attribute name="lower" optional="YES" attributeType="String" derived="YES" derivationExpression="lowercase:(title)"/>
      <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>
      <relationship name="next" optional="YES" maxCount="1" deletionRule="Deny" destinationEntity="Page" inverseName="previous" inverseEntity="Page"/>
      <fetchedProperty name="found" optional="YES"><fetchRequest name="f" entity="Page" predicateString="size &gt; 1"/></fetchedProperty>
      <fetchIndex name="i" partialIndexPredicate="number &gt; 3"><fetchIndexElement property="title" type="Binary" order="descending"/></fetchIndex>
      <fetchIndex name="e"><fetchIndexElement expression="lowercase:(title)" expressionType="String" type="Binary" order="ascending"/></fetchIndex>
      <uniquenessConstraints><uniquenessConstraint><constraint value="title"/><constraint value="number"/></uniquenessConstraint></uniquenessConstraints>
      <userInfo><entry key="k" value="v"/></userInfo>
    </entity>
    <entity name="Page" representedClassName="Page" parentEntity="Note">
      <attribute name="size" optional="YES" attributeType="Integer 16"><userInfo><entry key="a" value=""/></userInfo></attribute>
      <relationship name="previous" optional="YES" toMany="YES" minCount="1" maxCount="3" ordered="YES" deletionRule="Cascade" destinationEntity="Note" inverseName="next" inverseEntity="Note"/>
    </entity>
    <composite name="Place"><attribute name="city" attributeType="String" defaultValueString="Ely"/></composite>
    <fetchRequest name="All" entity="Page" predicateString="title == $T" fetchLimit="3" includeSubentities="NO"/>
    <configuration name="Cloud" usedWithCloudKit="YES"><memberEntity name="Page"/></configuration>
    """

  private func compiled(_ models: [NSManagedObjectModel], current: Int = 0) throws -> CompiledModel {
    let versions = models.enumerated().map { (name: "V\($0.offset)", model: $0.element) }
    return try CompiledModel(data: Data(CompiledModel.text(of: versions, current: current).utf8))
  }

  @Test("a model comes back equal: every property, rule, index, template and configuration")
  func roundTrip() throws {
    let model: NSManagedObjectModel = try ModelText.read(Self.rich).model
    let again: NSManagedObjectModel = try compiled([model]).model()
    #expect(ModelWriter.xml(of: again) == ModelWriter.xml(of: model))
    #expect(again == model && again.versionChecksum == model.versionChecksum)
    #expect(again.entitiesByName["Page"]?.attributesByName["place"] is NSCompositeAttributeDescription)
    #expect(again.entitiesByName["Note"]?.indexes.first?.partialIndexPredicate != nil)
    let first: Schema = try model.schema()
    let second: Schema = try again.schema()
    #expect(first.entities.map { $0.properties } == second.entities.map { $0.properties })
    #expect(first.entities.map { $0.constraints } == second.entities.map { $0.constraints })
    #expect(first.entities.map { $0.fetchIndexes } == second.entities.map { $0.fetchIndexes })
  }

  @Test("every real model comes back equal", .enabled(if: Corpus.isPresent))
  func corpus() throws {
    for entry in Corpus.entries {
      let model: NSManagedObjectModel = try ModelReader.read(try Corpus.data(entry), file: entry.file).model
      let again: NSManagedObjectModel = try compiled([model]).model()
      let (text, expected) = (ModelWriter.xml(of: again), ModelWriter.xml(of: model))
      if text != expected {
        let lines = zip(text.split(separator: "\n"), expected.split(separator: "\n")).first { $0 != $1 }
        Issue.record("\(entry.file): \(lines?.0 ?? "") is not \(lines?.1 ?? "")")
      }
      #expect(again.entityVersionHashesByName == model.entityVersionHashesByName, "\(entry.file)")
    }
  }

  @Test("B070: all versions are in it; the current one is read unless another is asked for")
  func versions() throws {
    let old: NSManagedObjectModel = try ModelText.read(ModelText.note("")).model
    let new: NSManagedObjectModel = try ModelText.read(
      ModelText.note(#"<attribute name="t" optional="YES" attributeType="String"/>"#)
    ).model
    let compiled: CompiledModel = try compiled([old, new], current: 1)
    #expect(compiled.versionNames == ["V0", "V1"] && compiled.currentVersionName == "V1")
    #expect(try compiled.model().versionChecksum == new.versionChecksum)
    #expect(try compiled.model(version: "V0").versionChecksum == old.versionChecksum)
    let error: ModelError? = #expect(throws: ModelError.self) { try compiled.model(version: "V2") }
    #expect(error?.message == "There is no version 'V2'; there is V0, V1.")
  }

  @Test("a file of it is read by what reads models; equal models are equal files")
  func files() throws {
    let model: NSManagedObjectModel = try ModelText.read(Self.rich).model
    let text: String = CompiledModel.text(of: [("V", model)], current: 0)
    #expect(try CompiledModel.text(of: [("V", ModelText.read(Self.rich).model)], current: 0) == text)
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).annalsmodel")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data(text.utf8).write(to: url)
    #expect(NSManagedObjectModel(contentsOf: url) == model)
  }

  @Test("B103: classes that were generated from another model than the one compiled in are told apart")
  func mismatch() throws {
    let model: NSManagedObjectModel = try ModelText.read(ModelText.note("")).model
    let text: String = CompiledModel.text(of: [("V", model)], current: 0)
    // The format itself: what a program was built with, every later version has to read.
    let literal: StaticString = """
      Annals model 1
      f96b7b6df1b6445f
      @AAVwBBOdocumentVersionC1.0DtypefAcom.apple.IDECoreDataModeler.DataModel@ADNote@@@@@@@@@@@@@@
      """
    #expect(text == "\(literal)")
    let checksum: String = try CompiledModel(literal).checksum
    let right = GeneratedModel(name: "M", versionName: "V", compiled: literal, checksum: checksum, entities: [])
    #expect(try right.model() == model)
    #expect(try right.versionNames() == ["V"])
    let wrong = GeneratedModel(name: "M", versionName: "V", compiled: literal, checksum: "0", entities: [])
    let error: ModelError? = #expect(throws: ModelError.self) { try wrong.model() }
    #expect(error?.message.contains("is not the one that its classes were generated from (0): build again") == true)
  }

  @Test("damage of any byte, and any shorter text, is told and never read")
  func damage() throws {
    let model: NSManagedObjectModel = try ModelText.read(Self.rich).model
    let bytes = Array(CompiledModel.text(of: [("V", model)], current: 0).utf8)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 1
      #expect(throws: ModelError.self) { try CompiledModel(damaged, name: "x") }
      #expect(throws: ModelError.self) { try CompiledModel(Array(bytes[..<index]), name: "x") }
    }
  }

  @Test("bytes that pass for a version end in a model or an error")
  func hostile() throws {
    let model: NSManagedObjectModel = try ModelText.read(Self.rich).model
    var encoder = CompiledModelEncoder()
    encoder.add(model)
    let bytes: [UInt8] = encoder.text.bytes
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0x40...0x7F, using: &random)
      }
      var decoder = CompiledModelDecoder(CompiledTextReader(damaged, 0..<damaged.count))
      guard let model = try? decoder.model() else { continue }
      _ = try? model.schema()
    }
  }
}
