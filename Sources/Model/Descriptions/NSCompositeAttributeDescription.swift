internal import Foundation

/// An attribute made of named parts.
open class NSCompositeAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  // unchecked: see NSPropertyDescription.

  /// The parts: attributes, composite ones among them.
  public var elements: [NSAttributeDescription] = [] { willSet { willChange("elements") } }

  /// Whether one of the descriptions is one of its elements, or of theirs.
  package func holds(anyOf descriptions: Set<NSPropertyDescription>) -> Bool {
    elements.contains { element in
      descriptions.contains(element)
        || (element as? NSCompositeAttributeDescription)?.holds(anyOf: descriptions) == true
    }
  }

  /// Name of the composite in the model file, kept for writing it again.
  package var compositeName: String?

  public override init() {
    super.init()
    attributeType = .compositeAttributeType
  }

  package override func makeEmpty() -> NSPropertyDescription { NSCompositeAttributeDescription() }

  package override func copyContents(to copy: NSPropertyDescription) {
    super.copyContents(to: copy)
    guard let copy = copy as? NSCompositeAttributeDescription else { return }
    copy.elements = elements.compactMap { $0.copy() as? NSAttributeDescription }
    copy.compositeName = compositeName
  }
}
