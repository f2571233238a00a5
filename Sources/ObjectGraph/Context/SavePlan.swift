internal import Foundation
internal import Schema
internal import StoreContract

/// What a save asks of each store.
struct SavePlan {
  struct Part {
    let place: StorePlaceInContext
    var changes: ChangeSet
    var inserted: [NSManagedObject] = []
    var updated: [NSManagedObject] = []
    var deleted: [NSManagedObject] = []
    /// The keys of new objects, by their temporary ones.
    var promised: [ObjectKey: ObjectKey] = [:]
  }

  private(set) var parts: [Part] = []
  let context: NSManagedObjectContext
  private let timestamp: Double = Date().timeIntervalSinceReferenceDate

  init(context: NSManagedObjectContext, coordinator: NSPersistentStoreCoordinator) throws {
    self.context = context
    try context.promiseKeys(context.pending.filter { $0.isInserted && !$0.isDeleted }, coordinator: coordinator)
    for object in context.pending where object.hasPendingChanges { try add(object) }
    for object in context.checked where !object.hasPendingChanges && object.place != nil {
      guard let place = object.place, object.flags.contains(.checked) else { continue }
      parts[index(of: place)].changes.lockedObjects.append((object.key, object.version))
    }
    parts.removeAll { $0.changes.changes.isEmpty && $0.changes.lockedObjects.isEmpty }
  }

  private mutating func index(of place: StorePlaceInContext) -> Int {
    if let found = parts.firstIndex(where: { $0.place === place }) { return found }
    let changes = ChangeSet(
      author: context.transactionAuthor, contextName: context.name, timestamp: timestamp,
      rows: RowBuffer(capacityBytes: 4096))
    parts.append(Part(place: place, changes: changes))
    return parts.count - 1
  }

  private mutating func add(_ object: NSManagedObject) throws {
    guard let place = object.place ?? object.state?.promisedPlace else { return }
    let part: Int = index(of: place)
    if object.isDeleted {
      object.realise()
      guard !object.flags.contains(.inaccessible) else { return }
      parts[part].deleted.append(object)
      parts[part].changes.changes.append(
        ObjectChange(key: object.key, operation: .delete, expectedVersion: object.version))
    } else if object.isInserted {
      let key: ObjectKey = object.state?.promisedKey ?? object.key
      if object.key.isTemporary { parts[part].promised[object.key] = key }
      parts[part].inserted.append(object)
      let row: Int = try encode(object, key: key, version: 0, into: parts[part].changes.rows, place)
      let change = ObjectChange(
        key: key, operation: .insert, expectedVersion: 0, rowOffset: row, links: try links(of: object, place))
      parts[part].changes.changes.append(change)
    } else if let change = try update(of: object, place, rows: parts[part].changes.rows) {
      parts[part].updated.append(object)
      parts[part].changes.changes.append(change)
    }
  }

  /// What changed in a saved object; `nil` when nothing of that is kept on its side.
  private func update(of object: NSManagedObject, _ place: StorePlaceInContext, rows: RowBuffer) throws -> ObjectChange?
  {
    guard let state = object.state else { return nil }
    var changed = PropertySet()
    if !state.values.isEmpty {
      for property in object.info.entity.layout.storedProperties {
        guard let own = state.values[property], own != object.savedValue(property) else { continue }
        changed.insert(property)
      }
    }
    var row: Int?
    if !changed.isEmpty {
      row = try encode(object, key: object.key, version: object.version, into: rows, place)
    }
    let links: [LinkChange] = try links(of: object, place)
    for link in links { changed.insert(link.relationship) }
    guard !changed.isEmpty else { return nil }
    return ObjectChange(
      key: object.key, operation: .update, expectedVersion: object.version, changedProperties: changed, rowOffset: row,
      links: links)
  }

  private func encode(
    _ object: NSManagedObject, key: ObjectKey, version: UInt64, into rows: RowBuffer, _ place: StorePlaceInContext
  ) throws -> Int {
    var strayed: Int?
    let start: Int
    do {
      start = try object.info.entity.layout.encode(key: key, version: version, into: rows) { property in
        let value: Value = object.currentValue(property)
        guard case .object(let target) = value, target.isTemporary else { return value }
        guard let stored = self.storedKey(target, place) else {
          strayed = property
          return .null
        }
        return .object(stored)
      }
    } catch {
      throw GraphError.wrapping(error, during: .save, store: place.store.storeName)
    }
    if let strayed { try refuse(object, strayed) }
    return start
  }

  /// The key under which a store will have an object; `nil` for one that is not in this save, or in another store.
  private func storedKey(_ key: ObjectKey, _ place: StorePlaceInContext) -> ObjectKey? {
    guard key.isTemporary else { return key }
    guard let state = context.registry.temporaryObject(key)?.state, state.promisedPlace === place else { return nil }
    return state.promisedKey
  }

  private func refuse(_ object: NSManagedObject, _ property: Int) throws {
    let name: String = object.info.entity.properties[property].name
    throw GraphError.make(
      NSManagedObjectReferentialIntegrityError,
      "\(object.info.entity.name).\(name) of \(object.objectID) leads to an object that is not saved to the same store: assign both to one store.",
      userInfo: [NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: name])
  }

  private func links(of object: NSManagedObject, _ place: StorePlaceInContext) throws -> [LinkChange] {
    guard let state = object.state, !state.members.isEmpty else { return [] }
    var links: [LinkChange] = []
    for (index, property) in object.info.toManyProperties.enumerated() {
      guard object.info.storage[property] == .links, let members = state.members[index], members.hasChanges else {
        continue
      }
      links.append(try link(of: object, property, members, place))
    }
    return links
  }

  private func link(
    of object: NSManagedObject, _ property: Int, _ members: MemberState, _ place: StorePlaceInContext
  ) throws -> LinkChange {
    var added: [LinkChange.Member] = []
    func stored(_ key: ObjectKey) throws -> ObjectKey {
      if let stored = storedKey(key, place) { return stored }
      try refuse(object, property)
      return key
    }
    if members.isOrdered {
      // A member's position is its place in the order; those that keep theirs are not sent.
      for (position, key) in members.order.enumerated() {
        let isInPlace: Bool = position < members.savedOrder.count && members.savedOrder[position] == key
        if !isInPlace { added.append(LinkChange.Member(key: try stored(key), position: Double(position))) }
      }
    } else {
      added = try members.added.sorted().map { LinkChange.Member(key: try stored($0)) }
    }
    return LinkChange(relationship: property, added: added, removed: members.removed.sorted())
  }
}

extension NSManagedObjectContext {
  /// Gets keys from the stores for new objects, and says which store each will be in.
  final func promiseKeys(_ objects: [NSManagedObject], coordinator: NSPersistentStoreCoordinator) throws {
    var waiting: [[NSManagedObject]] = []
    var groups: [GroupKey: Int] = [:]
    var defaults: [Int: StorePlaceInContext] = [:]
    for object in objects where object.key.isTemporary {
      let state: ObjectState = object.ensureState()
      guard state.promisedKey == nil else { continue }
      if state.promisedPlace == nil {
        if defaults[object.info.index] == nil {
          defaults[object.info.index] = try place(
            for: coordinator.store(forInsertionOf: object.info.index))
        }
        state.promisedPlace = defaults[object.info.index]
      }
      guard let place = state.promisedPlace else { continue }
      let key = GroupKey(place: ObjectIdentifier(place), entity: object.info.index)
      if let group = groups[key] {
        waiting[group].append(object)
      } else {
        groups[key] = waiting.count
        waiting.append([object])
      }
    }
    for group in waiting { try promiseKeys(toGroup: group) }
  }

  private struct GroupKey: Hashable {
    let place: ObjectIdentifier
    let entity: Int
  }

  /// Objects of one entity that go to one store.
  private func promiseKeys(toGroup objects: [NSManagedObject]) throws {
    guard let first = objects.first, let place = first.state?.promisedPlace else { return }
    guard let backend = place.store.backend else {
      throw GraphError.make(
        NSPersistentStoreSaveError, "The store \(place.store.storeName) was removed: nothing can be saved to it.")
    }
    if let own = place.store as? any ProgramStore {
      for (object, key) in zip(objects, try own.keys(for: objects)) { object.state?.promisedKey = key }
      return
    }
    do {
      let start: ObjectKey = try backend.reserveKeys(entity: first.info.index, count: objects.count)
      for (offset, object) in objects.enumerated() {
        object.state?.promisedKey = ObjectKey(rawValue: start.rawValue + UInt64(offset))
      }
    } catch {
      throw GraphError.wrapping(error, during: .save, store: place.store.storeName)
    }
  }

  /// Gives new objects permanent ids ahead of their save.
  ///
  /// - Throws: the store's error; the ids are temporary still.
  public final func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
    let mine: [NSManagedObject] = objects.filter { $0.registry === registry }
    try takeKeys(mine.filter { $0.isInserted && $0.key.isTemporary }) { object, temporary in
      temporary?.supersede(by: object.objectID)
    }
    for object in mine where object.objectID.isTemporaryID && !object.key.isTemporary { object.showPermanentID() }
  }
}

extension NSManagedObject {
  /// Ends the time for which an object with a key of its store is known by its temporary id, in all contexts.
  final func showPermanentID() {
    guard let place, let id = place.store.provisionalIDs.id(for: key) ?? cachedID else { return }
    place.store.provisionalIDs.remove(key)
    id.supersede()
  }
}

extension ObjectState {
  /// Replaces temporary keys by permanent ones.
  func rekey(_ permanent: [ObjectKey: ObjectKey]) {
    for property in values.indices {
      if case .object(let key)? = values[property], let new = permanent[key] { values[property] = .object(new) }
    }
    overlayRow = nil
    for index in members.indices { members[index]?.rekey(permanent) }
    eventValues = eventValues.map { $0.rekeyed(permanent) }
    openChanges = openChanges.map { $0.rekeyed(permanent) }
  }
}
