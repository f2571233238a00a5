internal import Foundation
internal import Schema
internal import StoreContract

/// A context's pending changes laid over a store's view, so that predicates see what the program sees.
final class ContextOverlay: PendingOverlay {
  let schema: Schema
  private let context: NSManagedObjectContext
  private let place: StorePlaceInContext
  private let view: any StoreView
  private let changed: Set<ObjectKey>

  init(context: NSManagedObjectContext, place: StorePlaceInContext, view: any StoreView) {
    schema = context.modelInfo.schema
    self.context = context
    self.place = place
    self.view = view
    changed = Set(context.pending.lazy.filter { $0.place === place && $0.hasPendingChanges }.map { $0.key })
  }

  func isChanged(_ key: ObjectKey) -> Bool { changed.contains(key) }

  func row(for key: ObjectKey) throws(StoreError) -> Row? {
    if key.isTemporary {
      guard let object = context.registry.temporaryObject(key), !object.isDeleted else { return nil }
      return try object.pendingRow()
    }
    guard changed.contains(key), let object = place.object(for: key) else { return try view.row(for: key) }
    return object.isDeleted ? nil : try object.pendingRow()
  }

  func entityIndex(of key: ObjectKey) -> Int {
    key.isTemporary ? key.entityNumber : place.info(of: key)?.index ?? 0
  }

  /// The object whose own list of members has to be asked, when there are pending changes to it.
  private func lister(of key: ObjectKey, _ property: Int) -> NSManagedObject? {
    if key.isTemporary { return context.registry.temporaryObject(key) }
    guard changed.contains(key), let object = place.object(for: key) else { return nil }
    return object.memberState(property).hasChanges ? object : nil
  }

  func forEachMember(
    of key: ObjectKey, relationship property: Int, _ body: (ObjectKey) throws(StoreError) -> Bool
  ) throws(StoreError) {
    guard let object = lister(of: key, property) else {
      if !key.isTemporary { try view.forEachMember(of: key, relationship: property, body) }
      return
    }
    for member in object.memberKeys(property) {
      if try !body(member) { return }
    }
  }

  func memberCount(of key: ObjectKey, relationship property: Int) throws(StoreError) -> Int {
    if let object = lister(of: key, property) { return object.memberCount(property) }
    return key.isTemporary ? 0 : try view.memberCount(of: key, relationship: property)
  }
}

extension NSManagedObject {
  /// The values now, as a row that predicates can read. Kept until a value changes.
  final func pendingRow() throws(StoreError) -> Row {
    realise()
    if flags.contains(.direct), let row { return row }
    if let known = state?.overlayRow { return known }
    let buffer = RowBuffer()
    let start: Int = try info.entity.layout.encode(key: key, version: version, into: buffer) { self.currentValue($0) }
    let row: Row = buffer.row(at: start)
    ensureState().overlayRow = row
    return row
  }
}
