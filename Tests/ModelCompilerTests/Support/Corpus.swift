import Foundation
import Model

/// Real models, where they are at hand: beside the checkout, or where ANNALS_CORPUS says.
enum Corpus {
  static let models: [URL] = {
    let named = ProcessInfo.processInfo.environment["ANNALS_CORPUS"].map { URL(fileURLWithPath: $0) }
    var checkout = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { checkout.deleteLastPathComponent() }
    let root = named ?? checkout.deletingLastPathComponent().appendingPathComponent("shared")
    // The corpus may be given by its own folder, or by the one that holds it.
    let candidates = [root.appendingPathComponent("corpus/models"), root.appendingPathComponent("models")]
    for directory in candidates {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
      let found = names.filter { $0.hasSuffix(".xml") }.sorted().map { directory.appendingPathComponent($0) }
      if !found.isEmpty { return found }
    }
    return []
  }()

  /// Where the tests' own build put its modules: the object graph among them, to compile against.
  static let builtModules: URL? = {
    let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let modules = executable.deletingLastPathComponent().appendingPathComponent("Modules")
    let exists = FileManager.default.fileExists(atPath: modules.appendingPathComponent("Annals.swiftmodule").path)
    return exists ? modules : nil
  }()

  /// All models as one module: the classes of each in a namespace of their own, written by hand as Xcode writes them.
  struct Module {
    var models: [(name: String, contents: String)] = []
    var source = "import Annals\nimport Foundation\n"
    private var foreign: Set<String> = []

    init() throws {
      for (number, url) in Corpus.models.enumerated() {
        let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        // What cannot be read at all is the reader's to say.
        guard let reading = try? ModelReader.read(Data(text.utf8)), (try? reading.model.schema()) != nil else {
          continue
        }
        let name = "M\(number)"
        models.append((name, Self.moved(text, into: name)))
        source += classes(of: reading.model, in: name)
      }
      for name in foreign.sorted() { source += "public class \(name): NSObject {}\n" }
    }

    /// The model with its classes in a namespace and none to be generated.
    private static func moved(_ text: String, into name: String) -> String {
      var result = text.replacingOccurrences(
        of: "codeGenerationType=\"[a-z]*\"", with: "", options: .regularExpression)
      result = result.replacingOccurrences(
        of: "representedClassName=\"([^\"]*[.])?([^\".]+)\"", with: "representedClassName=\"\(name).$2\"",
        options: .regularExpression)
      return result
    }

    private mutating func classes(of model: NSManagedObjectModel, in namespace: String) -> String {
      var text = "public enum \(namespace) {\n"
      var methods = ""
      var seen: Set<String> = []
      for entity in model.entities {
        guard let name = Self.className(entity), seen.insert(name).inserted else { continue }
        let superclass = Self.ancestor(of: entity).flatMap(Self.className) ?? "NSManagedObject"
        text += "  public class \(name): \(superclass == name ? "NSManagedObject" : superclass) {\n"
        for property in Self.ownProperties(entity) {
          text += "    @NSManaged public var `\(property.name)`: \(type(of: property))\n"
          methods += Self.methods(of: property, in: "\(namespace).\(name)")
        }
        text += "  }\n"
      }
      return text + "}\n" + methods
    }

    private static func className(_ entity: NSEntityDescription) -> String? {
      guard let name = entity.storedClassName?.split(separator: ".").last, name != "NSManagedObject" else { return nil }
      return String(name)
    }

    private static func ancestor(of entity: NSEntityDescription) -> NSEntityDescription? {
      var parent = entity.superentity
      while let current = parent, className(current) == nil { parent = current.superentity }
      return parent
    }

    private static func ownProperties(_ entity: NSEntityDescription) -> [NSPropertyDescription] {
      let inherited = Set(ancestor(of: entity)?.properties.map(\.name) ?? [])
      return entity.properties.filter { !inherited.contains($0.name) }
    }

    private mutating func type(of property: NSPropertyDescription) -> String {
      switch property {
      case let relationship as NSRelationshipDescription:
        if relationship.isToMany { return relationship.isOrdered ? "NSOrderedSet?" : "NSSet?" }
        return (relationship.destinationEntity.flatMap(Self.className) ?? "NSManagedObject") + "?"
      case let attribute as NSAttributeDescription:
        if attribute.usesScalarValueType, let scalar = Self.scalars[attribute.attributeType] { return scalar }
        return valueType(of: attribute) + (attribute.isOptional ? "?" : "")
      default: return "[NSManagedObject]?"
      }
    }

    private static let scalars: [NSAttributeType: String] = [
      .integer16AttributeType: "Int16", .integer32AttributeType: "Int32", .integer64AttributeType: "Int64",
      .doubleAttributeType: "Double", .floatAttributeType: "Float", .booleanAttributeType: "Bool",
      .dateAttributeType: "TimeInterval",
    ]

    private mutating func valueType(of attribute: NSAttributeDescription) -> String {
      switch attribute.attributeType {
      case .stringAttributeType: return "String"
      case .dateAttributeType: return "Date"
      case .binaryDataAttributeType: return "Data"
      case .UUIDAttributeType: return "UUID"
      case .URIAttributeType: return "URL"
      case .decimalAttributeType: return "NSDecimalNumber"
      case .transformableAttributeType, .undefinedAttributeType:
        let name = (attribute.storedValueClassName ?? "").split(separator: ".").last.map(String.init) ?? "NSObject"
        let known = name.hasPrefix("[") || name.hasPrefix("NS")
        if !known { foreign.insert(name) }
        return name
      default: return "NSNumber"
      }
    }

    private static func methods(of property: NSPropertyDescription, in owner: String) -> String {
      guard let relationship = property as? NSRelationshipDescription, relationship.isToMany else { return "" }
      let member = relationship.destinationEntity.flatMap(className).map { owner.prefix { $0 != "." } + "." + $0 }
      let name = property.name.prefix(1).uppercased() + property.name.dropFirst()
      let set = relationship.isOrdered ? "NSOrderedSet" : "NSSet"
      return """
        extension \(owner) {
          @NSManaged public func addTo\(name)(_ value: \(member ?? "NSManagedObject"))
          @NSManaged public func removeFrom\(name)(_ values: \(set))
        }

        """
    }
  }
}
