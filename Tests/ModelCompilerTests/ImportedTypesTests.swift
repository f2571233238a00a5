import Foundation
import ModelCompiler
import Testing

/// Types of properties that another module of the package declares.
@Suite struct ImportedTypesTests {
  private let entity = """
    <entity name="E" representedClassName="E"%>
      <attribute name="theme" optional="YES" attributeType="Transformable" customClassName="Theme"/>
      <attribute name="inner" optional="YES" attributeType="Transformable" customClassName="Shared.Space.Inner"/>
    </entity>
    """
  private let shared = """
    import Foundation
    public final class Theme: NSObject {}
    public enum Space { public final class Inner: NSObject {} }
    public typealias Look = Theme
    public struct Value {}
    final class Hidden: NSObject {}
    """

  private func compile(_ entities: String, source: String?) throws -> ModelCompiler.Output {
    var target = try TemporaryTarget()
    defer { target.remove() }
    try target.add(model: "Model", entities: entities)
    if let source { try target.add(source: "Classes.swift", source) }
    try target.add(dependency: "Shared", "Types.swift", shared)
    return target.compile()
  }

  @Test("Types of other modules of the package are types of properties, by name, by path and by alias")
  func handWritten() throws {
    let output = try compile(
      entity.replacingOccurrences(of: "%", with: ""),
      source: """
        public class E: NSManagedObject {
          @NSManaged public var theme: Look?
          @NSManaged var inner: Shared.Space.Inner?
        }
        """)
    #expect(output.errorTexts == [])
    #expect(output.model.contains("@_silgen_name(\"$s3App1EC5theme6Shared5ThemeCSgvg\")"))
    #expect(output.model.contains("-> Space.Inner? { _any(0) as? Space.Inner }"))
    #expect(output.model.contains("  public import Shared\n"))
  }

  @Test("Generated classes have them too")
  func generated() throws {
    let output = try compile(
      entity.replacingOccurrences(of: "%", with: " codeGenerationType=\"class\""), source: nil)
    #expect(output.errorTexts == [])
    #expect(output.model.contains("public var theme: Theme? {"))
    #expect(output.model.contains("  public import Shared\n"))
  }

  @Test(
    "What another module hides, or what @NSManaged can't hold, is an error that names the property",
    arguments: [
      ("theme: Hidden?", "'E.theme': the type 'Hidden' is neither declared in this target, nor public in a target"),
      ("theme: Value?", "'E.theme' is of the structure 'Value', which @NSManaged cannot hold"),
    ])
  func refused(declaration: String, message: String) throws {
    let output = try compile(
      entity.replacingOccurrences(of: "%", with: ""),
      source: "class E: NSManagedObject { @NSManaged var \(declaration) }")
    #expect(output.errorTexts.count == 1)
    #expect(output.errorTexts.first?.contains(message) == true, "\(output.errorTexts)")
  }
}
