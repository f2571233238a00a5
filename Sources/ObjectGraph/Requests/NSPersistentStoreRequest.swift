public import Foundation

/// What a context or coordinator is asked to do with stores: the common base of fetch, batch and history requests.
///
/// A request belongs to whoever made it: it is not to be changed while it is executed.
open class NSPersistentStoreRequest: NSObject, NSCopying {
  /// The stores to ask, or `nil` for all of the coordinator's.
  open var affectedStores: [NSPersistentStore]?

  /// Which kind of request this is. Subclasses say; the base class is a kind that nothing executes.
  open var requestType: NSPersistentStoreRequestType { NSPersistentStoreRequestType.unknownRequestType }

  public override init() { super.init() }

  /// A request of the same kind and with the same settings. Subclasses add theirs.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = type(of: self).blank()
    copyOptions(to: copy)
    return copy
  }

  // `init()` can't be `required` without asking it of every ported subclass; a class factory serves `copy`.
  package class func blank() -> NSPersistentStoreRequest { NSPersistentStoreRequest() }

  package func copyOptions(to copy: NSPersistentStoreRequest) { copy.affectedStores = affectedStores }
}
