/// The elements and attributes that model files have. Anything else is reported and passed over.
enum ModelVocabulary {
  struct Element {
    let attributes: Set<String>
    let children: Set<String>
  }

  static let elements: [String: Element] = [
    "model": Element(
      attributes: [
        "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion", "sourceLanguage",
        "userDefinedModelVersionIdentifier", "macOSVersion", "iOSVersion", "name", "usedWithCloudKit",
        "usedWithSwiftData",
      ], children: ["entity", "composite", "configuration", "fetchRequest", "elements"]),
    "entity": Element(
      attributes: [
        "name", "syncable", "representedClassName", "parentEntity", "isAbstract", "codeGenerationType", "elementID",
        "versionHashModifier", "renamingIdentifier", "coreSpotlightDisplayNameExpression",
      ],
      children: [
        "attribute", "relationship", "fetchedProperty", "userInfo", "fetchIndex", "compoundIndexes",
        "uniquenessConstraints",
      ]),
    "attribute": Element(attributes: attributeAttributes, children: ["userInfo"]),
    "relationship": Element(
      attributes: [
        "name", "deletionRule", "destinationEntity", "optional", "inverseName", "inverseEntity", "toMany", "maxCount",
        "minCount", "syncable", "ordered", "transient", "elementID", "indexed", "versionHashModifier",
        "renamingIdentifier", "spotlightIndexingEnabled", "storedInTruthFile",
      ], children: ["userInfo"]),
    "fetchedProperty": Element(
      attributes: ["name", "optional", "syncable", "transient", "versionHashModifier", "elementID"],
      children: ["fetchRequest", "userInfo"]),
    "fetchRequest": Element(
      attributes: [
        "name", "entity", "predicateString", "resultType", "includeSubentities", "includePropertyValues",
        "includesPendingChanges", "returnObjectsAsFaults", "returnDistinctResults", "fetchLimit", "fetchBatchSize",
      ], children: []),
    "fetchIndex": Element(
      attributes: ["name", "partialIndexPredicate"], children: ["fetchIndexElement"]),
    "fetchIndexElement": Element(
      attributes: ["property", "type", "order", "expression", "expressionType"], children: []),
    "compoundIndexes": Element(attributes: [], children: ["compoundIndex"]),
    "compoundIndex": Element(attributes: [], children: ["index"]),
    "index": Element(attributes: ["value"], children: []),
    "uniquenessConstraints": Element(attributes: [], children: ["uniquenessConstraint"]),
    "uniquenessConstraint": Element(attributes: [], children: ["constraint"]),
    "constraint": Element(attributes: ["value"], children: []),
    "userInfo": Element(attributes: [], children: ["entry"]),
    "entry": Element(attributes: ["key", "value"], children: []),
    "configuration": Element(attributes: ["name", "usedWithCloudKit"], children: ["memberEntity"]),
    "memberEntity": Element(attributes: ["name"], children: []),
    "composite": Element(attributes: ["name"], children: ["attribute"]),
    "elements": Element(attributes: [], children: ["element"]),
    "element": Element(attributes: ["name", "positionX", "positionY", "width", "height"], children: []),
  ]

  private static let attributeAttributes: Set<String> = [
    "name", "attributeType", "optional", "defaultValueString", "usesScalarValueType", "syncable",
    "valueTransformerName", "transient", "indexed", "customClassName", "allowsExternalBinaryDataStorage",
    "versionHashModifier", "elementID", "minValueString", "maxValueString", "defaultDateTimeInterval", "derived",
    "derivationExpression", "spotlightIndexingEnabled", "composite", "regularExpressionString", "minDateTimeInterval",
    "maxDateTimeInterval", "preserveAfterDeletion", "storedInTruthFile", "renamingIdentifier",
    "allowsCloudEncryption",
  ]
}
