public import Foundation
internal import Schema

/// A property of an entity: what attributes, relationships, fetched properties and expressions have in common.
///
/// Mutable until its model is first used; after that any change stops the program. Use it from one thread until then,
/// from any thread afterwards.
open class NSPropertyDescription: NSObject, NSCopying, @unchecked Sendable {
  // unchecked: mutable only while one thread builds the model; frozen, and checked to be, before it is shared.

  /// Unique among the entity's own and inherited properties.
  public var name: String = "" {
    willSet { willChange("name") }
    didSet { owner?.forgetNames() }
  }
  /// Whether an object may be saved without a value.
  public var isOptional: Bool = true { willSet { willChange("isOptional") } }
  /// Whether the value lives in memory only.
  public var isTransient: Bool = false { willSet { willChange("isTransient") } }
  /// Whatever the program wants to keep with it. Not part of the version hash.
  public var userInfo: [AnyHashable: Any]? { willSet { willChange("userInfo") } }
  public private(set) var validationPredicates: [NSPredicate] = []
  /// For each validation predicate, the message or error to report.
  public private(set) var validationWarnings: [Any] = []
  /// Changes the version hash where nothing else in the model shows that the meaning has changed.
  public var versionHashModifier: String? { willSet { willChange("versionHashModifier") } }
  /// The name in the model version this one was renamed from.
  public var renamingIdentifier: String? {
    get { storedRenamingIdentifier ?? (name.isEmpty ? nil : name) }
    set {
      willChange("renamingIdentifier")
      storedRenamingIdentifier = newValue
    }
  }
  /// Kept for models that say so; has no effect.
  public var isIndexedBySpotlight: Bool = false { willSet { willChange("isIndexedBySpotlight") } }
  /// Kept from old models; says nothing any more. Use `NSEntityDescription.indexes`.
  public var isIndexed: Bool = false { willSet { willChange("isIndexed") } }
  /// Kept from old models; has no effect.
  public var isStoredInExternalRecord: Bool = false { willSet { willChange("isStoredInExternalRecord") } }

  /// The entity that declares it. Stops the program when the property has none yet.
  public var entity: NSEntityDescription {
    guard let owner else {
      ProgrammerError.stop("The property '\(name)' belongs to no entity yet: put it in an entity's properties first.")
    }
    return owner
  }

  package weak var owner: NSEntityDescription?
  package var storedRenamingIdentifier: String?
  package var origin = ModelOrigin()
  package var isFrozen = false

  public override init() { super.init() }

  /// Sets what is checked when an object is validated.
  ///
  /// - Parameters:
  ///   - validationPredicates: each is evaluated with the property's value as its object.
  ///   - validationWarnings: as many messages or errors, one for each predicate.
  public func setValidationPredicates(
    _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [String]?
  ) {
    willChange("validationPredicates")
    self.validationPredicates = validationPredicates ?? []
    self.validationWarnings = validationWarnings ?? []
  }

  /// A copy that belongs to no entity and may be changed.
  public func copy(with zone: NSZone? = nil) -> Any {
    let copy: NSPropertyDescription = makeEmpty()
    copyContents(to: copy)
    return copy
  }

  /// A new description of the same class.
  package func makeEmpty() -> NSPropertyDescription { NSPropertyDescription() }

  /// Gives `copy` everything but the owner.
  package func copyContents(to copy: NSPropertyDescription) {
    copy.name = name
    copy.isOptional = isOptional
    copy.isTransient = isTransient
    copy.userInfo = userInfo
    copy.validationPredicates = validationPredicates
    copy.validationWarnings = validationWarnings
    copy.versionHashModifier = versionHashModifier
    copy.storedRenamingIdentifier = storedRenamingIdentifier
    copy.isIndexedBySpotlight = isIndexedBySpotlight
    copy.isIndexed = isIndexed
    copy.isStoredInExternalRecord = isStoredInExternalRecord
    copy.origin = origin
  }

  /// Stops the program if the model is frozen.
  package func willChange(_ what: String) {
    guard isFrozen else { return }
    let place: String = owner?.name.map { "\($0).\(name)" } ?? name
    ProgrammerError.stop(
      "'\(what)' of the property \(place) can't be set: its model is in use and can no longer change. "
        + "Change a copy of the model, or make the change before a coordinator or context first uses it.")
  }

  open override var description: String { "\(type(of: self)) \(owner?.name.map { "\($0)." } ?? "")\(name)" }
}
