import ModelCompiler
import Testing

/// Methods that Core Data calls by a property's name.
@Suite struct ValidatorTests {
  private let entity = """
    <entity name="Post" representedClassName="Post"%>
      <attribute name="title" optional="YES" attributeType="String"/>
    </entity>
    """
  private let pointer = "AutoreleasingUnsafeMutablePointer<AnyObject?>"

  @Test("A2.7: methods validate<Key>(_:) are found in classes and extensions, under their conditions, and no others")
  func found() throws {
    let output = try TemporaryTarget.compile(
      entities: entity.replacingOccurrences(of: "%", with: ""),
      source: """
        class Base: NSManagedObject {
          func validateTitle(_ value: \(pointer)) throws {}
          func validateTitle(_ value: String) throws {}
          func validateTitle(for value: \(pointer)) throws {}
          func validate(_ value: \(pointer)) throws {}
        }
        class Post: Base {}
        extension Post {
          #if DEBUG
          public func validateBody(_ value: Foundation.\(pointer)) throws {}
          #endif
          private func validateHidden(_ value: \(pointer)) throws {}
        }
        class Other { func validateTitle(_ value: \(pointer)) throws {} }
        """)
    #expect(output.errorTexts == [])
    let lines = output.registry.split(separator: "\n").map(String.init).filter { $0.contains("GeneratedValidator(") }
    #expect(
      lines == [
        "    all.append(GeneratedValidator(\"Title\", Base.self) { try $0.validateTitle($1) })",
        "    all.append(GeneratedValidator(\"Body\", Post.self) { try $0.validateBody($1) })",
      ])
    #expect(output.registry.contains("#if (DEBUG)\n    all.append"))
    #expect(
      output.diagnostics.map(\.message) == [
        "'validateHidden(_:)' is private, so that no other file can call it: make it internal"
      ])
  }

  @Test("A generated class with such a method is asked about every property")
  func generatedClass() throws {
    let plain = entity.replacingOccurrences(of: "%", with: " codeGenerationType=\"class\"")
    #expect(try TemporaryTarget.compile(entities: plain).registry.contains("isWhollyGenerated: true"))
    let output = try TemporaryTarget.compile(
      entities: plain, source: "extension Post { func validateTitle(_ value: \(pointer)) throws {} }")
    #expect(output.errorTexts == [])
    #expect(!output.registry.contains("isWhollyGenerated: true"))
    #expect(output.registry.contains("GeneratedValidator(\"Title\", Post.self)"))
  }
}
