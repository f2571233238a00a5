import FileSystem
import Foundation
import RecordStore
import Schema
import StoreContract

/// A store that tests write transactions to, in the terms of the store contract.
final class FixtureStore {
  struct Conflicted: Error {}

  let url: URL
  let store: RecordStore
  private let schema: Schema
  private var rows: [ObjectKey: [String: Value]] = [:]

  init(at url: URL, schema: Schema = FixtureSchema.schema, segmentBytesMax: UInt64 = 64 << 20) throws {
    self.url = url
    self.schema = schema
    store = try RecordStore.open(
      directory: url.path, in: DiskFileSystem(), schema: schema,
      options: RecordStoreOptions(segmentBytesMax: segmentBytesMax))
  }

  /// One change of a transaction.
  enum Change {
    case insert(ObjectKey, [String: Value], links: [LinkChange] = [])
    /// The properties that change; the others stay as the last transaction left them.
    case update(ObjectKey, [String: Value], links: [LinkChange] = [])
    case delete(ObjectKey)
  }

  func newKey(_ entity: String) throws -> ObjectKey {
    try store.reserveKeys(entity: schema.entityIndexByName[entity] ?? 0, count: 1)
  }

  @discardableResult
  func commit(
    author: String? = nil, context: String? = nil, time: Double = 800_000_000, metadata: [String: String?] = [:],
    _ changes: [Change]
  ) throws -> UInt64 {
    var set = ChangeSet(author: author, contextName: context, timestamp: time, metadata: metadata)
    let view = try store.currentView()
    var after = rows
    for change in changes {
      switch change {
      case .insert(let key, let values, let links):
        after[key] = values
        set.changes.append(try encoded(key, values, .insert, expected: 0, changed: [], links, set.rows))
      case .update(let key, let values, let links):
        let version = try view.row(for: key)?.version ?? 0
        let merged = (rows[key] ?? [:]).merging(values) { $1 }
        after[key] = merged
        let changed =
          Array(values.keys) + links.map { schema.entities[entity(of: key)].properties[$0.relationship].name }
        set.changes.append(
          try encoded(
            key, values.isEmpty ? nil : merged, .update, expected: version, changed: changed, links, set.rows))
      case .delete(let key):
        let version = try view.row(for: key)?.version ?? 0
        after[key] = nil
        set.changes.append(ObjectChange(key: key, operation: .delete, expectedVersion: version))
      }
    }
    guard case .committed(let receipt) = try store.commit(set) else { throw Conflicted() }
    rows = after
    return receipt.commitNumber
  }

  func close() throws { try store.close() }

  func link(
    _ relationship: String, of entity: String, add: [ObjectKey] = [], positions: [Double] = [], remove: [ObjectKey] = []
  ) -> LinkChange {
    let index = schema.entity(named: entity)?.propertyIndexByName[relationship] ?? 0
    let added = add.indices.map {
      LinkChange.Member(key: add[$0], position: $0 < positions.count ? positions[$0] : 0)
    }
    return LinkChange(relationship: index, added: added, removed: remove)
  }

  private func entity(of key: ObjectKey) -> Int { store.entityIndex(ofNumber: key.entityNumber) ?? 0 }

  private func encoded(
    _ key: ObjectKey, _ values: [String: Value]?, _ operation: ChangeOperation, expected: UInt64, changed: [String],
    _ links: [LinkChange], _ rows: RowBuffer
  ) throws -> ObjectChange {
    let entity = schema.entities[entity(of: key)]
    var offset: Int?
    if let values {
      offset = try entity.layout.encode(key: key, version: 0, into: rows) {
        values[entity.properties[$0].name] ?? .null
      }
    }
    return ObjectChange(
      key: key, operation: operation, expectedVersion: expected,
      changedProperties: PropertySet(changed.compactMap { entity.propertyIndexByName[$0] }), rowOffset: offset,
      links: links)
  }
}
