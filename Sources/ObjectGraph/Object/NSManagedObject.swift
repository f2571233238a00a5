public import Foundation
public import Model
internal import Schema

/// An object of the graph: an instance of an entity, living in a context.
///
/// An object that was fetched is a *fault*: an identity whose values are read when first asked for. It points at its
/// row in the store then, and decodes a property when that is read; only an object with changes owns values.
///
/// Belongs to its context's queue, and is therefore not `Sendable`: pass `objectID` to other queues.
open class NSManagedObject: NSObject {
  final let info: EntityInfo
  final var registry: ContextRegistry?
  final var key: ObjectKey
  /// The store it is in; `nil` for one that has not been saved.
  final var place: StorePlaceInContext?
  // unsafe: as in `Row`, of which these are the halves; kept apart so that a read costs no retain.
  final private(set) var rowBase: UnsafeRawPointer?
  final private var rowOwner: AnyObject?
  /// What only an object that was changed, or whose to-many relationships were read, has.
  final var state: ObjectState?
  final var flags: ObjectFlags = []
  final var cachedID: NSManagedObjectID?

  /// Makes an object of an entity.
  ///
  /// - Parameters:
  ///   - entity: of a model that is in use. An abstract entity stops the program.
  ///   - context: where to insert the object; `nil` for one that `insert(_:)` may be given later.
  public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    if let context, let arrival = context.arrival {
      // The context makes an object for something that a store holds.
      context.arrival = nil
      info = arrival.info
      key = arrival.key
      place = arrival.place
      registry = context.registry
      super.init()
      return
    }
    let info: EntityInfo = context?.entityInfo(of: entity) ?? ModelInfo.entity(of: entity)
    guard !info.entity.isAbstract else {
      ProgrammerError.stop("'\(info.entity.name)' is abstract and has no objects: use one of its sub-entities.")
    }
    self.info = info
    key = ObjectKey(entityNumber: info.index, ordinal: TemporaryKeys.next(), isTemporary: true)
    state = ObjectState(values: info.defaults)
    flags = .realised
    super.init()
    context?.insertNew(self)
  }

  /// Makes an object in a context, of the entity that the class belongs to.
  ///
  /// Stops the program unless exactly one entity of the context's model has this class.
  public required convenience init(context: NSManagedObjectContext) {
    let info: EntityInfo = context.entityInfo(of: Self.self)
    self.init(entity: info.description, insertInto: context)
  }

  deinit {
    registry?.remove(self)
  }

  // MARK: the row

  final var row: Row? {
    guard let base = rowBase, let owner = rowOwner else { return nil }
    return Row(base: base, owner: owner)
  }

  final func setRow(_ row: Row?) {
    rowBase = row?.base
    rowOwner = row?.owner
  }

  /// Version of its snapshot; 0 where it has none.
  final var version: UInt64 { row?.version ?? 0 }

  // MARK: what it is

  /// The context it belongs to; `nil` once the context is gone or the object's deletion was saved.
  public final var managedObjectContext: NSManagedObjectContext? { registry?.context }

  /// The entity: its own, not a super-entity it was fetched as.
  public final var entity: NSEntityDescription { info.description }

  /// Its identity: temporary until it is first saved.
  public final var objectID: NSManagedObjectID {
    if let id = cachedID, !id.key.isTemporary || !id.isSuperseded { return id }
    // Another context of the chain may show a new object under its temporary id.
    let provisional: NSManagedObjectID? = place?.store.provisionalIDs.id(for: key)
    let id: NSManagedObjectID = provisional ?? NSManagedObjectID(key: key, info: info, store: place?.store)
    cachedID = id
    return id
  }

  /// Whether it is new and not saved yet.
  public final var isInserted: Bool { flags.contains(.inserted) }
  /// Whether it was changed since it was last saved: also when a setter was given the value that was there.
  public final var isUpdated: Bool { flags.contains(.updated) && flags.isDisjoint(with: [.inserted, .deleted]) }
  /// Whether the next save deletes it.
  public final var isDeleted: Bool { flags.contains(.deleted) }
  /// Whether it is inserted, updated or deleted.
  public final var hasChanges: Bool { !flags.isDisjoint(with: .changed) }
  /// Whether its values have not been read.
  public final var isFault: Bool { !flags.contains(.realised) }
  /// 0 for an object with its values; not 0 while it turns into a fault or out of it, and for a fault.
  public final var faultingState: Int { flags.contains(.realised) && !flags.contains(.faulting) ? 0 : 1 }

  /// Whether unmodeled changes leave `hasChanges` alone: true unless overridden.
  open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

  // MARK: life cycle

  /// Called once, when the object is inserted. What it sets is where the object starts from. Call `super`.
  open func awakeFromInsert() {}
  /// Called whenever the object gets its values from the store. What it sets marks no change. Call `super`.
  open func awakeFromFetch() {}
  /// Called when the object's values were set from a snapshot. Call `super`.
  open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}
  /// Called when the object is deleted, its relationships still there. Call `super`.
  open func prepareForDeletion() {}
  /// Called before the object is saved; may change it and others. Call `super`.
  open func willSave() {}
  /// Called after the object was saved. Call `super`.
  open func didSave() {}
  /// Called before the object lets its values go. Call `super`.
  open func willTurnIntoFault() {}
  /// Called after the object let its values go. Call `super`.
  open func didTurnIntoFault() {}

  // MARK: what subclasses may override

  /// Tells the object that a property is about to be read: makes it read its values. `nil` for no property in
  /// particular.
  open func willAccessValue(forKey key: String?) { realise(forKey: key) }
  /// Tells the object that a property was read.
  open func didAccessValue(forKey key: String?) {}
  /// Tells the object that a property is about to be changed: what has to come before `setPrimitiveValue`.
  open func willChangeValue(forKey key: String) { beginChange(ofKey: key) }
  /// Tells the object that a property was changed.
  open func didChangeValue(forKey key: String) { endChange(ofKey: key) }

  /// A property's value by its name. Numbers and booleans come as `NSNumber`, to-many relationships as `NSSet` or
  /// `NSOrderedSet`.
  open func value(forKey key: String) -> Any? { readValue(forKey: key) }
  /// Sets a property by its name, converted to the property's type. A value that can't be stops the program.
  open func setValue(_ value: Any?, forKey key: String) { writeValue(value, forKey: key) }
  /// What `value(forKey:)` gives for a key the entity does not have. Stops the program unless overridden.
  open func value(forUndefinedKey key: String) -> Any? { stopForUnknownKey(key) }
  /// What `setValue(_:forKey:)` does for a key the entity does not have. Stops the program unless overridden.
  open func setValue(_ value: Any?, forUndefinedKey key: String) { stopForUnknownKey(key) }
  /// What `setValue(_:forKey:)` does with `nil` for an attribute that code reads as a scalar. The base class stores
  /// the absence, which reads as zero.
  open func setNilValueForKey(_ key: String) {}

  /// Checks, and may replace, a value for a property: by the model's rules, then by the class's method `validate<Key>(_:)`,
  /// which the code generator finds in the sources. A save checks the properties that changed, and takes over what such a
  /// method puts in the place of a value.
  open func validateValue(_ value: inout Any?, forKey key: String) throws {
    try checkValue(value, forKey: key)
    try runValidators(&value, forKey: key)
  }
  /// Checks the object before it is inserted. Call `super`.
  open func validateForInsert() throws { try validateRules() }
  /// Checks the object before changes of it are saved. Call `super`.
  open func validateForUpdate() throws { try validateRules() }
  /// Checks the object before it is deleted. Call `super`.
  open func validateForDelete() throws { try validateDeleteRules() }
}

// Its context's queue guards it; an id can be passed on.
@available(*, unavailable)
extension NSManagedObject: @unchecked Sendable {}

extension NSManagedObject: NSFetchRequestResult {}

/// What made an object's values come from a snapshot.
public struct NSSnapshotEventType: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// An insertion was undone.
  public static let undoInsertion = NSSnapshotEventType(rawValue: 1 << 1)
  /// A deletion was undone.
  public static let undoDeletion = NSSnapshotEventType(rawValue: 1 << 2)
  /// A change was undone.
  public static let undoUpdate = NSSnapshotEventType(rawValue: 1 << 3)
  /// The context was rolled back.
  public static let rollback = NSSnapshotEventType(rawValue: 1 << 4)
  /// The object was refreshed.
  public static let refresh = NSSnapshotEventType(rawValue: 1 << 5)
  /// A merge policy changed the object.
  public static let mergePolicy = NSSnapshotEventType(rawValue: 1 << 6)
}
