internal import Foundation
public import Predicates

/// A column of a dictionary fetch that is computed.
open class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
  // unchecked: see NSPropertyDescription.

  /// The result's type.
  public var expressionResultType: NSAttributeType = .undefinedAttributeType {
    willSet { willChange("expressionResultType") }
  }

  /// The result's type by its newer name.
  public var resultType: NSAttributeDescription.AttributeType {
    get { NSAttributeDescription.AttributeType(rawValue: expressionResultType.rawValue) }
    set { expressionResultType = NSAttributeType(rawValue: newValue.rawValue) ?? .undefinedAttributeType }
  }

  /// What is computed for each row or group of rows.
  public var expression: Predicates.NSExpression? {
    get { storedExpression ?? expressionText.flatMap { ExpressionText.expression($0) } }
    set {
      willChange("expression")
      storedExpression = newValue
      expressionText = newValue.map { ExpressionText.text(of: $0) }
    }
  }

  /// The expression as a model file writes it.
  package var expressionText: String?
  private var storedExpression: Predicates.NSExpression?

  package override func makeEmpty() -> NSPropertyDescription { NSExpressionDescription() }

  package override func copyContents(to copy: NSPropertyDescription) {
    super.copyContents(to: copy)
    guard let copy = copy as? NSExpressionDescription else { return }
    copy.expressionResultType = expressionResultType
    copy.expressionText = expressionText
    copy.storedExpression = storedExpression
  }
}
