/// A property of an entity, frozen: what the store and the evaluator need to know of it.
public struct PropertySchema: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case attribute(AttributeSchema)
    case relationship(RelationshipSchema)
    /// A fetched property, or a composite attribute, whose elements follow it as attributes named `composite.element`:
    /// known by name, never stored.
    case fetched
  }

  public let name: String
  public let kind: Kind
  public let isOptional: Bool
  /// Transient properties have no slot in a row.
  public let isTransient: Bool
  /// The property's name in the model version this one was renamed from.
  public let renamingIdentifier: String?

  public init(
    name: String, kind: Kind, isOptional: Bool = true, isTransient: Bool = false, renamingIdentifier: String? = nil
  ) {
    self.name = name
    self.kind = kind
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.renamingIdentifier = renamingIdentifier
  }

  // Not inlined: where it is, the optimiser of Swift 6.3.1 can abort over the lifetime of the property.
  @inline(never)
  public var attribute: AttributeSchema? {
    if case .attribute(let attribute) = kind { return attribute }
    return nil
  }

  // Not inlined, for the same reason.
  @inline(never)
  public var relationship: RelationshipSchema? {
    if case .relationship(let relationship) = kind { return relationship }
    return nil
  }

  /// Whether rows hold a value for it: attributes and to-one relationships that are not transient.
  public var isStoredInRow: Bool {
    guard !isTransient else { return false }
    switch kind {
    case .attribute: return true
    case .relationship(let relationship): return !relationship.isToMany
    case .fetched: return false
    }
  }
}

public struct AttributeSchema: Sendable, Hashable {
  public let type: AttributeType
  public let defaultValue: Value
  public let derivation: Derivation?
  public let allowsExternalStorage: Bool
  /// Keep the value in the history of a deletion.
  public let preservesValueOnDeletion: Bool
  public let transformerName: String?

  public init(
    type: AttributeType, defaultValue: Value = .null, derivation: Derivation? = nil,
    allowsExternalStorage: Bool = false, preservesValueOnDeletion: Bool = false, transformerName: String? = nil
  ) {
    self.type = type
    self.defaultValue = defaultValue
    self.derivation = derivation
    self.allowsExternalStorage = allowsExternalStorage
    self.preservesValueOnDeletion = preservesValueOnDeletion
    self.transformerName = transformerName
  }
}

/// How a derived attribute's value is made from other values when its row is written.
///
/// Properties are named by their index in the entity; `to` paths take one to-one step first.
public enum Derivation: Sendable, Hashable {
  public enum Transform: String, Sendable, Hashable { case copy, lowercase, uppercase, canonical }
  public enum Aggregate: String, Sendable, Hashable { case count, sum, min, max }

  /// A property of the row itself, as it is or transformed.
  case own(property: Int, Transform)
  /// A property of the object that a to-one relationship leads to.
  case related(relationship: Int, property: Int, Transform)
  /// Over the members of a to-many relationship; `property` is nil for `count`.
  case aggregate(relationship: Int, Aggregate, property: Int?)
  /// The time at which the row was last written.
  case now
}

public struct RelationshipSchema: Sendable, Hashable {
  public enum DeleteRule: UInt8, Sendable, Hashable {
    case noAction = 0
    case nullify, cascade, deny
  }

  /// Schema index of the destination entity.
  public let destination: Int
  /// Index of the inverse among the destination's properties.
  public let inverse: Int?
  public let isToMany: Bool
  public let isOrdered: Bool
  public let minCount: Int
  /// 0 means unbounded.
  public let maxCount: Int
  public let deleteRule: DeleteRule

  public init(
    destination: Int, inverse: Int?, isToMany: Bool, isOrdered: Bool = false, minCount: Int = 0, maxCount: Int = 0,
    deleteRule: DeleteRule = .nullify
  ) {
    self.destination = destination
    self.inverse = inverse
    self.isToMany = isToMany
    self.isOrdered = isOrdered
    self.minCount = minCount
    self.maxCount = maxCount
    self.deleteRule = deleteRule
  }
}
