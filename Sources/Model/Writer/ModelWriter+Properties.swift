internal import Foundation

extension ModelWriter {
  static func write(_ property: NSPropertyDescription, to writer: inout XMLText) {
    let element: String
    var attributes: [(String, String?)] = [("name", property.name), ("optional", yes(property.isOptional))]
    attributes.append(("transient", yes(property.isTransient)))
    attributes.append(("indexed", yes(property.isIndexed)))
    switch property {
    case let attribute as NSAttributeDescription:
      element = "attribute"
      attributes += fields(of: attribute)
    case let relationship as NSRelationshipDescription:
      element = "relationship"
      attributes += fields(of: relationship)
    case is NSFetchedPropertyDescription: element = "fetchedProperty"
    default: return
    }
    attributes.append(("versionHashModifier", property.versionHashModifier))
    attributes.append(("elementID", property.storedRenamingIdentifier))
    attributes.append(("spotlightIndexingEnabled", yes(property.isIndexedBySpotlight)))
    attributes.append(("storedInTruthFile", yes(property.isStoredInExternalRecord)))
    writer.open(element, attributes)
    if let template = (property as? NSFetchedPropertyDescription)?.template { write(template, to: &writer) }
    write(property.userInfo, to: &writer)
    writer.close()
  }

  private static func fields(of attribute: NSAttributeDescription) -> [(String, String?)] {
    var fields: [(String, String?)] = [("attributeType", attribute.attributeType.fileName)]
    fields.append(("composite", (attribute as? NSCompositeAttributeDescription)?.compositeName))
    if let value = attribute.defaultValue,
      let written = AttributeText.attribute(for: value, of: attribute.attributeType)
    {
      fields.append((written.name, written.text))
    }
    let limits: AttributeLimits = attribute.limits
    fields.append(("minValueString", limits.minNumber.map { "\($0)" } ?? limits.minLength.map { "\($0)" }))
    fields.append(("maxValueString", limits.maxNumber.map { "\($0)" } ?? limits.maxLength.map { "\($0)" }))
    fields.append(("minDateTimeInterval", limits.minDate.map { AttributeText.number($0) }))
    fields.append(("maxDateTimeInterval", limits.maxDate.map { AttributeText.number($0) }))
    fields.append(("regularExpressionString", limits.pattern))
    if let derived = attribute as? NSDerivedAttributeDescription {
      fields.append(("derived", "YES"))
      fields.append(("derivationExpression", derived.derivationText))
    }
    fields.append(("usesScalarValueType", attribute.usesScalarValueType ? "YES" : "NO"))
    fields.append(("valueTransformerName", attribute.valueTransformerName))
    fields.append(("customClassName", attribute.storedValueClassName))
    fields.append(("allowsExternalBinaryDataStorage", yes(attribute.allowsExternalBinaryDataStorage)))
    fields.append(("preserveAfterDeletion", yes(attribute.preservesValueInHistoryOnDeletion)))
    fields.append(("allowsCloudEncryption", yes(attribute.allowsCloudEncryption)))
    return fields
  }

  private static func fields(of relationship: NSRelationshipDescription) -> [(String, String?)] {
    let inverse: NSRelationshipDescription? = relationship.inverseRelationship
    let inverseEntity: String? = relationship.inverseEntityName ?? inverse?.owner?.name
    return [
      ("toMany", yes(relationship.isToMany)),
      ("minCount", relationship.minCount == 0 ? nil : "\(relationship.minCount)"),
      ("maxCount", relationship.maxCount == 0 ? nil : "\(relationship.maxCount)"),
      ("deletionRule", relationship.deleteRule.fileName), ("ordered", yes(relationship.isOrdered)),
      ("destinationEntity", relationship.destinationEntity?.name ?? relationship.destinationName),
      ("inverseName", inverse?.name ?? relationship.inverseName),
      ("inverseEntity", inverse == nil ? nil : inverseEntity),
    ]
  }

  static func write(_ template: FetchRequestTemplate, to writer: inout XMLText) {
    func option(_ name: String, _ value: Bool, _ standard: Bool) -> (String, String?) {
      (name, value == standard ? nil : value ? "YES" : "NO")
    }
    func number(_ name: String, _ value: Int) -> (String, String?) { (name, value == 0 ? nil : "\(value)") }
    writer.empty(
      "fetchRequest",
      [
        ("name", template.name), ("entity", template.entityName), ("predicateString", template.predicateFormat),
        number("resultType", Int(template.resultType)), number("fetchLimit", template.fetchLimit),
        number("fetchBatchSize", template.fetchBatchSize),
        option("includeSubentities", template.includesSubentities, true),
        option("includePropertyValues", template.includesPropertyValues, true),
        option("includesPendingChanges", template.includesPendingChanges, true),
        option("returnObjectsAsFaults", template.returnsObjectsAsFaults, true),
        option("returnDistinctResults", template.returnsDistinctResults, false),
      ])
  }
}
