internal import Schema

/// How to reach one stored property in rows of an entity and of the entities below it, whose layouts may differ.
struct SlotAccess: Sendable {
  let property: Int
  /// The slot, when it is the same in all those entities.
  private let common: RowSlot?
  /// The slot by entity, otherwise.
  private let slots: [RowSlot?]

  /// - Precondition: the property has a slot.
  init(schema: Schema, entity: Int, property: Int) {
    self.property = property
    let own = schema.entities[entity].layout.slots[property]
    let all = schema.descendants[entity].map { schema.entities[$0].layout.slots[property] }
    if let own, all.allSatisfy({ $0.map(own.isSame) ?? false }) {
      common = own
      slots = []
      return
    }
    common = nil
    var slots = [RowSlot?](repeating: nil, count: schema.entities.count)
    for entity in schema.descendants[entity] { slots[entity] = schema.entities[entity].layout.slots[property] }
    self.slots = slots
  }

  /// The kind of value, the same in all entities.
  var kind: SlotKind? {
    if let common { return common.kind }
    for case let slot? in slots { return slot.kind }
    return nil
  }

  /// The slot in a row; `nil` in a row of an entity that the access was not made for, which has no value here.
  @inline(__always)
  func slot(of row: Row, _ scope: borrowing RowScope) -> RowSlot? {
    if let common { return common }
    return otherSlot(of: row, scope)
  }

  private func otherSlot(of row: Row, _ scope: borrowing RowScope) -> RowSlot? {
    let entity = scope.source.entityIndex(of: row.key)
    return slots.indices.contains(entity) ? slots[entity] : nil
  }

  func value(of row: Row, _ scope: borrowing RowScope) -> Value {
    guard let slot = slot(of: row, scope) else { return .null }
    return row.value(slot)
  }

  func reference(of row: Row, _ scope: borrowing RowScope) -> ObjectKey? {
    guard let slot = slot(of: row, scope), !row.isNull(slot) else { return nil }
    return row.reference(slot)
  }
}

extension RowSlot {
  func isSame(_ other: RowSlot) -> Bool {
    kind == other.kind && number == other.number && offset == other.offset && variableOffset == other.variableOffset
      && isFirstVariable == other.isFirstVariable
  }
}
