internal import Model

/// A property of a generated class: its Swift type follows from the model.
struct GeneratedProperty {
  let name: String
  let type: SwiftType
  /// Whether the model requires a value of an attribute that reads as nothing until it is set: its type is written `T!`.
  let isImplicitlyUnwrapped: Bool
  let access: PropertyAccess
  let location: SourceLocation
}

extension ModulePlan {
  /// The type that generated code gives a property, which is Xcode's: scalars are never optional, all else always is,
  /// since an object that was just made has nothing there yet.
  func generatedType(of property: NSPropertyDescription) throws(TypeProblem) -> SwiftType {
    switch property {
    case let relationship as NSRelationshipDescription:
      guard relationship.isToMany else { return .optional(.nominal(objectType(of: relationship))) }
      return .optional(foundation(relationship.isOrdered ? "NSOrderedSet" : "NSSet"))
    case let attribute as NSAttributeDescription:
      if attribute.usesScalarValueType, let scalar = Self.scalar(attribute.attributeType) {
        return .nominal(NominalType("Swift", scalar, .structure))
      }
      return .optional(try valueType(of: attribute))
    case let fetched as NSFetchedPropertyDescription:
      return .optional(.generic(NominalType("Swift", "Array", .structure), [fetchedType(of: fetched)]))
    default: return .optional(.any)
    }
  }

  static func scalar(_ type: NSAttributeType) -> String? {
    switch type {
    case .integer16AttributeType: "Int16"
    case .integer32AttributeType: "Int32"
    case .integer64AttributeType: "Int64"
    case .doubleAttributeType, .dateAttributeType: "Double"
    case .floatAttributeType: "Float"
    case .booleanAttributeType: "Bool"
    default: nil
    }
  }

  private func foundation(_ name: String) -> SwiftType {
    .nominal(KnownTypes.named(name) ?? NominalType("Foundation", name, .classType))
  }

  private func valueType(of attribute: NSAttributeDescription) throws(TypeProblem) -> SwiftType {
    switch attribute.attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
      .floatAttributeType, .booleanAttributeType:
      return foundation("NSNumber")
    case .decimalAttributeType: return foundation("NSDecimalNumber")
    case .stringAttributeType: return .nominal(NominalType("Swift", "String", .structure))
    case .dateAttributeType: return foundation("Date")
    case .binaryDataAttributeType: return foundation("Data")
    case .UUIDAttributeType: return foundation("UUID")
    case .URIAttributeType: return foundation("URL")
    case .objectIDAttributeType: return foundation("NSManagedObjectID")
    case .compositeAttributeType:
      return .generic(
        NominalType("Swift", "Dictionary", .structure), [.nominal(NominalType("Swift", "String", .structure)), .any])
    case .transformableAttributeType, .undefinedAttributeType:
      guard let named = attribute.storedValueClassName, !named.isEmpty, named != "." else {
        return foundation("NSObject")
      }
      let text = named.hasPrefix(".") ? String(named.dropFirst()) : named
      return try types.resolve(SwiftScanner.type(text), in: [])
    }
  }

  /// The class of a relationship's members.
  func objectType(of relationship: NSRelationshipDescription) -> NominalType {
    objectType(of: entities.first { $0.description === relationship.destinationEntity })
  }

  private func objectType(of entity: PlannedEntity?) -> NominalType {
    entity?.className.flatMap { classes[$0]?.type } ?? NominalType("ObjectGraph", "NSManagedObject", .classType)
  }

  /// What a fetched property's request finds: objects of its entity, unless it asks for something else of them.
  private func fetchedType(of property: NSFetchedPropertyDescription) -> SwiftType {
    guard let template = property.template else { return .any }
    switch template.resultType {
    case 0:
      let file = entities.first { entity in entity.description.propertyDescriptions.contains { $0 === property } }?.file
      return .nominal(objectType(of: entities.first { $0.name == template.entityName && $0.file.path == file?.path }))
    case 1: return .nominal(NominalType("ObjectGraph", "NSManagedObjectID", .classType))
    default: return .any
    }
  }

  /// The properties that an entity declares itself, for the class generated for it. What is wrong with one is reported
  /// and leaves it out.
  mutating func generatedProperties(of managed: ManagedClass, _ entity: PlannedEntity) -> [GeneratedProperty] {
    var properties: [GeneratedProperty] = []
    for index in inheritedCount(of: managed, entity)..<entity.schema.properties.count {
      let property = entity.property(index)
      // The elements of a composite attribute are reached through it.
      if entity.schema.properties[index].name != property.name { continue }
      let place = entity.location(ofProperty: index)
      let fullName = "\(entity.name).\(property.name)"
      guard isSwiftIdentifier(property.name) else {
        report(.error, "'\(fullName)' is not a name that Swift can have: rename the property", at: place)
        continue
      }
      // The model's own check knows the names that Objective-C reserves; this one is Swift's.
      if property.name == "hashValue" {
        report(.error, "'\(fullName)' has the name of a property of NSObject: rename the property", at: place)
        continue
      }
      do throws(TypeProblem) {
        let type = try generatedType(of: property)
        guard let position = managed.layout?[property.name],
          let access = PropertyAccess.make(property, type: type, position: position, plan: self)
        else { throw TypeProblem("no accessor fits the type '\(type)'") }
        let isRequired: Bool = property is NSAttributeDescription && !property.isOptional
        properties.append(
          GeneratedProperty(
            name: property.name, type: type, isImplicitlyUnwrapped: isRequired && type.isOptional, access: access,
            location: place))
      } catch {
        report(.error, "'\(fullName)': \(error.message)", at: place)
      }
    }
    return properties
  }

  /// The type of a property in generated source. One that the model requires is implicitly unwrapped: code written for
  /// Xcode's optional compiles as it is, and so does code that takes the value for granted.
  func spelledType(of property: GeneratedProperty) -> String {
    property.isImplicitlyUnwrapped ? spelled(property.type.unwrapped) + "!" : spelled(property.type)
  }

  /// How many of an entity's first properties its class's superclass has already. Those of super-entities that have no
  /// class of their own are the class's to declare.
  private func inheritedCount(of managed: ManagedClass, _ entity: PlannedEntity) -> Int {
    var parent = entity.description.superentity
    while let current = parent {
      guard let planned = entities.first(where: { $0.description === current }) else { return 0 }
      if let className = planned.className, className != managed.name, classes[className] != nil {
        return planned.schema.properties.count
      }
      parent = current.superentity
    }
    return 0
  }

  /// A property as the model has it, in words.
  func words(for property: NSPropertyDescription) -> String {
    switch property {
    case let relationship as NSRelationshipDescription:
      let destination = relationship.destinationEntity?.name ?? "?"
      if !relationship.isToMany { return "a to-one relationship to \(destination)" }
      return "\(relationship.isOrdered ? "an ordered" : "a") to-many relationship to \(destination)"
    case let attribute as NSAttributeDescription:
      return (attribute.isOptional ? "optional " : "non-optional ") + (attribute.attributeType.fileName ?? "Undefined")
    default: return "a fetched property"
    }
  }

  mutating func report(_ severity: CompilerDiagnostic.Severity, _ message: String, at location: SourceLocation?) {
    diagnostics.append(CompilerDiagnostic(severity, message, at: location))
  }

  /// A type in generated source: qualified where the module declares another type of the same name.
  func spelled(_ type: SwiftType) -> String { type.spelled { spelled($0) } }

  /// The name of a type outside the module in generated source.
  func spelled(_ name: String) -> String {
    spelled(KnownTypes.named(name) ?? NominalType("Swift", name, .structure))
  }

  private func spelled(_ nominal: NominalType) -> String {
    guard nominal.module != module, isTaken(nominal.path[0].name, by: nominal.module) else {
      return nominal.sourceName()
    }
    return "\(Self.importable[nominal.module] ?? nominal.module).\(nominal.sourceName())"
  }

  /// Whether a name of a module's type may mean another thing in generated source.
  private func isTaken(_ name: String, by owner: String) -> Bool {
    takenNames.contains(name) || types.dependencies.contains { $0.module != owner && $0.find([name], in: []) != nil }
  }

  /// The module that generated source imports to have those of another.
  private static let importable = ["FoundationEssentials": "Foundation", "ObjectGraph": "Annals", "Model": "Annals"]
}
