/// Names that properties can't have, since every managed object answers to them already.
enum ReservedNames {
  static let properties: Set<String> = [
    "autorelease", "changedValues", "class", "committedValues", "copy", "debugDescription", "description", "entity",
    "faultingState", "hasChanges", "hasPersistentChangedValues", "hash", "init", "isDeleted", "isFault", "isInserted",
    "isProxy", "isUpdated", "managedObjectContext", "mutableCopy", "objectID", "objectWillChange", "observationInfo",
    "release", "retain", "retainCount", "self", "superclass", "zone",
  ]

  /// Whether a name can be an identifier: letters of any script, digits and underscores, no digit first.
  static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, !isDigit(first) else { return false }
    return name.unicodeScalars.allSatisfy { scalar in
      scalar == "_" || scalar.properties.isXIDContinue
    }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.numericType == .decimal }
}
