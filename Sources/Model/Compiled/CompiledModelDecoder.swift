internal import Foundation

/// Makes descriptions of what `CompiledModelEncoder` wrote.
struct CompiledModelDecoder {
  private var reader: CompiledTextReader
  private var entities: [NSEntityDescription] = []
  private var inverses: [(relationship: NSRelationshipDescription, entity: Int, place: Int)] = []
  private var depth = 0

  typealias Fault = CompiledTextReader.Fault

  init(_ reader: CompiledTextReader) { self.reader = reader }

  mutating func model() throws(Fault) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.fileAttributes = try pairs()
    model.versionIdentifiers = Set(try reader.texts().map { AnyHashable($0) })
    try readFamilies()
    for entity in entities { try read(entity) }
    for (relationship, entity, place) in inverses {
      let properties: [NSPropertyDescription] = entities[entity].ownProperties
      guard place < properties.count, let inverse = properties[place] as? NSRelationshipDescription else {
        throw reader.fault("the inverse of '\(relationship.name)' is no relationship")
      }
      relationship.inverseRelationship = inverse
    }
    // Inherited properties can be found only now.
    for entity in entities { entity.joinIndexes() }
    for _ in 0..<(try reader.length()) {
      guard let composite = try property() as? NSCompositeAttributeDescription else {
        throw reader.fault("a composite of another kind")
      }
      model.composites.append(composite)
    }
    for _ in 0..<(try reader.length()) {
      let template: FetchRequestTemplate = try template()
      model.templates[template.name] = template
    }
    for _ in 0..<(try reader.length()) {
      let name: String = try reader.text()
      if try reader.count(1) == 1 { model.cloudConfigurations.insert(name) }
      model.entityNamesByConfiguration[name] = try reader.texts()
    }
    guard reader.isAtEnd else { throw reader.fault("there is more than there should be") }
    model.entities = entities
    return model
  }

  private mutating func readFamilies() throws(Fault) {
    let count: Int = try reader.length()
    guard count <= ModelLimits.entitiesMax else { throw reader.fault("too many entities") }
    var parents: [Int] = []
    for _ in 0..<count {
      let entity = NSEntityDescription()
      entity.name = try reader.text()
      entities.append(entity)
      parents.append(try reader.count(count))
    }
    var children: [[NSEntityDescription]] = Array(repeating: [], count: count)
    for (index, parent) in parents.enumerated() where parent > 0 { children[parent - 1].append(entities[index]) }
    for (index, subentities) in children.enumerated() where !subentities.isEmpty {
      entities[index].subentities = subentities
    }
  }

  private mutating func pairs() throws(Fault) -> [String: String] {
    let count: Int = try reader.length()
    guard count > 0 else { return [:] }
    var pairs: [String: String] = [:]
    for _ in 0..<count {
      let key: String = try reader.text()
      pairs[key] = try reader.text()
    }
    return pairs
  }

  private mutating func userInfo() throws(Fault) -> [AnyHashable: Any]? {
    let pairs: [String: String] = try pairs()
    guard !pairs.isEmpty else { return nil }
    var userInfo: [AnyHashable: Any] = [:]
    for (key, value) in pairs { userInfo[key] = value }
    return userInfo
  }

  // MARK: Entities

  private mutating func read(_ entity: NSEntityDescription) throws(Fault) {
    let flags: Int = try reader.count(7)
    let generations: [CodeGeneration] = [.manual, .category, .classDefinition, .manual]
    entity.isAbstract = flags & 1 != 0
    entity.codeGeneration = generations[flags >> 1]
    entity.storedClassName = try reader.optionalText()
    entity.storedRenamingIdentifier = try reader.optionalText()
    entity.versionHashModifier = try reader.optionalText()
    entity.spotlightNameText = try reader.optionalText()
    entity.userInfo = try userInfo()
    entity.uniquenessConstraints = try groups()
    entity.compoundIndexes = try groups()
    var properties: [NSPropertyDescription] = []
    let count: Int = try reader.length()
    properties.reserveCapacity(count)
    for _ in 0..<count { properties.append(try property()) }
    entity.adoptOwn(properties)
    var indexes: [NSFetchIndexDescription] = []
    for _ in 0..<(try reader.length()) { indexes.append(try index()) }
    if !indexes.isEmpty { entity.indexes = indexes }
  }

  private mutating func groups() throws(Fault) -> [[Any]] {
    var groups: [[Any]] = []
    for _ in 0..<(try reader.length()) { groups.append(try reader.texts()) }
    return groups
  }

  private mutating func index() throws(Fault) -> NSFetchIndexDescription {
    let name: String = try reader.text()
    let predicate: String? = try reader.optionalText()
    var elements: [NSFetchIndexElementDescription] = []
    for _ in 0..<(try reader.length()) {
      let flags: Int = try reader.count(7)
      let subject: String = try reader.text()
      let collation: NSFetchIndexElementType = flags & 2 != 0 ? .rTree : .binary
      let element: NSFetchIndexElementDescription
      if flags & 4 != 0 {
        let column = NSExpressionDescription()
        column.name = subject
        column.expressionText = subject
        column.expressionResultType = NSAttributeType(rawValue: UInt(try reader.count())) ?? .undefinedAttributeType
        element = NSFetchIndexElementDescription(property: column, collationType: collation)
      } else {
        element = NSFetchIndexElementDescription(propertyName: subject, collationType: collation)
      }
      element.isAscending = flags & 1 != 0
      elements.append(element)
    }
    let index = NSFetchIndexDescription(name: name, elements: elements)
    index.partialPredicateText = predicate
    return index
  }

  private mutating func template() throws(Fault) -> FetchRequestTemplate {
    let name: String = try reader.text()
    var template = FetchRequestTemplate(name: name, entityName: try reader.text())
    template.predicateFormat = try reader.optionalText()
    let flags: Int = try reader.count(31)
    template.includesSubentities = flags & 1 != 0
    template.includesPropertyValues = flags & 2 != 0
    template.includesPendingChanges = flags & 4 != 0
    template.returnsObjectsAsFaults = flags & 8 != 0
    template.returnsDistinctResults = flags & 16 != 0
    template.resultType = UInt(try reader.count())
    template.fetchLimit = try reader.count(Int.max)
    template.fetchBatchSize = try reader.count(Int.max)
    return template
  }

  // MARK: Properties

  private mutating func property() throws(Fault) -> NSPropertyDescription {
    guard let kind = CompiledPropertyKind(rawValue: UInt8(try reader.count(255))) else {
      throw reader.fault("a property of an unknown kind")
    }
    let property: NSPropertyDescription
    switch kind {
    case .attribute: property = NSAttributeDescription()
    case .derived: property = NSDerivedAttributeDescription()
    case .composite: property = NSCompositeAttributeDescription()
    case .relationship: property = NSRelationshipDescription()
    case .fetched: property = NSFetchedPropertyDescription()
    }
    property.name = try reader.text()
    let flags = CompiledPropertyFlags(rawValue: try reader.count())
    set(flags, property)
    if flags.contains(.hasMore) {
      property.versionHashModifier = try reader.optionalText()
      property.storedRenamingIdentifier = try reader.optionalText()
      property.userInfo = try userInfo()
    }
    switch property {
    case let attribute as NSAttributeDescription: try read(attribute, flags)
    case let relationship as NSRelationshipDescription: try read(relationship)
    case let fetched as NSFetchedPropertyDescription:
      if try reader.count(1) == 1 { fetched.template = try template() }
    default: break
    }
    return property
  }

  private func set(_ flags: CompiledPropertyFlags, _ property: NSPropertyDescription) {
    property.isOptional = flags.contains(.optional)
    if flags.contains(.transient) { property.isTransient = true }
    if flags.contains(.indexed) { property.isIndexed = true }
    if flags.contains(.spotlight) { property.isIndexedBySpotlight = true }
    if flags.contains(.externalRecord) { property.isStoredInExternalRecord = true }
    guard let attribute = property as? NSAttributeDescription else { return }
    if flags.contains(.scalar) { attribute.usesScalarValueType = true }
    if flags.contains(.external) { attribute.allowsExternalBinaryDataStorage = true }
    if flags.contains(.preserved) { attribute.preservesValueInHistoryOnDeletion = true }
    if flags.contains(.encrypted) { attribute.allowsCloudEncryption = true }
  }

  private mutating func read(_ attribute: NSAttributeDescription, _ flags: CompiledPropertyFlags) throws(Fault) {
    guard let type = NSAttributeType(rawValue: UInt(try reader.count())) else { throw reader.fault("an unknown type") }
    attribute.attributeType = type
    if let text = try reader.optionalText() {
      guard let value = AttributeText.value(text, of: type) else { throw reader.fault("'\(text)' is no such value") }
      attribute.defaultValue = value
    }
    if flags.contains(.hasClasses) {
      attribute.valueTransformerName = try reader.optionalText()
      attribute.storedValueClassName = try reader.optionalText()
    }
    if flags.contains(.hasLimits) { attribute.limits = try limits() }
    if let derived = attribute as? NSDerivedAttributeDescription { derived.derivationText = try reader.optionalText() }
    guard let composite = attribute as? NSCompositeAttributeDescription else { return }
    composite.compositeName = try reader.optionalText()
    depth += 1
    guard depth <= ModelLimits.compositeDepthMax + 2 else { throw reader.fault("composites are nested too deep") }
    var parts: [NSAttributeDescription] = []
    for _ in 0..<(try reader.length()) {
      guard let element = try property() as? NSAttributeDescription else {
        throw reader.fault("an element that is no attribute")
      }
      parts.append(element)
    }
    composite.elements = parts
    depth -= 1
  }

  private mutating func limits() throws(Fault) -> AttributeLimits {
    var limits = AttributeLimits()
    limits.minNumber = try reader.optionalText().flatMap { Decimal(exactly: $0) }
    limits.maxNumber = try reader.optionalText().flatMap { Decimal(exactly: $0) }
    limits.minLength = try reader.optionalText().flatMap { Int($0) }
    limits.maxLength = try reader.optionalText().flatMap { Int($0) }
    if try reader.count(1) == 1 { limits.minDate = try reader.double() }
    if try reader.count(1) == 1 { limits.maxDate = try reader.double() }
    limits.pattern = try reader.optionalText()
    return limits
  }

  private mutating func read(_ relationship: NSRelationshipDescription) throws(Fault) {
    let destination: Int = try reader.count(entities.count)
    if destination > 0 { relationship.destinationEntity = entities[destination - 1] }
    let inverse: Int = try reader.count(entities.count)
    if inverse > 0 { inverses.append((relationship, inverse - 1, try reader.count())) }
    relationship.inverseEntityName = try reader.optionalText()
    relationship.minCount = try reader.signed()
    relationship.maxCount = try reader.signed()
    let rule: Int = try reader.count(7)
    relationship.isOrdered = rule & 1 != 0
    relationship.deleteRule = NSDeleteRule(rawValue: UInt(rule >> 1)) ?? .nullifyDeleteRule
  }
}
