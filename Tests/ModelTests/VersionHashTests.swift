import Foundation
import Testing

@testable import Model

@Suite("Version hashes")
struct VersionHashTests {
  static let base = """
    <entity name="A" representedClassName="A">
    <attribute name="x" optional="YES" attributeType="String" defaultValueString="d"/>
    <attribute name="y" optional="YES" attributeType="String"/>
    <relationship name="b" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="B" inverseName="a"/>
    </entity>
    <entity name="B"><relationship name="a" optional="YES" maxCount="1" destinationEntity="A" inverseName="b"/></entity>
    """

  struct Change: Sendable, CustomTestStringConvertible {
    let from: String
    let to: String
    var testDescription: String { "\(from) → \(to)" }
  }

  static let changing: [Change] = [
    Change(from: "name=\"x\" optional=\"YES\"", to: "name=\"x\""),
    Change(
      from: "name=\"x\" optional=\"YES\" attributeType=\"String\"",
      to: "name=\"x\" optional=\"YES\" attributeType=\"URI\""),
    Change(from: "name=\"x\"", to: "name=\"z\""), Change(from: "name=\"x\"", to: "name=\"x\" transient=\"YES\""),
    Change(from: "name=\"x\"", to: "name=\"x\" versionHashModifier=\"1\""),
    Change(from: "toMany=\"YES\"", to: "toMany=\"YES\" ordered=\"YES\""),
    Change(from: "toMany=\"YES\"", to: "toMany=\"YES\" maxCount=\"5\""),
    Change(from: "toMany=\"YES\"", to: "toMany=\"YES\" minCount=\"2\""),
    Change(from: "\"Nullify\"", to: "\"Cascade\""),
    Change(from: "toMany=\"YES\" deletionRule", to: "maxCount=\"1\" deletionRule"),
    Change(from: "representedClassName=\"A\"", to: "representedClassName=\"A\" parentEntity=\"B\""),
    Change(
      from: "name=\"y\" optional=\"YES\" attributeType=\"String\"",
      to: "name=\"y\" optional=\"YES\" attributeType=\"String\" derived=\"YES\" derivationExpression=\"uppercase:(x)\""),
    Change(from: "representedClassName=\"A\"", to: "representedClassName=\"A\" isAbstract=\"YES\""),
    Change(from: "representedClassName=\"A\"", to: "representedClassName=\"A\" versionHashModifier=\"v2\""),
    Change(
      from: "</entity>\n<entity name=\"B\">",
      to:
        "<uniquenessConstraints><uniquenessConstraint><constraint value=\"x\"/></uniquenessConstraint></uniquenessConstraints></entity>\n<entity name=\"B\">"
    ),
  ]

  static let neutral: [Change] = [
    Change(from: "defaultValueString=\"d\"", to: "defaultValueString=\"e\""),
    Change(from: "representedClassName=\"A\"", to: "representedClassName=\"Z\""),
    Change(from: "attributeType=\"String\"/>", to: "attributeType=\"String\" minValueString=\"2\"/>"),
    Change(from: "name=\"y\"", to: "name=\"y\" elementID=\"old\""),
    Change(from: "name=\"y\"", to: "name=\"y\" preserveAfterDeletion=\"YES\""),
    Change(from: "name=\"y\"", to: "name=\"y\" allowsCloudEncryption=\"YES\""),
    Change(from: "<entity name=\"A\"", to: "<entity elementID=\"Old\" name=\"A\""),
    Change(
      from: "inverseName=\"b\"/></entity>",
      to: "inverseName=\"b\"/></entity><configuration name=\"C\"><memberEntity name=\"A\"/></configuration>"),
    Change(
      from: "inverseName=\"b\"/></entity>",
      to: "inverseName=\"b\"/></entity><fetchRequest name=\"all\" entity=\"A\"/>"),
    Change(from: "name=\"y\"", to: "name=\"y\" spotlightIndexingEnabled=\"YES\""),
    Change(from: "<entity name=\"B\">", to: "<entity name=\"B\"><userInfo><entry key=\"k\" value=\"v\"/></userInfo>"),
    Change(
      from: "</entity>\n<entity name=\"B\">",
      to: "<fetchIndex name=\"i\"><fetchIndexElement property=\"x\"/></fetchIndex></entity>\n<entity name=\"B\">"),
  ]

  private func hash(_ text: String) throws -> Data {
    try #require(try ModelText.read(text).model.entityVersionHashesByName["A"])
  }

  @Test("A18.5: what a store has to know changes the entity's hash", arguments: changing)
  func sensitive(_ change: Change) throws {
    let text: String = Self.base.replacingOccurrences(of: change.from, with: change.to)
    #expect(text != Self.base)
    #expect(try hash(text) != hash(Self.base))
  }

  @Test("A18.5: defaults, validation, classes, user info and indexes don't", arguments: neutral)
  func insensitive(_ change: Change) throws {
    let text: String = Self.base.replacingOccurrences(of: change.from, with: change.to)
    #expect(text != Self.base)
    #expect(try hash(text) == hash(Self.base))
  }

  @Test("A18.5: what a store has to know of an entity's parents changes its hash")
  func ancestors() throws {
    let text = """
      <entity name="Top"><attribute name="t" optional="YES" attributeType="String"/></entity>
      <entity name="Middle" parentEntity="Top"/><entity name="A" parentEntity="Middle"/>
      """
    for (from, to) in [
      ("<entity name=\"Top\">", "<entity name=\"Top\" isAbstract=\"YES\">"),
      ("<entity name=\"Top\">", "<entity name=\"Top\" versionHashModifier=\"2\">"),
      ("name=\"Middle\" parent", "name=\"Middle\" versionHashModifier=\"2\" parent"),
      ("name=\"t\" optional=\"YES\"", "name=\"t\""), ("\"Top\"", "\"Summit\""),
    ] {
      let changed = text.replacingOccurrences(of: from, with: to)
      #expect(changed != text)
      #expect(try hash(changed) != hash(text), "\(to)")
    }
    let classes = text.replacingOccurrences(of: "name=\"Top\"", with: "name=\"Top\" representedClassName=\"Other\"")
    #expect(try hash(classes) == hash(text))
  }

  @Test("hashes are the same in every run, and don't depend on the order of the file")
  func stable() throws {
    let model: NSManagedObjectModel = try ModelText.read(Self.base).model
    let before: String = model.versionChecksum
    _ = try model.schema()
    #expect(model.versionChecksum == before)
    let swapped: String = Self.base.replacingOccurrences(of: "name=\"x\"", with: "name=\"?\"")
      .replacingOccurrences(of: "name=\"y\"", with: "name=\"x\"").replacingOccurrences(
        of: "name=\"?\"", with: "name=\"y\"")
    #expect(try hash(swapped) == hash(Self.base))
    #expect(model.versionChecksum == "q8k5Zl9lz+uOetDKeNS+QDe0e9X/xTYFIFzxMtmRfYE=")
  }

  @Test("A18.5: hashes of every kind of property have the values that they always had")
  func golden() throws {
    var attributes = ""
    for type in [
      "Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "String", "Boolean", "Date", "Binary",
      "UUID", "URI", "Transformable",
    ] {
      let name: String = type.lowercased().filter { $0 != " " }
      attributes += "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\"/>"
    }
    let text = """
      <entity name="Every" isAbstract="YES" versionHashModifier="m">\(attributes)
      <attribute name="parts" optional="YES" attributeType="Composite" composite="Parts"/>
      <attribute name="shout" optional="YES" attributeType="String" derived="YES" derivationExpression="uppercase:(string)"/>
      <fetchedProperty name="others" optional="YES"><fetchRequest name="r" entity="Every"/></fetchedProperty>
      </entity>
      <entity name="Größe" parentEntity="Every">
      <relationship name="next" optional="YES" maxCount="1" deletionRule="Deny" destinationEntity="Größe" inverseName="all" inverseEntity="Größe"/>
      <relationship name="all" optional="YES" toMany="YES" ordered="YES" minCount="1" maxCount="9" deletionRule="Cascade" destinationEntity="Größe" inverseName="next" inverseEntity="Größe"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="uuid"/><constraint value="uri"/></uniquenessConstraint></uniquenessConstraints>
      </entity>
      <composite name="Parts"><attribute name="a" optional="YES" attributeType="Double"/></composite>
      """
    let model: NSManagedObjectModel = try ModelText.read(text).model
    let hashes: [String: String] = model.entityVersionHashesByName.mapValues { $0.base64EncodedString() }
    #expect(
      hashes == [
        "Every": "9OLzOP4JYdefnyTe29cpb/nPGtRCkcEx3mjszDsvhKA=",
        "Größe": "0WXrvAZpc1S6Dy36KxooKF2hUhuk/mL30anuVxqtJ88=",
      ])
    #expect(model.versionChecksum == "Xz4K8XaJXUFSMv5WWEkWVvw/PlFfs17VzgrebvDAP7I=")
  }

  @Test("a store's metadata fits the model it was written with, entity by entity")
  func compatibility() throws {
    let model: NSManagedObjectModel = try ModelText.read(Self.base).model
    let metadata: [String: Any] = ["NSStoreModelVersionHashes": model.entityVersionHashesByName]
    #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    #expect(!model.isConfiguration(withName: "Other", compatibleWithStoreMetadata: metadata))
    #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: [:]))
    let changed: NSManagedObjectModel = try ModelText.read(
      Self.base.replacingOccurrences(of: "name=\"y\"", with: "name=\"z\"")
    ).model
    #expect(!changed.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
  }

  @Test("SHA-256 gives the published digests")
  func digests() {
    func hex(_ text: String) -> String {
      SHA256.hash(Array(text.utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
    #expect(hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
  }
}
