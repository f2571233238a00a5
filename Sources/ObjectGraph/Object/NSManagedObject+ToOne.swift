internal import Foundation
internal import Schema

extension NSManagedObject {
  /// The object that a to-one relationship leads to.
  final func toOne(_ property: Int) -> NSManagedObject? {
    realise()
    if flags.contains(.direct), let row, let place, info.hasSlot[property] {
      let slot: RowSlot = info.slots[property]
      if slot.kind == .reference {
        if row.isNull(slot) { return nil }
        // Most often the context has the object already.
        if let known = place.object(for: row.reference(slot)) { return known }
      }
    }
    guard let key = currentKey(property) else { return nil }
    return resolve(key)
  }

  /// Sets a to-one relationship and the other side with it.
  final func setToOne(_ property: Int, _ object: NSManagedObject?) {
    if let object { admit(object, to: property) }
    willMutate(property)
    let before: ObjectKey? = currentKey(property)
    storeOwn(property, object.map { .object($0.key) } ?? .null)
    hold(object, property)
    guard before != object?.key, !flags.contains(.untracked),
      let inverse = info.entity.properties[property].relationship?.inverse
    else { return }
    if let before, let old = resolve(before) { old.inverseLost(self, inverse) }
    object?.inverseGained(self, inverse)
  }

  /// The other side of a relationship no longer leads here from `object`.
  final func inverseLost(_ object: NSManagedObject, _ property: Int) {
    if info.toManyPlace[property] >= 0 {
      willMutateMembers(property)
      withMembers(property) { $0.remove(object.key) }
    } else {
      realise()
      guard currentKey(property) == object.key else { return }
      willMutate(property)
      storeOwn(property, .null)
      hold(nil, property)
    }
  }

  /// The other side of a relationship now leads here from `object`.
  final func inverseGained(_ object: NSManagedObject, _ property: Int) {
    if info.toManyPlace[property] >= 0 {
      // Where a new member goes in an ordered relationship can only be known once it is read.
      if info.entity.properties[property].relationship?.isOrdered == true { loadMembers(property) }
      willMutateMembers(property)
      withMembers(property) { $0.add(object.key) }
      return
    }
    realise()
    let before: ObjectKey? = currentKey(property)
    guard before != object.key else { return }
    willMutate(property)
    storeOwn(property, .object(object.key))
    hold(object, property)
    // Whoever led here before no longer does.
    if let before, let old = resolve(before),
      let back = info.entity.properties[property].relationship?.inverse
    {
      old.inverseLost(self, back)
    }
  }

  /// Checks that an object may be put into a relationship of this one, and brings it into the context if it is in none.
  final func admit(_ object: NSManagedObject, to property: Int) {
    let schema: PropertySchema = info.entity.properties[property]
    let place: String = "\(info.entity.name).\(schema.name)"
    if let relationship = schema.relationship, object.info.schema.entities.count == info.schema.entities.count,
      !info.schema.isKind(object.info.index, of: relationship.destination)
    {
      ProgrammerError.stop(
        "An object of the entity '\(object.info.entity.name)' can't be a value of \(place), which leads to '\(info.schema.entities[relationship.destination].name)'."
      )
    }
    if object.registry === registry {
      promisePlace(with: object)
      return
    }
    if object.registry == nil, object.key.isTemporary, let context = registry?.context {
      context.insert(object)
    } else if registry == nil, key.isTemporary, let context = object.registry?.context {
      context.insert(self)
    } else {
      ProgrammerError.stop(
        "\(object.info.entity.name) \(object.objectID) can't be a value of \(place): the two objects belong to different contexts. Get the object in this context with object(with:)."
      )
    }
    promisePlace(with: object)
  }

  /// Related objects live in one store: a new one goes where the other is.
  private func promisePlace(with object: NSManagedObject) {
    if place == nil, let theirs = object.place {
      let state: ObjectState = ensureState()
      if state.promisedPlace == nil { state.promisedPlace = theirs }
    } else if object.place == nil, let mine = place {
      let state: ObjectState = object.ensureState()
      if state.promisedPlace == nil { state.promisedPlace = mine }
    }
  }

  /// Objects in no context keep each other alive: nobody else does.
  private func hold(_ object: NSManagedObject?, _ property: Int) {
    if registry == nil, key.isTemporary { ensureState().objects[property] = object }
  }
}

extension NSManagedObject {
  /// Objects in no context that relationships of this one, also in none, lead to.
  final var unregisteredNeighbours: [NSManagedObject] {
    (state?.objects.values.compactMap { $0 as? NSManagedObject } ?? []).filter { $0.registry == nil }
  }

  /// Whether a save has something to do for it.
  final var hasPendingChanges: Bool {
    flags.contains(.inserted)
      ? !flags.contains(.deleted)
      : !flags.isDisjoint(with: [.updated, .deleted]) && !flags.contains(.inaccessible)
  }
}
