internal import Foundation
public import Predicates

/// An attribute that the store computes when it writes the object.
open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  // unchecked: see NSPropertyDescription.

  /// What the value is computed from: an attribute, `toOne.attribute`, `lowercase:(…)`, `uppercase:(…)` or
  /// `canonical:(…)` of one, `toMany.@count`, `toMany.@sum.attribute` (also `@min` and `@max`), or `now()`.
  public var derivationExpression: Predicates.NSExpression? {
    get { storedExpression ?? derivationText.flatMap { ExpressionText.expression($0) } }
    set {
      willChange("derivationExpression")
      storedExpression = newValue
      derivationText = newValue.map { ExpressionText.text(of: $0) }
    }
  }

  /// The expression as a model file writes it.
  package var derivationText: String?
  private var storedExpression: Predicates.NSExpression?

  package override func makeEmpty() -> NSPropertyDescription { NSDerivedAttributeDescription() }

  package override func copyContents(to copy: NSPropertyDescription) {
    super.copyContents(to: copy)
    guard let copy = copy as? NSDerivedAttributeDescription else { return }
    copy.derivationText = derivationText
    copy.storedExpression = storedExpression
  }
}
