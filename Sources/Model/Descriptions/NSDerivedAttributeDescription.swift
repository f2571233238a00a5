internal import Foundation

/// An attribute that the store computes when it writes the object.
open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  // unchecked: see NSPropertyDescription.

  /// The expression as a model file writes it.
  package var derivationText: String? { willSet { willChange("derivationExpression") } }

  package override func makeEmpty() -> NSPropertyDescription { NSDerivedAttributeDescription() }

  package override func copyContents(to copy: NSPropertyDescription) {
    super.copyContents(to: copy)
    guard let copy = copy as? NSDerivedAttributeDescription else { return }
    copy.derivationText = derivationText
  }
}
