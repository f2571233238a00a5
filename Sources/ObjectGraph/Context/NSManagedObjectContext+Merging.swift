public import Foundation
internal import Schema
internal import StoreContract

extension NSManagedObjectContext {
  /// Takes in what another context has saved: objects it changed show their new values, with changes pending here laid
  /// over them; those it deleted go.
  ///
  /// - Parameter notification: `NSManagedObjectContextDidSave` of the other context, from any thread.
  public final func mergeChanges(fromContextDidSave notification: Notification) {
    // What a child has saved is here already.
    if let sender = notification.object as? NSManagedObjectContext, sender.settings.parent === self { return }
    let changes = MergeChanges(notification.userInfo ?? [:])
    performAndWait { merge(changes) }
  }

  /// Takes in changes that were made elsewhere, told by id.
  ///
  /// - Parameters:
  ///   - changes: `NSInsertedObjectsKey` and its kin, with or without `ObjectIDs`, to collections of ids, of their
  ///     URIs, or of objects.
  ///   - contexts: each merges on its own queue, one after the other.
  public class func mergeChanges(
    fromRemoteContextSave changes: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
  ) {
    let changes = MergeChanges(changes)
    for context in contexts { context.performAndWait { context.merge(changes) } }
  }

  final func merge(_ changes: MergeChanges) {
    var merged = MergeChanges()
    // Deletions last: what leads to the objects that go is read anew before.
    completingInverses {
      for id in ids(changes.updated) where mergeUpdate(id) { merged.updated.append(.id(id)) }
      for id in ids(changes.inserted) where mergeInsertion(id) { merged.inserted.append(.id(id)) }
    }
    for id in ids(changes.deleted) where mergeDeletion(id) { merged.deleted.append(.id(id)) }
    processPendingChanges()
    guard !merged.isEmpty else { return }
    NotificationCenter.default.post(
      name: .NSManagedObjectContextDidMergeChangesObjectIDs, object: self, userInfo: merged.userInfo)
  }

  private func ids(_ references: [MergeChanges.Reference]) -> [NSManagedObjectID] {
    references.compactMap { reference in
      switch reference {
      case .id(let id): id
      case .uri(let uri): settings.coordinator?.managedObjectID(forURIRepresentation: uri)
      }
    }
  }

  private func local(_ id: NSManagedObjectID) -> (StorePlaceInContext, ObjectKey)? {
    let id: NSManagedObjectID = id.resolved
    guard !id.isTemporaryID, let coordinator = settings.coordinator else { return nil }
    // The id may come from another coordinator that has the same store open.
    let store: NSPersistentStore? = coordinator.persistentStores.first { store in
      store === id.persistentStore || store.identifier == id.persistentStore?.identifier
    }
    guard let store, let place = place(for: store) else { return nil }
    return (place, id.key)
  }

  private func mergeDeletion(_ id: NSManagedObjectID) -> Bool {
    guard let (place, key) = local(id), let object = place.object(for: key), !object.isInserted else { return false }
    forgetMember(object)
    if object.flags.contains(.tracked) { pending.removeAll { $0 === object } }
    object.flags.subtract(.eventKinds)
    object.flags.insert(.deletedInEvent)
    noteInEvent(object)
    detach(object)
    return true
  }

  /// Objects that list one that is gone look again.
  private func forgetMember(_ object: NSManagedObject) {
    guard object.row != nil else { return }
    for property in object.info.relationships where object.info.hasSlot[property] {
      guard let inverse = object.info.entity.properties[property].relationship?.inverse,
        case .object(let key) = object.savedValue(property), let owner = object.place?.object(for: key),
        owner.info.toManyPlace[inverse] >= 0, owner.state?.members.isEmpty == false
      else { continue }
      owner.withMembers(inverse) { $0.forget(keepingChanges: true) }
    }
  }

  private func mergeUpdate(_ id: NSManagedObjectID) -> Bool {
    guard let (place, key) = local(id), let object = place.object(for: key), !object.isDeleted else { return false }
    if above != nil, isEcho(object, in: place) { return false }
    refresh(object, mergeChanges: true)
    return true
  }

  /// Whether a child shows already what its parent has saved: most often because it came from the child.
  private func isEcho(_ object: NSManagedObject, in place: StorePlaceInContext) -> Bool {
    guard !object.hasChanges, let mine = object.row, let row = try? rowBelow(object.key, in: place) else {
      return object.isFault && object.state == nil
    }
    guard mine.hasSameValues(as: row) else { return false }
    for property in object.info.toManyProperties {
      guard let members = object.state?.members, !members.isEmpty else { break }
      guard let known = members[object.info.toManyPlace[property]], known.isLoaded else { continue }
      guard let now = try? membersBelow(object.key, property, in: place) else { return false }
      guard known.isOrdered ? known.order == now : known.members == Set(now) else { return false }
    }
    object.adopt(row)
    return true
  }

  private func mergeInsertion(_ id: NSManagedObjectID) -> Bool {
    guard let (place, key) = local(id) else { return false }
    // A child may have inserted it itself, or have seen it before its parent saved it.
    if above != nil, place.object(for: key) != nil { return mergeUpdate(id) }
    guard let object = object(for: key, in: place) else { return false }
    guard !object.hasChanges else { return false }
    object.flags.insert(.insertedInEvent)
    noteInEvent(object)
    object.realise()
    forgetOwners(of: object)
    return true
  }

  /// Objects that a new one leads to may list it now.
  private func forgetOwners(of object: NSManagedObject) {
    guard object.row != nil else { return }
    forgetMember(object)
  }

  // MARK: saves of the parent, or of siblings

  /// Starts or stops listening to saves of the parent, or else of other contexts of the same coordinator.
  final func observeSiblings() {
    if let mergeObserver { NotificationCenter.default.removeObserver(mergeObserver) }
    mergeObserver = nil
    guard automaticallyMergesChangesFromParent, settings.coordinator != nil else { return }
    mergeObserver = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
    ) { [weak self] notification in
      guard let self, let sender = notification.object as? NSManagedObjectContext, sender !== self else { return }
      if let parent = self.settings.parent {
        guard sender === parent else { return }
      } else {
        guard sender.settings.parent == nil, let coordinator = self.settings.coordinator,
          sender.settings.coordinator === coordinator
        else { return }
      }
      let changes = MergeChanges(notification.userInfo ?? [:])
      guard !changes.isEmpty else { return }
      self.perform {
        self.advanceGeneration()
        self.merge(changes)
      }
    }
  }
}

/// Ids of what was inserted, updated and deleted elsewhere.
struct MergeChanges: Sendable {
  /// An object as somebody else names it.
  enum Reference: Sendable {
    case id(NSManagedObjectID)
    /// To be looked up in the stores of whoever merges.
    case uri(URL)
  }

  var inserted: [Reference] = []
  var updated: [Reference] = []
  var deleted: [Reference] = []

  init() {}

  init(_ changes: [AnyHashable: Any]) {
    inserted = Self.ids(changes, NSInsertedObjectsKey, NSInsertedObjectIDsKey)
    updated = Self.ids(changes, NSUpdatedObjectsKey, NSUpdatedObjectIDsKey)
    updated += Self.ids(changes, NSRefreshedObjectsKey, NSRefreshedObjectIDsKey)
    deleted = Self.ids(changes, NSDeletedObjectsKey, NSDeletedObjectIDsKey)
  }

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

  var userInfo: [AnyHashable: Any] {
    var info: [AnyHashable: Any] = [:]
    if !inserted.isEmpty { info[NSInsertedObjectIDsKey] = Self.ids(inserted) }
    if !updated.isEmpty { info[NSUpdatedObjectIDsKey] = Self.ids(updated) }
    if !deleted.isEmpty { info[NSDeletedObjectIDsKey] = Self.ids(deleted) }
    return info
  }

  private static func ids(_ references: [Reference]) -> Set<NSManagedObjectID> {
    var ids = Set<NSManagedObjectID>()
    for case .id(let id) in references { ids.insert(id) }
    return ids
  }

  private static func ids(_ changes: [AnyHashable: Any], _ key: String, _ idKey: String) -> [Reference] {
    (elements(changes[key]) + elements(changes[idKey])).compactMap { reference($0) }
  }

  private static func elements(_ collection: Any?) -> [Any] {
    switch collection {
    case let set as Set<NSManagedObject>: Array(set)
    case let set as Set<NSManagedObjectID>: Array(set)
    case let array as [Any]: array
    case let set as NSSet: set.allObjects
    case let set as Set<AnyHashable>: set.map { $0.base }
    default: []
    }
  }

  /// An object of another context is asked for nothing but its id, which its save has made.
  private static func reference(_ element: Any) -> Reference? {
    if let id = element as? NSManagedObjectID { return .id(id) }
    if let object = element as? NSManagedObject { return .id(object.objectID) }
    if let uri = element as? URL { return .uri(uri) }
    return nil
  }
}
