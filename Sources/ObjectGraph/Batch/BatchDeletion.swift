internal import Foundation
internal import Schema
internal import StoreContract

/// One batch delete on its way into the stores.
struct BatchDeletion {
  private let request: NSBatchDeleteRequest
  private let common: BatchCommit

  init(
    _ request: NSBatchDeleteRequest, _ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    self.request = request
    common = BatchCommit(context: context, coordinator: coordinator)
  }

  func execute() throws -> BatchOutcome {
    for _ in 0..<BatchCommit.roundsMax {
      var outcome = BatchOutcome()
      var parts: [(NSPersistentStore, ChangeSet)] = []
      for part in try find() {
        var spread = DeletionSpread(part, common.context.modelInfo)
        do { try spread.run() } catch let error as StoreError {
          throw GraphError.wrapping(error, during: .save, store: part.place.store.storeName)
        }
        do { parts.append((part.place.store, try spread.changes(common.changeSet()))) } catch let error as StoreError {
          throw GraphError.wrapping(error, during: .save, store: part.place.store.storeName)
        }
        outcome.ids += spread.deleted.compactMap { common.id($0, in: part.place) }
      }
      guard let conflicts = try common.commit(parts) else { return outcome }
      try common.refuse(conflicts, "The batch delete")
    }
    throw BatchCommit.busy("The batch delete")
  }

  private func find() throws -> [FetchRun.Found] {
    guard let ids = request.objectIDs else { return try common.find(request.fetch, in: request.affectedStores) }
    var found: [FetchRun.Found] = []
    guard let first = ids.first else { return [] }
    let root: Int = Self.root(common.context.entityInfo(of: first.entity))
    for store in common.coordinator.persistentStores {
      guard let place = common.context.place(for: store), let backend = store.backend else { continue }
      var keys: [ObjectKey] = []
      for id in ids {
        guard !id.isTemporaryID, Self.root(common.context.entityInfo(of: id.entity)) == root else {
          throw BatchCommit.error(
            "deletes \(id), which was never saved or is not of the entity that the others are of.")
        }
        if id.persistentStore === store || id.persistentStore?.identifier == store.identifier { keys.append(id.key) }
      }
      if keys.isEmpty { continue }
      do { found.append(FetchRun.Found(place: place, view: try backend.currentView(), keys: keys)) } catch {
        throw GraphError.wrapping(error, during: .fetch, store: store.storeName)
      }
    }
    return found
  }

  /// The entity at the top of an entity's family.
  private static func root(_ info: EntityInfo) -> Int {
    var index: Int = info.index
    while let above = info.schema.entities[index].superentity { index = above }
    return index
  }
}

/// What deleting some rows of a store does to others by the delete rules.
struct DeletionSpread {
  private let place: StorePlaceInContext
  private let view: any StoreView
  private let model: ModelInfo
  /// What is deleted, in the order it was found.
  private(set) var deleted: [ObjectKey] = []
  private var isDeleted: Set<ObjectKey> = []
  /// To-one relationships that lose their value, by the object that has them.
  private var cleared: [ObjectKey: [Int]] = [:]
  /// Relationships that forbid it unless what they lead to is deleted as well.
  private var denials: [(owner: ObjectKey, property: Int)] = []
  /// To-many relationships that lose members: how many.
  private var losses: [Loss: Int] = [:]

  private struct Loss: Hashable {
    let owner: ObjectKey
    let property: Int
  }

  init(_ found: FetchRun.Found, _ model: ModelInfo) {
    place = found.place
    view = found.view
    self.model = model
    for key in found.keys { add(key) }
  }

  private mutating func add(_ key: ObjectKey) {
    if isDeleted.insert(key).inserted { deleted.append(key) }
  }

  /// Follows the delete rules to the end, and checks that they allow it.
  mutating func run() throws {
    var next: Int = 0
    var present: [ObjectKey] = []
    while next < deleted.count {
      let key: ObjectKey = deleted[next]
      next += 1
      // What is gone already needs no deletion.
      guard let info = place.info(of: key), let row = try view.row(for: key) else { continue }
      present.append(key)
      for property in info.relationships { try follow(property, of: key, info, row) }
    }
    deleted = present
    try check()
  }

  private func destinations(_ property: Int, of key: ObjectKey, _ info: EntityInfo, _ row: Row) throws -> [ObjectKey] {
    if info.toManyPlace[property] < 0 {
      guard info.hasSlot[property], case .object(let destination) = row.value(info.slots[property]) else { return [] }
      return [destination]
    }
    var keys: [ObjectKey] = []
    try view.forEachMember(of: key, relationship: property) { (member: ObjectKey) throws(StoreError) -> Bool in
      keys.append(member)
      return true
    }
    return keys
  }

  private mutating func follow(_ property: Int, of key: ObjectKey, _ info: EntityInfo, _ row: Row) throws {
    guard let relationship = info.entity.properties[property].relationship else { return }
    if relationship.deleteRule == .noAction { return }
    for destination in try destinations(property, of: key, info, row) {
      switch relationship.deleteRule {
      case .noAction: break
      case .cascade: add(destination)
      case .deny: denials.append((destination, property))
      case .nullify:
        guard let inverse = relationship.inverse, let there = place.info(of: destination) else { continue }
        if there.toManyPlace[inverse] >= 0 {
          losses[Loss(owner: destination, property: inverse), default: 0] += 1
        } else {
          cleared[destination, default: []].append(inverse)
        }
      }
    }
  }

  private func check() throws {
    for (key, property) in denials where !isDeleted.contains(key) {
      throw Self.error(
        NSValidationRelationshipDeniedDeleteError,
        "relationship number \(property) of what it deletes still leads to \(name(key)), and its delete rule is deny")
    }
    for (key, properties) in cleared where !isDeleted.contains(key) {
      guard let info = place.info(of: key) else { continue }
      for property in properties where !info.entity.properties[property].isOptional {
        throw Self.error(
          NSValidationMissingMandatoryPropertyError,
          "\(name(key)) would lose its mandatory \(info.entity.properties[property].name)")
      }
    }
    for (loss, count) in losses where !isDeleted.contains(loss.owner) {
      guard let info = place.info(of: loss.owner),
        let relationship = info.entity.properties[loss.property].relationship, relationship.minCount > 0
      else { continue }
      let left: Int = try view.memberCount(of: loss.owner, relationship: loss.property) - count
      if left >= relationship.minCount || (left == 0 && info.entity.properties[loss.property].isOptional) { continue }
      throw Self.error(
        NSValidationRelationshipLacksMinimumCountError,
        "\(name(loss.owner)) would have \(left) of at least \(relationship.minCount) \(info.entity.properties[loss.property].name)"
      )
    }
  }

  private func name(_ key: ObjectKey) -> String {
    guard let info = place.info(of: key) else { return "\(key)" }
    return "\(NSManagedObjectID(key: key, info: info, store: place.store))"
  }

  private static func error(_ code: Int, _ why: String) -> any Error {
    GraphError.make(code, "The batch delete deleted nothing: \(why).")
  }

  /// The deletions and what they clear, as one change set. Links end with their objects by themselves.
  func changes(_ empty: ChangeSet) throws -> ChangeSet {
    var changes: ChangeSet = empty
    for key in deleted {
      guard let row = try view.row(for: key) else { continue }
      changes.changes.append(ObjectChange(key: key, operation: .delete, expectedVersion: row.version))
    }
    for (key, properties) in cleared.sorted(by: { $0.key < $1.key }) where !isDeleted.contains(key) {
      guard let info = place.info(of: key), let row = try view.row(for: key) else { continue }
      var changed = PropertySet()
      for property in properties { changed.insert(property) }
      let gone = Set<Int>(properties)
      let start: Int = try info.entity.layout.encode(key: key, version: row.version, into: changes.rows) { property in
        gone.contains(property) || !info.hasSlot[property] ? .null : row.value(info.slots[property])
      }
      changes.changes.append(
        ObjectChange(
          key: key, operation: .update, expectedVersion: row.version, changedProperties: changed, rowOffset: start))
    }
    return changes
  }
}
