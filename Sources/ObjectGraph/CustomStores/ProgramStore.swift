internal import Foundation
internal import Model
internal import Schema
internal import StoreContract

/// A store of a class of the program's own, as the coordinator and contexts deal with it.
protocol ProgramStore: NSPersistentStore {
  var core: ProgramStoreCore { get }

  /// Reads what there is, and returns what the graph reads and writes it through.
  func open(_ identifier: UUID) throws -> any ObjectStore

  /// Keys for objects about to be inserted, in their order.
  func keys(for objects: [NSManagedObject]) throws -> [ObjectKey]
}

/// What both kinds of such stores need.
final class ProgramStoreCore: @unchecked Sendable {
  // unchecked: `entities` and `entityNumbers` are set before anybody else has the store; `saving` belongs to the
  // coordinator's queue.
  let references = ReferenceTable()
  var entities: [EntityInfo] = []
  /// By schema entity, as in keys.
  var entityNumbers: [Int] = []
  /// The objects of the save that is going on.
  var saving: ObjectsOfSave?

  func info(of key: ObjectKey) -> EntityInfo? {
    entityNumbers.firstIndex(of: key.entityNumber).map { entities[$0] }
  }

  func key(of entity: NSEntityDescription, reference: Any) -> (ObjectKey, EntityInfo) {
    guard let info = entities.first(where: { $0.entity.name == entity.name }) else {
      ProgrammerError.stop("The entity '\(entity.name ?? "")' is not in the model of the store's coordinator.")
    }
    guard let name = reference as? AnyHashable else {
      ProgrammerError.stop(
        "An object of '\(info.entity.name)' can't be called by \(reference): a reference object has to be hashable.")
    }
    return (references.key(entityNumber: entityNumbers[info.index], reference: name), info)
  }

  func objectID(_ key: ObjectKey, in store: NSPersistentStore) -> NSManagedObjectID? {
    info(of: key).map { NSManagedObjectID(key: key, info: $0, store: store) }
  }
}

/// The objects that one save writes to one store, and the context that saves.
struct ObjectsOfSave {
  let context: NSManagedObjectContext
  let inserted: [NSManagedObject]
  let updated: [NSManagedObject]
  let deleted: [NSManagedObject]
  /// Objects that are not written, but whose versions count.
  let locked: [NSManagedObject]
}

/// An error that a program's own store has thrown, on its way through layers that throw their own.
struct ProgramStoreError: Error {
  let error: any Error
}

extension StoreError {
  init(program error: any Error, _ store: NSPersistentStore) {
    if let error = error as? StoreError {
      self = error
      return
    }
    self.init(
      .inputOutput, "\(type(of: store)) failed: \(error.localizedDescription)",
      underlying: ProgramStoreError(error: error))
  }
}

extension ChangeSet {
  /// Objects that a view has in other versions than the changes were made on.
  func versionConflicts(in view: any StoreView) throws(StoreError) -> [StoreConflict] {
    var expected: [(key: ObjectKey, version: UInt64)] = lockedObjects
    for change in changes {
      // What writes no row, but links of a relationship only, conflicts with nobody.
      let writesRow: Bool = change.operation == .delete || (change.operation == .update && change.rowOffset != nil)
      if writesRow { expected.append((change.key, change.expectedVersion)) }
    }
    var conflicts: [StoreConflict] = []
    for (key, version) in expected {
      let row: Row? = try view.row(for: key)
      guard row?.version != version else { continue }
      conflicts.append(.version(key: key, expectedVersion: version, storedRow: row))
    }
    return conflicts
  }
}
