internal import Foundation

extension ModelBuilder {
  /// - Parameter entity: name of the entity, or of the composite.
  func buildAttribute(_ node: XMLNode, entity: String) -> NSAttributeDescription? {
    guard let name = text("name", of: node) else {
      report(.error, "an attribute without a name", at: node, entity: entity)
      return nil
    }
    guard let type = attributeType(of: node, entity: entity, name: name) else { return standIn(node, name: name) }
    let attribute: NSAttributeDescription = makeAttribute(node, type: type, entity: entity, name: name)
    attribute.name = name
    attribute.attributeType = type
    readShared(node, into: attribute, entity: entity)
    attribute.usesScalarValueType = flag("usesScalarValueType", of: node, entity: entity, property: name)
    attribute.allowsExternalBinaryDataStorage = flag(
      "allowsExternalBinaryDataStorage", of: node, entity: entity, property: name)
    attribute.preservesValueInHistoryOnDeletion = flag(
      "preserveAfterDeletion", of: node, entity: entity, property: name)
    attribute.allowsCloudEncryption = flag("allowsCloudEncryption", of: node, entity: entity, property: name)
    attribute.valueTransformerName = text("valueTransformerName", of: node)
    attribute.storedValueClassName = className(of: node, entity: entity, property: name)
    readDefault(node, into: attribute, entity: entity)
    readLimits(node, into: attribute, entity: entity)
    return attribute
  }

  /// An attribute in place of one whose type is unknown, so that what else is wrong with its name is said too and
  /// nothing that mentions it is taken for a fault. A model with an error is never used.
  private func standIn(_ node: XMLNode, name: String) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = .stringAttributeType
    attribute.origin = origin(node)
    return attribute
  }

  /// What every property has.
  func readShared(_ node: XMLNode, into property: NSPropertyDescription, entity: String) {
    let name: String = property.name
    property.origin = origin(node)
    property.isOptional = flag("optional", of: node, entity: entity, property: name)
    property.isTransient = flag("transient", of: node, entity: entity, property: name)
    property.isIndexed = flag("indexed", of: node, entity: entity, property: name)
    property.isIndexedBySpotlight = flag("spotlightIndexingEnabled", of: node, entity: entity, property: name)
    property.isStoredInExternalRecord = flag("storedInTruthFile", of: node, entity: entity, property: name)
    property.versionHashModifier = text("versionHashModifier", of: node)
    property.storedRenamingIdentifier = text("renamingIdentifier", of: node) ?? text("elementID", of: node)
    property.userInfo = userInfo(of: node, entity: entity, property: name)
  }

  private func attributeType(of node: XMLNode, entity: String, name: String) -> NSAttributeType? {
    guard let typeName = text("attributeType", of: node) else { return .undefinedAttributeType }
    if let type = NSAttributeType(fileName: typeName) { return type }
    let known: String = NSAttributeType.allCases.compactMap { $0.fileName }.joined(separator: ", ")
    report(
      .error, "unknown attribute type '\(typeName)'; it can be one of \(known)", at: node, entity: entity,
      property: name)
    return nil
  }

  private func makeAttribute(
    _ node: XMLNode, type: NSAttributeType, entity: String, name: String
  ) -> NSAttributeDescription {
    if type == .compositeAttributeType {
      let attribute = NSCompositeAttributeDescription()
      attribute.compositeName = text("composite", of: node)
      if attribute.compositeName == nil {
        report(.error, "a composite attribute has to name its composite", at: node, entity: entity, property: name)
      }
      return attribute
    }
    guard flag("derived", of: node, entity: entity, property: name) else {
      if text("derivationExpression", of: node) != nil {
        report(
          .warning, "the derivation is ignored: the attribute is not marked as derived", at: node, entity: entity,
          property: name)
      }
      return NSAttributeDescription()
    }
    let attribute = NSDerivedAttributeDescription()
    attribute.derivationText = text("derivationExpression", of: node)
    if attribute.derivationText == nil {
      report(.error, "a derived attribute needs a derivationExpression", at: node, entity: entity, property: name)
    }
    return attribute
  }

  private func readDefault(_ node: XMLNode, into attribute: NSAttributeDescription, entity: String) {
    let type: NSAttributeType = attribute.attributeType
    let intervalText: String? = text("defaultDateTimeInterval", of: node)
    if type == .dateAttributeType {
      // The string beside the interval is the editor's, in the author's own date format.
      guard let intervalText else { return }
      attribute.defaultValue = date(
        intervalText, "defaultDateTimeInterval", at: node, entity: entity, property: attribute.name)
      return
    }
    guard let text = node.attributes["defaultValueString"] else { return }
    if text.isEmpty && type != .stringAttributeType { return }
    let name: String = attribute.name
    if let value = AttributeText.value(text, of: type) {
      attribute.defaultValue = value
      return
    }
    let typeName: String = type.fileName ?? ""
    switch type {
    case .undefinedAttributeType, .transformableAttributeType, .objectIDAttributeType, .compositeAttributeType:
      report(
        .warning, "the default value is ignored: a model file can't give one to this type", at: node, entity: entity,
        property: name)
    case .UUIDAttributeType, .URIAttributeType, .binaryDataAttributeType:
      // Xcode has no field for these; what files hold is left over from another type.
      report(
        .warning, "the default value '\(text)' is ignored: it is not a value of type \(typeName)", at: node,
        entity: entity, property: name)
    case _ where type.isNumber && AttributeText.word(text) != nil:
      let number: Int = AttributeText.word(text) == true ? 1 : 0
      attribute.defaultValue = type == .decimalAttributeType ? NSDecimalNumber(value: number) : NSNumber(value: number)
      report(
        .warning, "the default value '\(text)' of a number is read as \(number)", at: node, entity: entity,
        property: name)
    default:
      report(
        .error, "the default value '\(text)' is not a value of type \(typeName)", at: node, entity: entity,
        property: name)
    }
  }

  private func date(_ text: String, _ what: String, at node: XMLNode, entity: String, property: String) -> Date? {
    if let seconds = Double(text), let date = AttributeText.date(seconds) { return date }
    report(
      .error, "\(what) is '\(text)'; write seconds since 2001-01-01 UTC", at: node, entity: entity,
      property: property)
    return nil
  }

  private func readLimits(_ node: XMLNode, into attribute: NSAttributeDescription, entity: String) {
    var limits = AttributeLimits()
    let name: String = attribute.name
    func number(_ what: String) -> Decimal? {
      guard let text = text(what, of: node) else { return nil }
      if let value = Decimal(exactly: text) { return value }
      report(.error, "\(what) is '\(text)'; write a number", at: node, entity: entity, property: name)
      return nil
    }
    switch attribute.attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
      .doubleAttributeType, .floatAttributeType:
      limits.minNumber = number("minValueString")
      limits.maxNumber = number("maxValueString")
    case .stringAttributeType:
      limits.minLength = number("minValueString").map { NSDecimalNumber(decimal: $0).intValue }
      limits.maxLength = number("maxValueString").map { NSDecimalNumber(decimal: $0).intValue }
      limits.pattern = pattern(of: node, entity: entity, property: name)
    case .dateAttributeType:
      for what in ["minDateTimeInterval", "maxDateTimeInterval"] {
        guard let text = text(what, of: node) else { continue }
        let value: Double? = date(text, what, at: node, entity: entity, property: name)?.timeIntervalSinceReferenceDate
        if what == "minDateTimeInterval" { limits.minDate = value } else { limits.maxDate = value }
      }
    default:
      for what in ["minValueString", "maxValueString"] where text(what, of: node) != nil {
        report(
          .warning, "\(what) is ignored: values of this type have no bounds", at: node, entity: entity, property: name)
      }
    }
    attribute.limits = limits
  }

  private func pattern(of node: XMLNode, entity: String, property: String) -> String? {
    guard let pattern = text("regularExpressionString", of: node) else { return nil }
    guard (try? NSRegularExpression(pattern: pattern)) != nil else {
      report(
        .error, "the regular expression '\(pattern)' can't be read", at: node, entity: entity, property: property)
      return nil
    }
    return pattern
  }

  /// The custom class of a transformable attribute: a Swift type's name.
  private func className(of node: XMLNode, entity: String, property: String) -> String? {
    guard let name = text("customClassName", of: node) else { return nil }
    if name.hasPrefix(".") && name.count == 1 || name.hasSuffix(".") {
      report(
        .warning, "the class name '\(name)' is incomplete; it is ignored", at: node, entity: entity,
        property: property)
      return nil
    }
    if !SwiftTypeName.isWellFormed(name) {
      report(
        .error, "the class name '\(name)' is not the name of a type", at: node, entity: entity, property: property)
      return nil
    }
    return name
  }
}
