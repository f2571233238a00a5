public import Foundation
internal import Predicates
internal import Schema

/// An index that a store should keep for an entity. It changes how fast a fetch is, never what it finds.
open class NSFetchIndexDescription: NSObject, NSCopying, @unchecked Sendable {
  // unchecked: see NSPropertyDescription.

  /// Unique within the entity.
  public var name: String { willSet { willChange("name") } }
  /// What it is sorted by, in order.
  public var elements: [NSFetchIndexElementDescription] {
    willSet { willChange("elements") }
    didSet { adoptElements() }
  }
  /// Which objects it covers; all when `nil`. Kept, but not used: an index covers every object, which changes no result.
  /// Checking a model warns of it.
  public var partialIndexPredicate: NSPredicate? {
    get { storedPredicate ?? partialPredicateText.flatMap { try? NSPredicate(parsing: $0) } }
    set {
      willChange("partialIndexPredicate")
      storedPredicate = newValue
      partialPredicateText = newValue?.description
    }
  }
  /// The entity that has it.
  public internal(set) weak var entity: NSEntityDescription?

  /// The predicate as a model file writes it.
  package var partialPredicateText: String?
  private var storedPredicate: NSPredicate?
  package var origin = ModelOrigin()
  package var isFrozen = false

  /// - Parameters:
  ///   - name: unique within the entity.
  ///   - elements: what it is sorted by, in order.
  public init(name: String, elements: [NSFetchIndexElementDescription]?) {
    self.name = name
    self.elements = elements ?? []
    super.init()
    adoptElements()
  }

  /// A copy that belongs to no entity; its elements name their properties until it is given one.
  public func copy(with zone: NSZone? = nil) -> Any {
    let copies: [NSFetchIndexElementDescription] = elements.compactMap {
      $0.copy() as? NSFetchIndexElementDescription
    }
    let copy = NSFetchIndexDescription(name: name, elements: copies)
    copy.storedPredicate = storedPredicate
    copy.partialPredicateText = partialPredicateText
    copy.origin = origin
    return copy
  }

  private func adoptElements() {
    for element in elements { element.indexDescription = self }
  }

  package func willChange(_ what: String) {
    guard isFrozen else { return }
    ProgrammerError.stop(
      "'\(what)' of the index \(entity?.name ?? "").\(name) can't be set: its model is in use and can no longer change."
    )
  }
}
