import Foundation
import Schema
import StoreContract

@testable import RecordStore

/// A change set in the making, as a context would make it.
final class Draft {
  let store: RecordStore
  let view: RecordView
  private var changes: [ObjectChange] = []
  private let rows = RowBuffer()
  var timestamp = 1000.0
  var author: String?
  var metadata: [String: String?] = [:]
  var locked: [(key: ObjectKey, version: UInt64)] = []

  init(_ store: RecordStore, on view: RecordView? = nil) {
    self.store = store
    self.view = view ?? store.latest
  }

  var changeSet: ChangeSet {
    ChangeSet(
      author: author, contextName: nil, timestamp: timestamp, changes: changes, rows: rows, lockedObjects: locked,
      metadata: metadata)
  }

  @discardableResult
  func insert(
    _ entity: Int, _ values: [Int: Value] = [:], links: [LinkChange] = [], key: ObjectKey? = nil
  ) throws -> ObjectKey {
    let key = try key ?? store.reserveKeys(entity: entity, count: 1)
    let offset = try store.schema.entities[entity].layout.encode(key: key, version: 0, into: rows) {
      values[$0] ?? .null
    }
    changes.append(
      ObjectChange(key: key, operation: .insert, expectedVersion: 0, rowOffset: offset, links: links))
    return key
  }

  func update(
    _ key: ObjectKey, _ values: [Int: Value] = [:], links: [LinkChange] = [], expected: UInt64? = nil
  ) throws {
    let old = try view.row(for: key)
    var offset: Int?
    let entity = store.schema.entities[view.entityIndex(of: key)]
    if !values.isEmpty {
      offset = try entity.layout.encode(key: key, version: 0, into: rows) { property in
        if let value = values[property] { return value }
        guard let old, let slot = entity.layout.slots[property] else { return .null }
        return old.value(slot)
      }
    }
    changes.append(
      ObjectChange(
        key: key, operation: .update, expectedVersion: expected ?? old?.version ?? 0,
        changedProperties: PropertySet(Array(values.keys) + links.map(\.relationship)), rowOffset: offset, links: links)
    )
  }

  func delete(_ key: ObjectKey, expected: UInt64? = nil) throws {
    let version = try view.row(for: key)?.version
    changes.append(ObjectChange(key: key, operation: .delete, expectedVersion: expected ?? version ?? 0))
  }

  @discardableResult
  func commit() throws -> RecordView {
    switch try store.commit(changeSet) {
    case .committed(let receipt):
      guard let view = receipt.view as? RecordView else { throw Unexpected(what: "a view of another kind") }
      return view
    case .conflicted(let conflicts): throw Unexpected(what: "\(conflicts)")
    }
  }

  func conflicts() throws -> [StoreConflict] {
    switch try store.commit(changeSet) {
    case .committed: return []
    case .conflicted(let conflicts): return conflicts
    }
  }
}

struct Unexpected: Error {
  let what: String
}

func link(_ relationship: Int, add: [ObjectKey] = [], remove: [ObjectKey] = []) -> LinkChange {
  LinkChange(relationship: relationship, added: add.map { LinkChange.Member(key: $0) }, removed: remove)
}

extension RecordView {
  func value(_ key: ObjectKey, _ property: Int) throws -> Value {
    guard let row = try row(for: key) else { throw Unexpected(what: "no object \(key)") }
    guard let slot = schema.entities[entityIndex(of: key)].layout.slots[property] else {
      throw Unexpected(what: "no slot for \(property)")
    }
    return row.value(slot)
  }

  func members(_ key: ObjectKey, _ property: Int) throws -> [ObjectKey] {
    var members: [ObjectKey] = []
    try forEachMember(of: key, relationship: property) { member in
      members.append(member)
      return true
    }
    return members
  }

  func all(_ entity: Int) throws -> [ObjectKey] { try keys(for: FetchPlan(entity: entity), overlay: nil) }
}
