public import Foundation
internal import Schema

/// How an index sorts a column. The raw values are Core Data's.
public enum NSFetchIndexElementType: UInt, Sendable {
  /// In the order of the values.
  case binary = 0
  /// In space; kept as an ordinary index.
  case rTree = 1
}

/// One column of an index.
open class NSFetchIndexElementDescription: NSObject, NSCopying, @unchecked Sendable {
  // unchecked: see NSPropertyDescription.

  /// The property it sorts by. Held weakly when it belongs to an entity. With an `NSExpressionDescription` the index is
  /// not built, which changes no result; checking a model warns of it. Index a derived attribute instead.
  public var property: NSPropertyDescription? { ownedProperty ?? entityProperty }
  /// The name of what it sorts by.
  public var propertyName: String? { property?.name ?? storedPropertyName }
  /// How it sorts. An R-tree is kept as an ordinary index.
  public var collationType: NSFetchIndexElementType { willSet { willChange("collationType") } }
  /// Whether smaller values come first.
  public var isAscending: Bool = true { willSet { willChange("isAscending") } }
  /// The index that has it.
  public internal(set) weak var indexDescription: NSFetchIndexDescription?

  private weak var entityProperty: NSPropertyDescription?
  private var ownedProperty: NSPropertyDescription?
  private var storedPropertyName: String?

  /// - Parameters:
  ///   - property: a property of the entity that the index will belong to.
  ///   - collationType: how it sorts.
  public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
    self.collationType = collationType
    super.init()
    attach(property)
  }

  package init(propertyName: String, collationType: NSFetchIndexElementType) {
    self.collationType = collationType
    storedPropertyName = propertyName
    super.init()
  }

  /// A copy that belongs to no index and names its property.
  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSFetchIndexElementDescription(propertyName: propertyName ?? "", collationType: collationType)
    copy.isAscending = isAscending
    if let owned = ownedProperty?.copy() as? NSPropertyDescription { copy.attach(owned) }
    return copy
  }

  /// Points it at a property: an entity's is held weakly, an expression belongs to the element.
  package func attach(_ property: NSPropertyDescription) {
    storedPropertyName = property.name
    if property is NSExpressionDescription {
      ownedProperty = property
    } else {
      entityProperty = property
    }
  }

  private func willChange(_ what: String) {
    guard let index = indexDescription, index.isFrozen else { return }
    index.willChange("\(what) of \(propertyName ?? "")")
  }
}
