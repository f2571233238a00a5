internal import Foundation
internal import Schema

// Reading and writing an object's values below all tracking.
extension NSManagedObject {
  /// Where generated code's index points in this object's entity.
  final func mapped(_ index: Int) -> Int {
    guard let remap = info.remap else { return index }
    let property: Int = index < remap.count ? remap[index] : -1
    guard property >= 0 else {
      ProgrammerError.stop(
        "\(type(of: self)) reads a property that its entity '\(info.entity.name)' does not have: the class was generated from another version of the model."
      )
    }
    return property
  }

  final func ensureState() -> ObjectState {
    if let state { return state }
    let made = ObjectState()
    state = made
    return made
  }

  /// Makes the object have its values.
  final func realise() {
    checkQueue()
    if flags.contains(.realised) { return }
    registry?.context?.fulfil(self, property: nil)
  }

  final func realise(forKey key: String?) {
    checkQueue()
    if flags.contains(.realised) { return }
    let property: Int? = key.flatMap { info.property(named: $0) }
    // A to-many relationship is a fault of its own.
    if let property, info.toManyPlace[property] >= 0 { return }
    registry?.context?.fulfil(self, property: property)
  }

  /// A stored property's value now. The object has its values.
  final func currentValue(_ property: Int) -> Value {
    if let state, !state.values.isEmpty, let own = state.values[property] { return own }
    return savedValue(property)
  }

  /// A stored property's value in the snapshot.
  final func savedValue(_ property: Int) -> Value {
    guard info.hasSlot[property], let row else { return .null }
    return row.value(info.slots[property])
  }

  /// Sets a value without telling anybody.
  final func storeOwn(_ property: Int, _ value: Value) {
    let state: ObjectState = ensureState()
    if state.values.isEmpty { state.values = Array(repeating: nil, count: info.entity.properties.count) }
    state.values[property] = value
    state.overlayRow = nil
    flags.remove(.direct)
  }

  /// Takes a row as its snapshot: the object has its values.
  final func adopt(_ row: Row?) {
    setRow(row)
    state?.overlayRow = nil
    flags.insert(.realised)
    refreshDirect()
  }

  final func refreshDirect() {
    let ownsValues: Bool = state.map { !$0.values.isEmpty } ?? false
    // Reads straight from the row look at no queue.
    if rowBase != nil, !ownsValues, info.remap == nil, !ConcurrencyDebug.isOn {
      flags.insert(.direct)
    } else {
      flags.remove(.direct)
    }
  }

  /// The key that a to-one relationship (or an attribute of type object id) holds now.
  final func currentKey(_ property: Int) -> ObjectKey? {
    if case .object(let key) = currentValue(property) { return key }
    return nil
  }

  /// The object that a key of one of this object's relationships stands for.
  final func resolve(_ key: ObjectKey) -> NSManagedObject? {
    if key.isTemporary { return registry?.temporaryObject(key) ?? unregistered(key) }
    guard let context = registry?.context, let place = referencePlace(in: context) else { return nil }
    return context.object(for: key, in: place)
  }

  /// Members of relationships between objects that belong to no context yet.
  private func unregistered(_ key: ObjectKey) -> NSManagedObject? {
    guard registry == nil else { return nil }
    return state?.objects.values.lazy.compactMap { $0 as? NSManagedObject }.first { $0.key == key }
  }

  /// The store that permanent keys in this object's relationships belong to.
  final func referencePlace(in context: NSManagedObjectContext) -> StorePlaceInContext? {
    place ?? state?.promisedPlace ?? context.onlyPlace
  }
}
