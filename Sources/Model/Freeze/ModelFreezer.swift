internal import Foundation
internal import Schema

/// Turns a checked model into a schema: values, in an order that the same model always has.
struct ModelFreezer {
  /// In the schema's order.
  let entities: [NSEntityDescription]
  /// For each entity its properties in the schema's order: inherited ones first, then own by name, the elements of a
  /// composite attribute after it.
  private(set) var properties: [[SchemaColumn]] = []
  private var indexOfEntity: [ObjectIdentifier: Int] = [:]
  private var indexByName: [[String: Int]] = []

  /// - Precondition: the model was checked and has no faults.
  init(_ model: NSManagedObjectModel) {
    entities = model.entities.sorted { Self.precedes($0.name ?? "", $1.name ?? "") }
    for (index, entity) in entities.enumerated() { indexOfEntity[ObjectIdentifier(entity)] = index }
    for entity in entities {
      let ordered: [SchemaColumn] = Self.orderedProperties(of: entity).flatMap { SchemaColumn.columns(of: $0) }
      properties.append(ordered)
      var byName: [String: Int] = [:]
      for (index, property) in ordered.enumerated() { byName[property.name] = index }
      indexByName.append(byName)
    }
  }

  /// By bytes: no locale and no Unicode version has a say in where rows keep their values.
  private static func precedes(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }

  private static func orderedProperties(of entity: NSEntityDescription) -> [NSPropertyDescription] {
    var chain: [NSEntityDescription] = []
    var current: NSEntityDescription? = entity
    while let here = current {
      chain.append(here)
      current = here.superentity
    }
    var ordered: [NSPropertyDescription] = []
    var names: Set<String> = []
    for ancestor in chain.reversed() {
      // An inherited property that is declared again counts once.
      let own: [NSPropertyDescription] = ancestor.ownProperties.filter { names.insert($0.name).inserted }
      ordered += own.sorted { precedes($0.name, $1.name) }
    }
    return ordered
  }

  func schema() throws(ModelError) -> Schema {
    var faults: [ModelDiagnostic] = []
    var frozen: [EntitySchema] = []
    for (index, entity) in entities.enumerated() {
      var lowered: [PropertySchema] = []
      for property in properties[index] {
        do {
          lowered.append(try lower(property, entity: index))
        } catch {
          // An inherited property fails once, in the entity that declares it.
          if property.owner === entity { faults += error.diagnostics }
        }
      }
      guard faults.isEmpty else { continue }
      let superentity: Int? = entity.superentity.flatMap { indexOfEntity[ObjectIdentifier($0)] }
      frozen.append(
        EntitySchema(
          name: entity.name ?? "", index: index, superentity: superentity, isAbstract: entity.isAbstract,
          properties: lowered, inheritedCount: superentity.map { properties[$0].count } ?? 0,
          constraints: constraints(of: entity, index), fetchIndexes: fetchIndexes(of: entity, index),
          renamingIdentifier: entity.storedRenamingIdentifier))
    }
    guard faults.isEmpty else { throw ModelError("The model can't be used.", diagnostics: faults) }
    return Schema(entities: frozen)
  }

  // MARK: Properties

  private func lower(_ column: SchemaColumn, entity: Int) throws(ModelError) -> PropertySchema {
    let kind: PropertySchema.Kind
    switch column.property {
    case is NSCompositeAttributeDescription: kind = .fetched
    case let attribute as NSAttributeDescription: kind = .attribute(try lower(attribute, entity: entity))
    case let relationship as NSRelationshipDescription: kind = .relationship(try lower(relationship))
    default: kind = .fetched
    }
    return PropertySchema(
      name: column.name, kind: kind, isOptional: column.isOptional, isTransient: column.isTransient,
      renamingIdentifier: column.renamingIdentifier)
  }

  private func fault(_ message: String, _ property: NSPropertyDescription) -> ModelError {
    ModelError(
      message,
      diagnostics: [
        ModelDiagnostic(
          .error, message, file: property.origin.file, line: property.origin.line, entity: property.owner?.name,
          property: property.name)
      ])
  }

  private func lower(_ attribute: NSAttributeDescription, entity: Int) throws(ModelError) -> AttributeSchema {
    guard let type = storedType(of: attribute) else {
      throw fault("object ID attributes can't be stored: use a relationship, or the id's URI", attribute)
    }
    var derivation: Derivation?
    if let derived = attribute as? NSDerivedAttributeDescription {
      switch DerivationText.resolve(derived, in: attribute.owner ?? entities[entity]) {
      case .success(let resolved): derivation = lower(resolved, entity: entity)
      case .failure(let error): throw fault(error.message, attribute)
      }
    }
    let defaultValue: Value =
      attribute.defaultValue.flatMap {
        DefaultValue.lower($0, of: attribute.attributeType)
      } ?? .null
    return AttributeSchema(
      type: type, defaultValue: defaultValue, derivation: derivation,
      allowsExternalStorage: attribute.allowsExternalBinaryDataStorage,
      preservesValueOnDeletion: attribute.preservesValueInHistoryOnDeletion,
      transformerName: type == .transformable ? attribute.valueTransformerName : nil)
  }

  private func storedType(of attribute: NSAttributeDescription) -> AttributeType? {
    switch attribute.attributeType {
    case .integer16AttributeType: .integer16
    case .integer32AttributeType: .integer32
    case .integer64AttributeType: .integer64
    case .decimalAttributeType: .decimal
    case .doubleAttributeType: .double
    case .floatAttributeType: .float
    case .stringAttributeType: .string
    case .booleanAttributeType: .boolean
    case .dateAttributeType: .date
    case .binaryDataAttributeType: .binary
    case .UUIDAttributeType: .uuid
    case .URIAttributeType: .uri
    case .transformableAttributeType: .transformable
    // A transient attribute has no slot; any type stands for "any object".
    case .undefinedAttributeType: .transformable
    case .objectIDAttributeType, .compositeAttributeType: nil
    }
  }

  private func lower(_ relationship: NSRelationshipDescription) throws(ModelError) -> RelationshipSchema {
    guard let destination = relationship.destinationEntity,
      let destinationIndex = indexOfEntity[ObjectIdentifier(destination)]
    else { throw fault("it has no destination entity in the model", relationship) }
    let rule: RelationshipSchema.DeleteRule
    switch relationship.deleteRule {
    case .noActionDeleteRule: rule = .noAction
    case .nullifyDeleteRule: rule = .nullify
    case .cascadeDeleteRule: rule = .cascade
    case .denyDeleteRule: rule = .deny
    }
    return RelationshipSchema(
      destination: destinationIndex,
      inverse: relationship.inverseRelationship.flatMap { indexByName[destinationIndex][$0.name] },
      isToMany: relationship.isToMany, isOrdered: relationship.isOrdered && relationship.isToMany,
      minCount: relationship.minCount, maxCount: relationship.maxCount, deleteRule: rule)
  }

  private func lower(_ derivation: ResolvedDerivation, entity: Int) -> Derivation? {
    func place(_ property: NSPropertyDescription, in entity: Int?) -> Int? {
      entity.flatMap { indexByName[$0][property.name] }
    }
    func destination(_ relationship: NSRelationshipDescription) -> Int? {
      relationship.destinationEntity.flatMap { indexOfEntity[ObjectIdentifier($0)] }
    }
    switch derivation {
    case .now: return .now
    case .own(let attribute, let transform):
      return place(attribute, in: entity).map { .own(property: $0, transform) }
    case .related(let relationship, let attribute, let transform):
      guard let step = place(relationship, in: entity), let source = place(attribute, in: destination(relationship))
      else { return nil }
      return .related(relationship: step, property: source, transform)
    case .aggregate(let relationship, let aggregate, let attribute):
      guard let step = place(relationship, in: entity) else { return nil }
      return .aggregate(
        relationship: step, aggregate, property: attribute.flatMap { place($0, in: destination(relationship)) })
    }
  }

  // MARK: Constraints and indexes

  /// Own and inherited, those of the topmost ancestor first.
  private func constraints(of entity: NSEntityDescription, _ index: Int) -> [[Int]] {
    var all: [[Int]] = []
    for ancestor in lineage(of: entity) {
      for constraint in ancestor.uniquenessConstraints {
        let places: [Int] = constraint.compactMap { element in
          (NSEntityDescription.propertyName(inConstraint: element) as? String).flatMap { indexByName[index][$0] }
        }
        if !places.isEmpty && !all.contains(places) { all.append(places) }
      }
    }
    return all
  }

  /// Own and inherited. An index that needs what rows don't hold is left out; one that covers a part covers all, which
  /// changes no result.
  private func fetchIndexes(of entity: NSEntityDescription, _ index: Int) -> [FetchIndexSchema] {
    var all: [FetchIndexSchema] = []
    func add(_ name: String, _ columns: [(name: String?, isAscending: Bool)]) {
      let elements: [FetchIndexSchema.Element] = columns.compactMap { column in
        guard let name = column.name, let place = indexByName[index][name],
          ModelChecker.isStored(properties[index][place].property)
        else { return nil }
        return FetchIndexSchema.Element(property: place, isAscending: column.isAscending)
      }
      guard !elements.isEmpty, elements.count == columns.count else { return }
      if !all.contains(where: { $0.name == name || $0.elements == elements }) {
        all.append(FetchIndexSchema(name: name, elements: elements))
      }
    }
    for ancestor in lineage(of: entity) {
      for description in ancestor.indexes {
        add(description.name, description.elements.map { ($0.propertyName, $0.isAscending) })
      }
      for names in ancestor.compoundIndexes {
        let columns: [String] = names.compactMap { NSEntityDescription.propertyName(inConstraint: $0) as? String }
        add("by" + columns.joined(separator: "And"), columns.map { ($0, true) })
      }
      for property in ancestor.ownProperties where property.isIndexed {
        add("by" + property.name, [(property.name, true)])
      }
    }
    return all
  }

  private func lineage(of entity: NSEntityDescription) -> [NSEntityDescription] {
    var chain: [NSEntityDescription] = []
    var current: NSEntityDescription? = entity
    while let here = current {
      chain.append(here)
      current = here.superentity
    }
    return chain.reversed()
  }
}
