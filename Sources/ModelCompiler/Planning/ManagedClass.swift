internal import Model
internal import Schema

/// An entity, with what code generation needs to know of it.
struct PlannedEntity {
  let file: ModelFile
  let description: NSEntityDescription
  let schema: EntitySchema
  /// The Swift name of its class in this module; nil for an entity of plain `NSManagedObject`s.
  let className: String?

  var name: String { schema.name }
  var location: SourceLocation { file.location(of: description.origin) }

  func property(_ index: Int) -> NSPropertyDescription { description.propertyDescriptions[index] }
  func location(ofProperty index: Int) -> SourceLocation { file.location(of: property(index).origin) }
}

extension ModelFile {
  func location(of origin: ModelOrigin) -> SourceLocation {
    SourceLocation(path: origin.file ?? path, line: origin.line ?? 1)
  }
}

/// A class of managed objects in this module, written by hand or generated.
struct ManagedClass {
  enum Mode { case generated, category, handWritten }

  let type: NominalType
  let mode: Mode
  /// The entities whose objects are of exactly this class, in all models.
  var entities: [PlannedEntity]
  /// The nearest superclass that is one of this module's managed classes or a class of another module.
  var superclass: NominalType?
  let access: AccessLevel
  /// Declarations and extensions in the target's sources that declare managed members.
  var declarations: [ScannedType]
  /// For each property name, the position that accessors pass; nil when no entity uses the class or its subclasses.
  var layout: [String: Int]?

  var name: String { type.path.map(\.name).joined(separator: ".") }
}
