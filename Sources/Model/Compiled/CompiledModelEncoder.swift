internal import Foundation

/// Writes a model for `CompiledModelDecoder`, which reads the same things in the same order. What only a program can
/// give a model is left out, as `ModelWriter` does.
struct CompiledModelEncoder {
  private(set) var text = CompiledText()
  private var entityIndexes: [String: Int] = [:]

  mutating func add(_ model: NSManagedObjectModel) {
    // By name, so that equal models are equal text.
    let entities: [NSEntityDescription] = model.entities.sorted { ModelWriter.precedes($0.name, $1.name) }
    for (index, entity) in entities.enumerated() { entityIndexes[entity.name ?? ""] = index }
    add(model.fileAttributes)
    text.add(model.versionIdentifiers.compactMap { $0.base as? String }.sorted())
    text.add(entities.count)
    // Names and families come first: whatever follows can then point at any entity.
    for entity in entities {
      text.add(entity.name ?? "")
      text.add(entity.superentity?.name.flatMap { entityIndexes[$0] }.map { $0 + 1 } ?? 0)
    }
    for entity in entities { add(entity) }
    text.add(model.composites.count)
    for composite in model.composites { add(composite) }
    let templates: [FetchRequestTemplate] = model.templates.values.sorted { ModelWriter.precedes($0.name, $1.name) }
    text.add(templates.count)
    for template in templates { add(template) }
    text.add(model.configurations.count)
    for name in model.configurations {
      text.add(name)
      text.add(model.cloudConfigurations.contains(name) ? 1 : 0)
      text.add(model.entityNamesByConfiguration[name] ?? [])
    }
  }

  private mutating func add(_ pairs: [String: String]) {
    text.add(pairs.count)
    for (key, value) in pairs.sorted(by: { $0.key < $1.key }) {
      text.add(key)
      text.add(value)
    }
  }

  private mutating func add(userInfo: [AnyHashable: Any]?) {
    var pairs: [String: String] = [:]
    for (key, value) in userInfo ?? [:] { pairs["\(key.base)"] = "\(value)" }
    add(pairs)
  }

  // MARK: Entities

  private mutating func add(_ entity: NSEntityDescription) {
    let generations: [CodeGeneration] = [.manual, .category, .classDefinition]
    text.add((entity.isAbstract ? 1 : 0) | (generations.firstIndex(of: entity.codeGeneration) ?? 0) << 1)
    text.add(optional: entity.storedClassName)
    text.add(optional: entity.storedRenamingIdentifier)
    text.add(optional: entity.versionHashModifier)
    text.add(optional: entity.spotlightNameText)
    add(userInfo: entity.userInfo)
    for groups in [entity.uniquenessConstraints, entity.compoundIndexes] {
      text.add(groups.count)
      for group in groups { text.add(group.map { "\(NSEntityDescription.propertyName(inConstraint: $0))" }) }
    }
    text.add(entity.ownProperties.count)
    for property in entity.ownProperties { add(property) }
    text.add(entity.indexes.count)
    for index in entity.indexes { add(index) }
  }

  private mutating func add(_ index: NSFetchIndexDescription) {
    text.add(index.name)
    text.add(optional: index.partialPredicateText)
    text.add(index.elements.count)
    for element in index.elements {
      let expression: NSExpressionDescription? = element.property as? NSExpressionDescription
      text.add((element.isAscending ? 1 : 0) | (element.collationType == .rTree ? 2 : 0) | (expression == nil ? 0 : 4))
      text.add(expression?.expressionText ?? element.propertyName ?? "")
      if let expression { text.add(Int(expression.expressionResultType.rawValue)) }
    }
  }

  private mutating func add(_ template: FetchRequestTemplate) {
    text.add(template.name)
    text.add(template.entityName)
    text.add(optional: template.predicateFormat)
    let flags: [Bool] = [
      template.includesSubentities, template.includesPropertyValues, template.includesPendingChanges,
      template.returnsObjectsAsFaults, template.returnsDistinctResults,
    ]
    text.add(flags.enumerated().reduce(0) { $0 | ($1.element ? 1 << $1.offset : 0) })
    for number in [Int(template.resultType), template.fetchLimit, template.fetchBatchSize] { text.add(number) }
  }

  // MARK: Properties

  private mutating func add(_ property: NSPropertyDescription) {
    let kind: CompiledPropertyKind
    switch property {
    case is NSDerivedAttributeDescription: kind = .derived
    case is NSCompositeAttributeDescription: kind = .composite
    case is NSAttributeDescription: kind = .attribute
    case is NSRelationshipDescription: kind = .relationship
    default: kind = .fetched
    }
    text.add(Int(kind.rawValue))
    text.add(property.name)
    let flags = CompiledPropertyFlags(property)
    text.add(flags.rawValue)
    if flags.contains(.hasMore) {
      text.add(optional: property.versionHashModifier)
      text.add(optional: property.storedRenamingIdentifier)
      add(userInfo: property.userInfo)
    }
    switch property {
    case let attribute as NSAttributeDescription: addFields(of: attribute)
    case let relationship as NSRelationshipDescription: addFields(of: relationship)
    case let fetched as NSFetchedPropertyDescription:
      text.add(fetched.template == nil ? 0 : 1)
      if let template = fetched.template { add(template) }
    default: break
    }
  }

  private mutating func addFields(of attribute: NSAttributeDescription) {
    let written: String? = attribute.defaultValue.flatMap {
      AttributeText.attribute(for: $0, of: attribute.attributeType)?.text
    }
    text.add(Int(attribute.attributeType.rawValue))
    text.add(optional: written)
    if CompiledPropertyFlags(attribute).contains(.hasClasses) {
      text.add(optional: attribute.valueTransformerName)
      text.add(optional: attribute.storedValueClassName)
    }
    if !attribute.limits.isEmpty { add(attribute.limits) }
    if let derived = attribute as? NSDerivedAttributeDescription { text.add(optional: derived.derivationText) }
    if let composite = attribute as? NSCompositeAttributeDescription {
      text.add(optional: composite.compositeName)
      text.add(composite.elements.count)
      for element in composite.elements { add(element) }
    }
  }

  private mutating func add(_ limits: AttributeLimits) {
    text.add(optional: limits.minNumber.map { "\($0)" })
    text.add(optional: limits.maxNumber.map { "\($0)" })
    for length in [limits.minLength, limits.maxLength] { text.add(optional: length.map { "\($0)" }) }
    for date in [limits.minDate, limits.maxDate] {
      text.add(date == nil ? 0 : 1)
      if let date { text.add(date) }
    }
    text.add(optional: limits.pattern)
  }

  private mutating func addFields(of relationship: NSRelationshipDescription) {
    let destination: NSEntityDescription? = relationship.destinationEntity
    text.add(destination?.name.flatMap { entityIndexes[$0] }.map { $0 + 1 } ?? 0)
    // The inverse by its place: entity, then property, so that no name is looked up.
    let inverse: NSRelationshipDescription? = relationship.inverseRelationship
    if let inverse, let owner = inverse.owner, let index = entityIndexes[owner.name ?? ""],
      let place = owner.ownProperties.firstIndex(where: { $0 === inverse })
    {
      text.add(index + 1)
      text.add(place)
    } else {
      text.add(0)
    }
    text.add(optional: relationship.inverseEntityName)
    text.add(signed: relationship.minCount)
    text.add(signed: relationship.maxCount)
    text.add(Int(relationship.deleteRule.rawValue) << 1 | (relationship.isOrdered ? 1 : 0))
  }
}

/// What kind of description a compiled property becomes.
enum CompiledPropertyKind: UInt8 {
  case attribute = 0
  case derived, composite, relationship, fetched
}

/// What a compiled property says with a bit.
struct CompiledPropertyFlags: OptionSet {
  let rawValue: Int

  static let optional = CompiledPropertyFlags(rawValue: 1)
  static let hasMore = CompiledPropertyFlags(rawValue: 2)
  static let scalar = CompiledPropertyFlags(rawValue: 4)
  static let hasLimits = CompiledPropertyFlags(rawValue: 8)
  static let transient = CompiledPropertyFlags(rawValue: 16)
  static let indexed = CompiledPropertyFlags(rawValue: 32)
  static let spotlight = CompiledPropertyFlags(rawValue: 64)
  static let externalRecord = CompiledPropertyFlags(rawValue: 128)
  static let external = CompiledPropertyFlags(rawValue: 256)
  static let preserved = CompiledPropertyFlags(rawValue: 512)
  static let encrypted = CompiledPropertyFlags(rawValue: 1024)

  static let hasClasses = CompiledPropertyFlags(rawValue: 2048)

  init(rawValue: Int) { self.rawValue = rawValue }

  init(_ property: NSPropertyDescription) {
    var flags: CompiledPropertyFlags = []
    func set(_ flag: CompiledPropertyFlags, _ isSet: Bool) { if isSet { flags.insert(flag) } }
    set(.optional, property.isOptional)
    set(.transient, property.isTransient)
    set(.indexed, property.isIndexed)
    set(.spotlight, property.isIndexedBySpotlight)
    set(.externalRecord, property.isStoredInExternalRecord)
    let isPlain: Bool = property.versionHashModifier == nil && property.storedRenamingIdentifier == nil
    set(.hasMore, !isPlain || property.userInfo?.isEmpty == false)
    if let attribute = property as? NSAttributeDescription {
      set(.scalar, attribute.usesScalarValueType)
      set(.hasLimits, !attribute.limits.isEmpty)
      set(.hasClasses, attribute.valueTransformerName != nil || attribute.storedValueClassName != nil)
      set(.external, attribute.allowsExternalBinaryDataStorage)
      set(.preserved, attribute.preservesValueInHistoryOnDeletion)
      set(.encrypted, attribute.allowsCloudEncryption)
    }
    self = flags
  }
}
