internal import Foundation

/// A property whose value is what a fetch request finds.
///
/// `fetchRequest` itself is declared where fetch requests are; here it is a template.
open class NSFetchedPropertyDescription: NSPropertyDescription, @unchecked Sendable {
  // unchecked: see NSPropertyDescription.

  /// The request as a model file gives it.
  package var template: FetchRequestTemplate? { willSet { willChange("fetchRequest") } }
  /// The object graph's fetch request, made from the template or set by the program.
  package var requestObject: AnyObject? { willSet { willChange("fetchRequest") } }

  package override func makeEmpty() -> NSPropertyDescription { NSFetchedPropertyDescription() }

  package override func copyContents(to copy: NSPropertyDescription) {
    super.copyContents(to: copy)
    guard let copy = copy as? NSFetchedPropertyDescription else { return }
    copy.template = template
    copy.requestObject = (requestObject as? NSObject)?.copy() as AnyObject?
  }
}
