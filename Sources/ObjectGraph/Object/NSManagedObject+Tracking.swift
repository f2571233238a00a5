internal import Foundation
internal import Schema

// What every tracked change leaves behind.
extension NSManagedObject {
  /// Comes before a change of an attribute or a to-one relationship.
  final func willMutate(_ property: Int) {
    realise()
    guard !flags.contains(.untracked) else { return }
    let state: ObjectState = ensureState()
    if isRemembered(property, state) {
      state.eventBits.insert(property)
      state.eventValues.append(EventValue(property: property, content: content(of: property)))
    }
    noteChange(property, state)
  }

  /// Comes before a change of a to-many relationship; reads nothing from the store.
  final func willMutateMembers(_ property: Int) {
    checkQueue()
    guard !flags.contains(.untracked) else { return }
    if registry?.recordsUndo == true { loadMembers(property) }
    let state: ObjectState = ensureState()
    if isRemembered(property, state) {
      state.eventBits.insert(property)
      state.eventValues.append(EventValue(property: property, content: .members(memberState(property))))
    }
    noteChange(property, state)
  }

  /// Whether a property's value is the one it had before the event. What only follows from a newer row is nothing that
  /// the program has done.
  private func isRemembered(_ property: Int, _ state: ObjectState) -> Bool {
    !flags.contains(.insertedInEvent) && !state.eventBits.contains(property) && registry?.isCompletingInverses != true
  }

  private func noteChange(_ property: Int, _ state: ObjectState) {
    state.touched.insert(property)
    flags.remove(.toldOfSave)
    if flags.contains([.updated, .updatedInEvent]) { return }
    flags.insert([.updated, .updatedInEvent])
    registry?.context?.note(self)
  }

  private func content(of property: Int) -> EventValue.Content {
    if let object = state?.objects[property] { return .object(object) }
    return .value(currentValue(property))
  }

  // MARK: changes that code announces by hand

  final func beginChange(ofKey key: String) {
    guard let property = info.property(named: key) else {
      noteUnmodeledChange()
      return
    }
    realise()
    if let relationship = info.entity.properties[property].relationship, !relationship.isToMany {
      ensureState().openChanges.append(EventValue(property: property, content: .value(currentValue(property))))
    }
    if info.toManyPlace[property] >= 0 { willMutateMembers(property) } else { willMutate(property) }
  }

  final func endChange(ofKey key: String) {
    guard let property = info.property(named: key), let state,
      let open = state.openChanges.lastIndex(where: { $0.property == property })
    else { return }
    guard case .value(let before) = state.openChanges.remove(at: open).content else { return }
    let after: Value = currentValue(property)
    guard before != after else { return }
    // A primitive setter left the other side alone: put the old value back and set the new one properly.
    storeOwn(property, before)
    var object: NSManagedObject?
    if case .object(let key) = after { object = resolve(key) }
    setToOne(property, object)
  }

  private func noteUnmodeledChange() {
    guard !type(of: self).contextShouldIgnoreUnmodeledPropertyChanges, !flags.contains(.untracked) else { return }
    flags.remove(.toldOfSave)
    if flags.contains([.updated, .updatedInEvent]) { return }
    flags.insert([.updated, .updatedInEvent])
    registry?.context?.note(self)
  }

  /// Forgets what belongs to the event that has ended.
  final func endEvent() {
    flags.remove(.eventKinds)
    flags.remove(.inEvent)
    guard let state, !state.eventValues.isEmpty else { return }
    state.eventValues.removeAll()
    state.eventBits = PropertyBits()
  }
}
