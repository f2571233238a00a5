internal import Foundation
internal import Schema

extension NSManagedObject {
  final func memberState(_ property: Int) -> MemberState {
    let place: Int = info.toManyPlace[property]
    if let state, !state.members.isEmpty, let members = state.members[place] { return members }
    return MemberState(isOrdered: info.entity.properties[property].relationship?.isOrdered == true)
  }

  /// Changes a relationship's members in place.
  final func withMembers<Result>(_ property: Int, _ body: (inout MemberState) -> Result) -> Result {
    let state: ObjectState = ensureState()
    let place: Int = info.toManyPlace[property]
    if state.members.isEmpty { state.members = Array(repeating: nil, count: info.toManyProperties.count) }
    guard var members = state.members[place] else {
      var made: MemberState = memberState(property)
      defer { state.members[place] = made }
      return body(&made)
    }
    // Taken out while it changes, so that its sets have one owner and are not copied.
    state.members[place] = nil
    defer { state.members[place] = members }
    return body(&members)
  }

  /// Reads the members from the store unless that was done.
  final func loadMembers(_ property: Int) {
    checkQueue()
    if let state, !state.members.isEmpty, state.members[info.toManyPlace[property]]?.isLoaded == true { return }
    let saved: [ObjectKey] = savedMembers(property)
    withMembers(property) { $0.load(saved) }
  }

  /// Members as the store has them now, in order if the relationship is ordered.
  final func savedMembers(_ property: Int) -> [ObjectKey] {
    guard let place, let context = registry?.context else { return [] }
    return context.savedMembers(of: self, in: place, property: property)
  }

  /// Keys of the members now: in order, or in the order of their keys.
  final func memberKeys(_ property: Int) -> [ObjectKey] {
    loadMembers(property)
    return withMembers(property) { $0.keys }
  }

  final func memberCount(_ property: Int) -> Int {
    loadMembers(property)
    return withMembers(property) { $0.count }
  }

  /// The members now. Each is a fault unless it was read before.
  final func members(_ property: Int) -> [NSManagedObject] {
    memberKeys(property).compactMap { resolve($0) }
  }

  final func hasMember(_ object: NSManagedObject, _ property: Int) -> Bool {
    loadMembers(property)
    return withMembers(property) { $0.contains(object.key) }
  }

  /// Adds a member and sets the other side.
  ///
  /// - Parameter position: in an ordered relationship; at the end when `nil`. A member that is there stays where it is.
  final func addMember(_ object: NSManagedObject, _ property: Int, at position: Int? = nil) {
    admit(object, to: property)
    let relationship: RelationshipSchema? = info.entity.properties[property].relationship
    if relationship?.isOrdered == true || relationship?.inverse == nil { loadMembers(property) }
    if registry == nil { loadMembers(property) }
    willMutateMembers(property)
    if withMembers(property, { $0.isLoaded && $0.contains(object.key) }) { return }
    withMembers(property) { $0.add(object.key, at: position) }
    if registry == nil { ensureState().objects[-1 - Int(object.key.ordinal)] = object }
    guard !flags.contains(.untracked), let inverse = relationship?.inverse else { return }
    object.inverseGained(self, inverse)
  }

  /// Takes a member out and clears the other side.
  final func removeMember(_ object: NSManagedObject, _ property: Int) {
    guard hasMember(object, property) else { return }
    willMutateMembers(property)
    withMembers(property) { $0.remove(object.key) }
    guard !flags.contains(.untracked), let inverse = info.entity.properties[property].relationship?.inverse else {
      return
    }
    object.inverseLost(self, inverse)
  }

  /// Makes `objects` the members: those that are not among them leave, new ones come, and an ordered relationship
  /// takes their order.
  final func setMembers(_ objects: [NSManagedObject], _ property: Int) {
    for object in objects { admit(object, to: property) }
    loadMembers(property)
    willMutateMembers(property)
    let wanted = Set<ObjectKey>(objects.lazy.map { $0.key })
    for member in members(property) where !wanted.contains(member.key) { removeMember(member, property) }
    for object in objects { addMember(object, property) }
    if info.entity.properties[property].relationship?.isOrdered == true {
      var seen = Set<ObjectKey>()
      reorder(property, objects.lazy.map { $0.key }.filter { seen.insert($0).inserted })
    }
  }

  /// Puts the members of an ordered relationship into another order.
  final func reorder(_ property: Int, _ order: [ObjectKey]) {
    willMutateMembers(property)
    withMembers(property) { $0.reorder(order) }
  }

  /// Moves a member of an ordered relationship, or adds a new one there.
  final func insertMember(_ object: NSManagedObject, _ property: Int, at position: Int) {
    guard hasMember(object, property) else {
      addMember(object, property, at: position)
      return
    }
    var order: [ObjectKey] = memberKeys(property)
    order.removeAll { $0 == object.key }
    order.insert(object.key, at: min(position, order.count))
    reorder(property, order)
  }
}
