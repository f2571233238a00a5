internal import Foundation
internal import Schema
package import StoreContract

/// An open store, shared by all coordinators of this process that opened the same one: the writer's lock would keep
/// a second opener out, and named in-memory stores exist only through it. Closed when the last of them lets go.
package final class SharedBackend: Sendable {
  package let store: any ObjectStore
  /// What others of the process find it by; `nil` when it is not shared.
  let name: String?
  // Set once and only read: the options are the caller's values, which nobody changes.
  /// Where its files are: what copies of it are made from.
  nonisolated(unsafe) let opening: StoreOpening

  init(_ store: any ObjectStore, name: String?, opening: StoreOpening) {
    self.store = store
    self.name = name
    self.opening = opening
  }

  deinit {
    // Nobody is left to be told: what was acknowledged is synced, and the kernel frees the lock in any case.
    try? store.close()
  }
}

/// The open stores of this process, by name.
enum SharedBackends {
  /// Serialises the opening of one store, and only of that one.
  private final class Slot: @unchecked Sendable {
    // unchecked: `backend` is read and written under `lock` only.
    let lock = NSLock()
    weak var backend: SharedBackend?
  }

  private static let slots: SlotTable = SlotTable()

  private final class SlotTable: @unchecked Sendable {
    // unchecked: `slots` is read and written under `lock` only.
    private let lock = NSLock()
    private var slots: [String: Slot] = [:]

    func slot(_ name: String) -> Slot {
      lock.withLock {
        if let slot = slots[name] { return slot }
        let slot = Slot()
        slots[name] = slot
        return slot
      }
    }
  }

  /// The store that is open under a name, or the one that `open` opens.
  ///
  /// A read-only opener takes a writer's store when there is one, since that one sees new transactions.
  static func backend(
    named name: String, opening: StoreOpening, schema: Schema, open: () throws -> any ObjectStore
  ) throws -> SharedBackend {
    let writer: Slot = slots.slot(name)
    writer.lock.lock()
    defer { writer.lock.unlock() }
    if let open = writer.backend { return try check(open, schema, name) }
    guard opening.isReadOnly else {
      let opened = SharedBackend(try open(), name: name, opening: opening)
      writer.backend = opened
      return opened
    }
    let reader: Slot = slots.slot(name + "\u{0}reader")
    return try reader.lock.withLock {
      if let open = reader.backend { return try check(open, schema, name) }
      let opened = SharedBackend(try open(), name: name, opening: opening)
      reader.backend = opened
      return opened
    }
  }

  /// Whether this process has a store open.
  static func isOpen(_ name: String) -> Bool { open(name) != nil }

  /// The store that this process has open under a name.
  static func open(_ name: String) -> SharedBackend? {
    for key in [name, name + "\u{0}reader"] {
      let slot: Slot = slots.slot(key)
      if let backend = slot.lock.withLock({ slot.backend }) { return backend }
    }
    return nil
  }

  private static func check(_ backend: SharedBackend, _ schema: Schema, _ name: String) throws -> SharedBackend {
    guard let difference = backend.store.schema.firstDifference(from: schema) else { return backend }
    throw StoreError(
      .incompatibleSchema,
      "The store is open in this process with another model: \(difference). Use one model for both, or remove the store from its coordinators first.",
      path: name)
  }
}

extension Schema {
  /// The first thing that two schemas do not have in common, in words; `nil` when rows of one are rows of the other.
  func firstDifference(from other: Schema) -> String? {
    guard entities.count == other.entities.count else {
      return "one has \(entities.count) entities, the other \(other.entities.count)"
    }
    for (mine, theirs) in zip(entities, other.entities) {
      if mine.name != theirs.name { return "entity \(mine.name) stands where the other has \(theirs.name)" }
      if mine.superentity != theirs.superentity { return "entity \(mine.name) has another super-entity" }
      if mine.properties != theirs.properties { return "entity \(mine.name) has other properties" }
      if mine.constraints != theirs.constraints { return "entity \(mine.name) has other uniqueness constraints" }
    }
    return nil
  }
}
