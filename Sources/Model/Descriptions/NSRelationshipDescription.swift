internal import Foundation

/// A relationship of an entity: to one object of another entity, or to many.
open class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
  // unchecked: see NSPropertyDescription.

  // Both ends are held weakly: the entities belong to the model, and relationships run in circles.
  private weak var destination: NSEntityDescription?
  private weak var inverse: NSRelationshipDescription?

  /// Where it leads. Held weakly: the model holds its entities.
  public var destinationEntity: NSEntityDescription? {
    get { destination }
    set {
      willChange("destinationEntity")
      destination = newValue
      destinationName = newValue?.name
    }
  }

  /// The relationship of the destination that leads back. Setting one side does not set the other.
  public var inverseRelationship: NSRelationshipDescription? {
    get { inverse }
    set {
      willChange("inverseRelationship")
      inverse = newValue
      inverseName = newValue?.name
    }
  }

  /// Least number of members; checked unless the relationship is optional and empty.
  public var minCount: Int = 0 { willSet { willChange("minCount") } }
  /// Greatest number of members: 1 makes a to-one relationship, 0 sets no bound.
  public var maxCount: Int = 0 { willSet { willChange("maxCount") } }
  /// Whether a to-many relationship keeps its members in order.
  public var isOrdered: Bool = false { willSet { willChange("isOrdered") } }
  /// What deleting an object does to those it leads to.
  public var deleteRule: NSDeleteRule = .nullifyDeleteRule { willSet { willChange("deleteRule") } }

  /// Whether it may lead to more than one object.
  public var isToMany: Bool { maxCount != 1 }

  /// Names of the two ends, for copying: the copy finds the entities of its own model by them.
  package var destinationName: String?
  package var inverseName: String?
  /// The entity that a model file says declares the inverse.
  package var inverseEntityName: String?

  /// Finds destination and inverse among entities by the names it carries, which stay where nothing is found.
  func join(_ entities: [String: NSEntityDescription]) {
    if let name = destinationName, let entity = entities[name] { destination = entity }
    guard let name = inverseName, let other = destination?.property(named: name) else { return }
    inverse = other as? NSRelationshipDescription
  }

  package override func makeEmpty() -> NSPropertyDescription { NSRelationshipDescription() }

  package override func copyContents(to copy: NSPropertyDescription) {
    super.copyContents(to: copy)
    guard let copy = copy as? NSRelationshipDescription else { return }
    copy.minCount = minCount
    copy.maxCount = maxCount
    copy.isOrdered = isOrdered
    copy.deleteRule = deleteRule
    copy.destination = destination
    copy.inverse = inverse
    copy.destinationName = destination?.name ?? destinationName
    copy.inverseName = inverse?.name ?? inverseName
    copy.inverseEntityName = inverseEntityName
  }
}
