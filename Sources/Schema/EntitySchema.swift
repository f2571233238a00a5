public import Foundation

/// An entity, frozen. Properties are listed inherited ones first, in the order of the super-entity, so that an index
/// found for a super-entity holds for every sub-entity.
public struct EntitySchema: Sendable {
  public let name: String
  /// Position in `Schema.entities`.
  public let index: Int
  public let superentity: Int?
  public let isAbstract: Bool
  public let properties: [PropertySchema]
  /// How many of `properties` are inherited.
  public let inheritedCount: Int
  /// Uniqueness constraints, own and inherited: indexes of properties.
  public let constraints: [[Int]]
  /// Own and inherited, those of the topmost ancestor first.
  public let fetchIndexes: [FetchIndexSchema]
  public let renamingIdentifier: String?
  /// The model's version hash of the entity; `nil` where nobody computed one, or for an entity that a store does not hold.
  public var versionHash: Data?
  public let layout: RowLayout
  public let propertyIndexByName: [String: Int]

  public init(
    name: String, index: Int, superentity: Int?, isAbstract: Bool, properties: [PropertySchema], inheritedCount: Int,
    constraints: [[Int]] = [], fetchIndexes: [FetchIndexSchema] = [], renamingIdentifier: String? = nil,
    versionHash: Data? = nil
  ) {
    self.name = name
    self.index = index
    self.superentity = superentity
    self.isAbstract = isAbstract
    self.properties = properties
    self.inheritedCount = inheritedCount
    self.constraints = constraints
    self.fetchIndexes = fetchIndexes
    self.renamingIdentifier = renamingIdentifier
    self.versionHash = versionHash
    layout = RowLayout(properties: properties)
    var byName: [String: Int] = [:]
    for (index, property) in properties.enumerated() { byName[property.name] = index }
    propertyIndexByName = byName
  }
}

public struct FetchIndexSchema: Sendable, Hashable {
  public struct Element: Sendable, Hashable {
    public let property: Int
    public let isAscending: Bool
    public init(property: Int, isAscending: Bool) {
      self.property = property
      self.isAscending = isAscending
    }
  }
  public let name: String
  public let elements: [Element]

  public init(name: String, elements: [Element]) {
    self.name = name
    self.elements = elements
  }
}
