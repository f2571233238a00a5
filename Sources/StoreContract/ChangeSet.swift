public import Schema

/// Everything one save wants to change in one store.
public struct ChangeSet: Sendable {
  public var author: String?
  public var contextName: String?
  /// When the save happened, seconds since 2001-01-01 UTC: kept for people, never trusted for order.
  public var timestamp: Double
  public var changes: [ObjectChange]
  /// The rows that inserts and updates refer to, encoded with the layouts of the store's schema.
  public var rows: RowBuffer
  /// Objects that must still be at their version, though they are not written.
  public var lockedObjects: [(key: ObjectKey, version: UInt64)]
  /// Names to set (or, with nil, remove) in the store's metadata.
  public var metadata: [String: String?]

  public init(
    author: String? = nil, contextName: String? = nil, timestamp: Double, changes: [ObjectChange] = [],
    rows: RowBuffer = RowBuffer(), lockedObjects: [(key: ObjectKey, version: UInt64)] = [],
    metadata: [String: String?] = [:]
  ) {
    self.author = author
    self.contextName = contextName
    self.timestamp = timestamp
    self.changes = changes
    self.rows = rows
    self.lockedObjects = lockedObjects
    self.metadata = metadata
  }
}

public enum ChangeOperation: UInt8, Sendable, Hashable {
  case insert = 1
  case update, delete
}

/// One object's part in a change set.
public struct ObjectChange: Sendable {
  public let key: ObjectKey
  public let operation: ChangeOperation
  /// The version the change was made on; 0 for an insert.
  public let expectedVersion: UInt64
  /// For an update: properties whose values differ, to-many relationships included.
  public let changedProperties: PropertySet
  /// Where its row starts in `ChangeSet.rows`; `nil` for a delete, and for an update of to-many relationships only,
  /// which leaves the row and its version alone and so conflicts with nobody.
  public let rowOffset: Int?
  /// Differences of to-many relationships that the store keeps on this side: see `RelationshipStorage`.
  public let links: [LinkChange]

  public init(
    key: ObjectKey, operation: ChangeOperation, expectedVersion: UInt64, changedProperties: PropertySet = PropertySet(),
    rowOffset: Int? = nil, links: [LinkChange] = []
  ) {
    self.key = key
    self.operation = operation
    self.expectedVersion = expectedVersion
    self.changedProperties = changedProperties
    self.rowOffset = rowOffset
    self.links = links
  }
}

/// Members that a to-many relationship gained and lost. Never the whole set, so that two contexts can add different
/// members and both be right.
public struct LinkChange: Sendable {
  public struct Member: Sendable, Hashable {
    public let key: ObjectKey
    /// For an ordered relationship: members sort by it, then by key. 0 otherwise.
    public let position: Double
    public init(key: ObjectKey, position: Double = 0) {
      self.key = key
      self.position = position
    }
  }
  /// Index of the relationship in the object's entity.
  public let relationship: Int
  /// Members to add; one that is there already takes the new position.
  public let added: [Member]
  public let removed: [ObjectKey]

  public init(relationship: Int, added: [Member], removed: [ObjectKey]) {
    self.relationship = relationship
    self.added = added
    self.removed = removed
  }
}

/// Which side of a relationship the store keeps, and how the other side is read. One rule, used by the graph when it
/// lists changes and by stores when they apply them.
public enum RelationshipStorage: Sendable, Hashable {
  /// A to-one: in the row.
  case row
  /// A to-many whose inverse is to-one and which has no order of its own: read from an index over the inverse's rows.
  case inverseOfRow
  /// A to-many that keeps its members as links: `LinkChange`s name it.
  case links
  /// A to-many whose members are the mirror of the inverse's links.
  case inverseOfLinks

  /// - Parameters:
  ///   - entity, property: schema indexes of the relationship.
  public init(schema: Schema, entity: Int, property: Int) {
    guard let relationship = schema.entities[entity].properties[property].relationship, relationship.isToMany else {
      self = .row
      return
    }
    guard let inverseIndex = relationship.inverse,
      let inverse = schema.entities[relationship.destination].properties[inverseIndex].relationship
    else {
      self = .links
      return
    }
    if !inverse.isToMany {
      self = relationship.isOrdered ? .links : .inverseOfRow
    } else if relationship.isOrdered != inverse.isOrdered {
      self = relationship.isOrdered ? .links : .inverseOfLinks
    } else if relationship.isOrdered {
      // Both ends have an order of their own: each keeps its own links.
      self = .links
    } else {
      // The side whose declaring entity and name come first keeps the links; a reflexive one that is its own
      // inverse keeps them on both ends.
      let here = (schema.declaringEntity(of: property, in: entity), property)
      let there = (schema.declaringEntity(of: inverseIndex, in: relationship.destination), inverseIndex)
      self = here <= there ? .links : .inverseOfLinks
    }
  }
}

extension Schema {
  /// The entity that declares a property which `entity` has or inherits.
  public func declaringEntity(of property: Int, in entity: Int) -> Int {
    var current = entity
    while property < entities[current].inheritedCount, let above = entities[current].superentity { current = above }
    return current
  }
}
