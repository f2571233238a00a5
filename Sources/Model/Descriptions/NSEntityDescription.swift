public import Foundation
public import Predicates
internal import Schema

/// An entity of a model: the name, class and properties of one kind of object.
///
/// Mutable until its model is first used; after that any change stops the program. Use it from one thread until then,
/// from any thread afterwards.
open class NSEntityDescription: NSObject, NSCopying, @unchecked Sendable {
  // unchecked: see NSPropertyDescription.

  /// Unique within the model.
  public var name: String? { willSet { willChange("name") } }
  /// Whether only its sub-entities have objects.
  public var isAbstract: Bool = false { willSet { willChange("isAbstract") } }
  /// Whatever the program wants to keep with it. Not part of the version hash.
  public var userInfo: [AnyHashable: Any]? { willSet { willChange("userInfo") } }
  /// Changes the version hash where nothing else in the model shows that the meaning has changed.
  public var versionHashModifier: String? { willSet { willChange("versionHashModifier") } }
  /// Groups of property names, or of attribute descriptions, that are unique together. Inherited ones are not listed.
  public var uniquenessConstraints: [[Any]] = [] { willSet { willChange("uniquenessConstraints") } }
  /// Kept from old models; use `indexes`.
  public var compoundIndexes: [[Any]] = [] { willSet { willChange("compoundIndexes") } }

  /// Name of the objects' class, with its module: "App.Article".
  public var managedObjectClassName: String! {
    get { storedClassName ?? "NSManagedObject" }
    set {
      willChange("managedObjectClassName")
      storedClassName = newValue
    }
  }

  /// The name in the model version this one was renamed from; the entity's name unless it was set.
  public var renamingIdentifier: String? {
    get { storedRenamingIdentifier ?? name }
    set {
      willChange("renamingIdentifier")
      storedRenamingIdentifier = newValue
    }
  }

  /// Entities that inherit from it directly. Setting them makes this their super-entity.
  public var subentities: [NSEntityDescription] = [] {
    willSet {
      willChange("subentities")
      for subentity in subentities where subentity.superentity === self { subentity.superentity = nil }
    }
    didSet { for subentity in subentities { subentity.superentity = self } }
  }
  /// The entity it inherits from.
  public internal(set) weak var superentity: NSEntityDescription?

  /// Indexes that a store should keep. Inherited ones are not listed.
  public var indexes: [NSFetchIndexDescription] = [] {
    willSet {
      willChange("indexes")
      for index in indexes where index.entity === self { index.entity = nil }
    }
    didSet { joinIndexes() }
  }

  /// The model it belongs to. Stops the program when it belongs to none, or the model is gone.
  public var managedObjectModel: NSManagedObjectModel {
    guard let model else {
      ProgrammerError.stop("The entity '\(name ?? "")' belongs to no model: put it in a model's entities, and keep it.")
    }
    return model
  }

  package internal(set) weak var model: NSManagedObjectModel?
  package var storedClassName: String?
  package var storedRenamingIdentifier: String?
  /// Kept for models that have it; nothing here uses it.
  public var coreSpotlightDisplayNameExpression: Predicates.NSExpression? {
    get { storedSpotlightName ?? spotlightNameText.flatMap { ExpressionText.expression($0) } }
    set {
      willChange("coreSpotlightDisplayNameExpression")
      storedSpotlightName = newValue
      spotlightNameText = newValue.map { ExpressionText.text(of: $0) }
    }
  }

  /// The display name's expression as a model file writes it.
  package var spotlightNameText: String?
  private var storedSpotlightName: Predicates.NSExpression?
  package var codeGeneration: CodeGeneration = .manual
  package var origin = ModelOrigin()
  package var isFrozen = false
  /// Properties that the entity itself declares, as given.
  package internal(set) var ownProperties: [NSPropertyDescription] = [] { didSet { forgetNames() } }
  /// Made when first asked for, so that looking up many names in a large entity stays linear.
  private var ownByName: [String: NSPropertyDescription]?
  var frozen = FrozenEntity()

  public override init() { super.init() }

  /// A copy with copies of its own properties; it belongs to no model and its relationships lead where they led.
  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSEntityDescription()
    copyContents(to: copy)
    return copy
  }

  func copyContents(to copy: NSEntityDescription) {
    copy.name = name
    copy.isAbstract = isAbstract
    copy.userInfo = userInfo
    copy.versionHashModifier = versionHashModifier
    copy.uniquenessConstraints = uniquenessConstraints.map { $0.map(Self.propertyName(inConstraint:)) }
    copy.compoundIndexes = compoundIndexes.map { $0.map(Self.propertyName(inConstraint:)) }
    copy.storedClassName = storedClassName
    copy.storedRenamingIdentifier = storedRenamingIdentifier
    copy.spotlightNameText = spotlightNameText
    copy.storedSpotlightName = storedSpotlightName
    copy.codeGeneration = codeGeneration
    copy.origin = origin
    copy.properties = ownProperties.compactMap { $0.copy() as? NSPropertyDescription }
    copy.indexes = indexes.compactMap { $0.copy() as? NSFetchIndexDescription }
  }

  /// A constraint names attributes by name or by description; copies and stores use names.
  static func propertyName(inConstraint element: Any) -> Any {
    (element as? NSPropertyDescription)?.name ?? element
  }

  /// Makes its indexes belong to it, and their elements point at its properties.
  func joinIndexes() {
    for index in indexes {
      index.entity = self
      for element in index.elements where element.property == nil {
        if let name = element.propertyName, let property = property(named: name) { element.attach(property) }
      }
    }
  }

  func ownProperty(named name: String) -> NSPropertyDescription? {
    if let ownByName { return ownByName[name] }
    var byName: [String: NSPropertyDescription] = [:]
    for property in ownProperties where byName[property.name] == nil { byName[property.name] = property }
    if !isFrozen { ownByName = byName }
    return byName[name]
  }

  func forgetNames() { ownByName = nil }

  /// Stops the program if the model is frozen.
  package func willChange(_ what: String) {
    guard isFrozen else { return }
    ProgrammerError.stop(
      "'\(what)' of the entity '\(name ?? "")' can't be set: its model is in use and can no longer change. "
        + "Change a copy of the model, or make the change before a coordinator or context first uses it.")
  }

  /// Entities are equal that have the same name, class and version hash: those of two copies of a model are.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSEntityDescription else { return false }
    if self === other { return true }
    return name == other.name && managedObjectClassName == other.managedObjectClassName
      && versionHash == other.versionHash
  }

  open override var hash: Int { name?.hashValue ?? 0 }

  open override var description: String { "NSEntityDescription \(name ?? "")" }
}

/// What a build makes of an entity: Xcode's Codegen menu.
package enum CodeGeneration: String, Sendable {
  /// The class and its properties.
  case classDefinition = "class"
  /// The properties, in an extension.
  case category
  /// Nothing.
  case manual = "none"
}

/// What freezing works out once for an entity.
struct FrozenEntity {
  var schemaIndex: Int?
  var properties: [NSPropertyDescription] = []
  /// In the order of the schema: the elements of composite attributes, too.
  var schemaProperties: [NSPropertyDescription] = []
  var propertiesByName: [String: NSPropertyDescription] = [:]
  var attributesByName: [String: NSAttributeDescription] = [:]
  var relationshipsByName: [String: NSRelationshipDescription] = [:]
  var versionHash: Data?
}
