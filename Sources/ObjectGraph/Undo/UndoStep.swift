internal import Schema

/// What one event has done to the objects of a context, and how to take it back.
struct UndoStep {
  enum Kind {
    /// To be taken out again.
    case insertion
    /// To be brought back, with all values if a save or the end of the event has taken them.
    case deletion(FullValues)
    /// An undone deletion: to be deleted again.
    case undeletion
    case update
  }

  struct Part {
    let object: NSManagedObject
    let kind: Kind
    /// What its properties held before the event.
    let before: [(property: Int, value: UndoValue)]
  }

  /// All values of an object as they were before it was deleted.
  struct FullValues {
    let values: [(property: Int, value: UndoValue)]
    let place: StorePlaceInContext?
  }

  private(set) var parts: [Part] = []

  /// Looks at the event that is ending, before objects that never were leave the context.
  init(_ event: [NSManagedObject], undeleted: Set<NSManagedObject>) {
    for object in event where !object.flags.contains(.inaccessible) {
      let flags: ObjectFlags = object.flags
      if flags.contains(.deletedInEvent), object.isDeleted {
        guard !flags.contains(.insertedInEvent) else { continue }
        let before: [(property: Int, value: UndoValue)] = Self.before(object)
        parts.append(Part(object: object, kind: .deletion(Self.full(object, before)), before: before))
      } else if undeleted.contains(object) {
        parts.append(Part(object: object, kind: .undeletion, before: Self.before(object)))
      } else if flags.contains(.insertedInEvent), object.isInserted {
        parts.append(Part(object: object, kind: .insertion, before: []))
      } else if flags.contains(.updatedInEvent), object.hasChanges {
        let before: [(property: Int, value: UndoValue)] = Self.before(object)
        if !before.isEmpty { parts.append(Part(object: object, kind: .update, before: before)) }
      }
    }
  }

  var isEmpty: Bool { parts.isEmpty }

  // MARK: remembering

  private static func before(_ object: NSManagedObject) -> [(property: Int, value: UndoValue)] {
    var before: [(property: Int, value: UndoValue)] = []
    for old in object.state?.eventValues ?? [] {
      before.append((old.property, remembered(old.content, object, old.property)))
    }
    return before
  }

  private static func remembered(
    _ content: EventValue.Content, _ object: NSManagedObject, _ property: Int
  ) -> UndoValue {
    switch content {
    case .object(let value): return .value(bytes(of: value, object, property), object: value)
    case .value(.object(let key)): return .toOne(UndoReference(key, seenFrom: object))
    case .value(let value): return .value(value, object: nil)
    case .members(var members):
      if !members.isLoaded { members.load(object.savedMembers(property)) }
      let old = Set<ObjectKey>(members.keys)
      let now: [ObjectKey] = object.memberKeys(property)
      let current = Set<ObjectKey>(now)
      func references(_ keys: [ObjectKey]) -> [UndoReference] {
        keys.map { UndoReference($0, seenFrom: object) }
      }
      return .members(
        added: references(current.subtracting(old).sorted()), removed: references(old.subtracting(current).sorted()),
        before: members.isOrdered ? references(members.keys) : [], after: members.isOrdered ? references(now) : [])
    }
  }

  /// What the row holds for an object of a transformable attribute.
  private static func bytes(of value: Any?, _ object: NSManagedObject, _ property: Int) -> Value {
    guard let value, object.info.hasSlot[property] else { return .null }
    return .data(object.transformed(value, property))
  }

  /// All values of a deleted object, with those of before the event.
  private static func full(
    _ object: NSManagedObject, _ before: [(property: Int, value: UndoValue)]
  ) -> FullValues {
    object.realise()
    var values: [(property: Int, value: UndoValue)] = []
    for property in object.info.entity.properties.indices {
      if object.info.toManyPlace[property] >= 0 {
        let keys: [ObjectKey] = object.memberKeys(property)
        let members: [UndoReference] = keys.map { UndoReference($0, seenFrom: object) }
        let isOrdered: Bool = object.info.entity.properties[property].relationship?.isOrdered == true
        values.append(
          (property, .members(added: [], removed: members, before: isOrdered ? members : [], after: [])))
      } else {
        let content: EventValue.Content =
          object.state?.objects[property].map { .object($0) } ?? .value(object.currentValue(property))
        values.append((property, remembered(content, object, property)))
      }
    }
    // Laid over by what the event itself has changed when both are applied in turn.
    return FullValues(values: values, place: object.place)
  }
}
