internal import Foundation

/// A column of a dictionary fetch that is computed.
open class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
  // unchecked: see NSPropertyDescription.

  public var expressionResultType: NSAttributeType = .undefinedAttributeType {
    willSet { willChange("expressionResultType") }
  }

  /// The result's type by its newer name.
  public var resultType: NSAttributeDescription.AttributeType {
    get { NSAttributeDescription.AttributeType(rawValue: expressionResultType.rawValue) }
    set { expressionResultType = NSAttributeType(rawValue: newValue.rawValue) ?? .undefinedAttributeType }
  }

  /// The expression as a model file writes it.
  package var expressionText: String? { willSet { willChange("expression") } }

  package override func makeEmpty() -> NSPropertyDescription { NSExpressionDescription() }

  package override func copyContents(to copy: NSPropertyDescription) {
    super.copyContents(to: copy)
    guard let copy = copy as? NSExpressionDescription else { return }
    copy.expressionResultType = expressionResultType
    copy.expressionText = expressionText
  }
}
