internal import Schema

/// A to-many relationship of an object in a context: what was added and removed since the last save, and all members
/// once somebody wanted to see them.
///
/// An unordered one takes additions and removals without knowing its members, so that an inverse can be set without
/// reading the other side. Members are keys: temporary ones of objects that are kept alive by being unsaved.
struct MemberState {
  /// Members now; `nil` until read.
  private(set) var members: Set<ObjectKey>?
  /// An ordered relationship's members now, in order.
  private(set) var order: [ObjectKey] = []
  /// An ordered relationship's members as saved, in order.
  private(set) var savedOrder: [ObjectKey] = []
  private(set) var added: Set<ObjectKey> = []
  private(set) var removed: Set<ObjectKey> = []
  let isOrdered: Bool

  init(isOrdered: Bool) { self.isOrdered = isOrdered }

  var isLoaded: Bool { members != nil }
  var hasChanges: Bool { !added.isEmpty || !removed.isEmpty || (isOrdered && order != savedOrder) }

  /// How many members; only once loaded.
  var count: Int { members?.count ?? 0 }

  /// Members in order, or in the order of their keys.
  var keys: [ObjectKey] { isOrdered ? order : (members ?? []).sorted() }

  /// Takes the saved members and lays the pending changes over them.
  mutating func load(_ saved: [ObjectKey]) {
    var now = Set<ObjectKey>(saved)
    added.subtract(now)
    removed.formIntersection(now)
    now.subtract(removed)
    now.formUnion(added)
    members = now
    guard isOrdered else { return }
    savedOrder = saved
    order = saved.filter { !removed.contains($0) } + added.sorted()
  }

  func contains(_ key: ObjectKey) -> Bool { members?.contains(key) ?? added.contains(key) }

  /// - Parameter position: where an ordered relationship takes it; at the end when `nil`.
  mutating func add(_ key: ObjectKey, at position: Int? = nil) {
    if members != nil {
      guard members?.insert(key).inserted == true else { return }
      if isOrdered { order.insert(key, at: min(position ?? order.count, order.count)) }
      // A member that was saved and taken out comes back.
      if removed.remove(key) == nil { added.insert(key) }
      return
    }
    removed.remove(key)
    added.insert(key)
  }

  mutating func remove(_ key: ObjectKey) {
    if members != nil {
      guard members?.remove(key) != nil else { return }
      if isOrdered, let place = order.firstIndex(of: key) { order.remove(at: place) }
      if added.remove(key) == nil { removed.insert(key) }
      return
    }
    added.remove(key)
    removed.insert(key)
  }

  /// Takes back an addition that was not saved.
  mutating func cancelAddition(of key: ObjectKey) {
    guard added.remove(key) != nil else { return }
    members?.remove(key)
    order.removeAll { $0 == key }
  }

  /// Takes back a removal that was not saved.
  mutating func cancelRemoval(of key: ObjectKey) {
    guard removed.remove(key) != nil, members?.insert(key).inserted == true, isOrdered else { return }
    order.append(key)
  }

  /// Puts the members of an ordered relationship into another order.
  mutating func reorder(_ newOrder: [ObjectKey]) { order = newOrder }

  /// Replaces temporary keys by permanent ones; what is pending stays pending.
  mutating func rekey(_ permanent: [ObjectKey: ObjectKey]) {
    members = members.map { Set($0.map { permanent[$0] ?? $0 }) }
    order = order.map { permanent[$0] ?? $0 }
    added = Set(added.map { permanent[$0] ?? $0 })
  }

  /// After a save: what is now, is saved. Temporary keys become permanent.
  mutating func settle(_ permanent: (ObjectKey) -> ObjectKey) {
    if let members { self.members = Set(members.map { $0.isTemporary ? permanent($0) : $0 }) }
    order = order.map { $0.isTemporary ? permanent($0) : $0 }
    savedOrder = order
    added.removeAll()
    removed.removeAll()
  }

  /// Forgets what was read and, unless they are kept, the pending changes.
  mutating func forget(keepingChanges: Bool) {
    if keepingChanges, hasChanges {
      if !isOrdered { members = nil }
      return
    }
    self = MemberState(isOrdered: isOrdered)
  }
}
