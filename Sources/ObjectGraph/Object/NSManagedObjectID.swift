public import Foundation
public import Model
package import Schema
internal import Synchronization

/// Identity of a managed object: which entity, which store, which object of it. Immutable; any thread.
///
/// Made when asked for. An object that no store holds yet has a temporary one, which a save replaces by a permanent
/// one that is not equal to it; contexts find the object by either as long as the program runs.
open class NSManagedObjectID: NSObject, NSCopying, @unchecked Sendable {
  // unchecked: all fields are set once, before anybody sees the object; descriptions and stores may be shared.
  package let key: ObjectKey
  let info: EntityInfo
  private let store: NSPersistentStore?
  /// What a temporary id will be followed by.
  private let successor: IDSuccessor?

  init(key: ObjectKey, info: EntityInfo, store: NSPersistentStore?) {
    self.key = key
    self.info = info
    self.store = store
    successor = key.isTemporary ? IDSuccessor() : nil
    super.init()
  }

  /// The id by which contexts know the object: for a temporary one what replaces it, once that is known.
  final var resolved: NSManagedObjectID { successor?.id ?? self }

  /// Whether a permanent id has replaced this one.
  final var isSuperseded: Bool { successor?.isInForce ?? false }

  /// Says what will replace a temporary id.
  final func promise(_ permanent: NSManagedObjectID) { successor?.set(permanent, isInForce: false) }

  /// Says what has replaced a temporary id; what was promised when `nil`.
  final func supersede(by permanent: NSManagedObjectID? = nil) { successor?.set(permanent, isInForce: true) }

  /// The entity of the object: its own, not a super-entity that it was fetched as.
  public var entity: NSEntityDescription { info.description }

  /// The store that holds the object; `nil` while the id is temporary.
  public var persistentStore: NSPersistentStore? { store?.current }

  /// Whether the object has not been saved yet (and was not given a permanent id ahead of it).
  public var isTemporaryID: Bool { key.isTemporary }

  /// A form of the id that can be kept outside the program: `x-coredata://STORE/Entity/p7`. A temporary id's names no
  /// store and means nothing once the program ends.
  public func uriRepresentation() -> URL {
    let name: String = info.entity.name
    let text: String =
      key.isTemporary
      ? "x-coredata:///\(name)/t\(key.ordinal)"
      : "x-coredata://\(store?.identifier ?? "")/\(name)/p\(reference)"
    guard let url = URL(string: text) else {
      ProgrammerError.stop("The entity '\(name)' has a name that no URI can hold: use letters, digits and underscores.")
    }
    return url
  }

  /// What the store calls the object.
  private var reference: String {
    (store as? any ProgramStore)?.core.references.text(of: key) ?? String(key.ordinal)
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  open override var hash: Int { key.hashValue }

  /// Two ids are equal when they name the same object of the same store.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectID else { return false }
    if other === self { return true }
    guard other.key == key else { return false }
    if key.isTemporary || store === other.store { return true }
    guard let mine = store, let theirs = other.store else { return false }
    return mine.identifier == theirs.identifier
  }

  open override var description: String { "<\(uriRepresentation().absoluteString)>" }
}

extension NSManagedObjectID: NSFetchRequestResult {}

/// The permanent id that follows a temporary one. Any thread.
private final class IDSuccessor: Sendable {
  private struct State {
    var id: NSManagedObjectID?
    var isInForce = false
  }
  private let state = Mutex(State())

  var id: NSManagedObjectID? { state.withLock { $0.id } }
  var isInForce: Bool { state.withLock { $0.isInForce } }

  func set(_ id: NSManagedObjectID?, isInForce: Bool) {
    state.withLock { state in
      if let id { state.id = id }
      state.isInForce = isInForce
    }
  }
}
