/// What is going on with a managed object, a bit for each.
struct ObjectFlags: OptionSet {
  let rawValue: UInt32

  /// Has its values: from a row, or of its own.
  static let realised = ObjectFlags(rawValue: 1)
  /// Realised, unchanged and laid out as its class was generated: properties are read from the row as they are.
  static let direct = ObjectFlags(rawValue: 2)

  // Pending changes, until the next save.
  static let inserted = ObjectFlags(rawValue: 1 << 2)
  static let updated = ObjectFlags(rawValue: 1 << 3)
  static let deleted = ObjectFlags(rawValue: 1 << 4)
  /// In the context's list of objects with pending changes, which keeps it alive.
  static let tracked = ObjectFlags(rawValue: 1 << 5)

  // The event that is going on.
  static let inEvent = ObjectFlags(rawValue: 1 << 6)
  static let insertedInEvent = ObjectFlags(rawValue: 1 << 7)
  static let updatedInEvent = ObjectFlags(rawValue: 1 << 8)
  static let deletedInEvent = ObjectFlags(rawValue: 1 << 9)
  static let refreshedInEvent = ObjectFlags(rawValue: 1 << 10)
  static let invalidatedInEvent = ObjectFlags(rawValue: 1 << 11)

  /// Setters leave no trace: in `awakeFromFetch`, and while the context itself writes.
  static let untracked = ObjectFlags(rawValue: 1 << 12)
  /// Its row is gone from the store: reads as empty.
  static let inaccessible = ObjectFlags(rawValue: 1 << 13)
  /// Its delete rules have been carried out.
  static let propagated = ObjectFlags(rawValue: 1 << 14)
  /// Has had its `willSave` in the save that is going on, and no change since.
  static let toldOfSave = ObjectFlags(rawValue: 1 << 15)
  /// Its version is to be checked by the next save though it may not be written.
  static let checked = ObjectFlags(rawValue: 1 << 16)
  /// `awakeFromInsert` is running: what it sets is where the object starts from.
  static let awakening = ObjectFlags(rawValue: 1 << 17)
  /// Turning into a fault or out of it.
  static let faulting = ObjectFlags(rawValue: 1 << 18)

  static let changed: ObjectFlags = [.inserted, .updated, .deleted]
  static let eventKinds: ObjectFlags = [
    .insertedInEvent, .updatedInEvent, .deletedInEvent, .refreshedInEvent, .invalidatedInEvent,
  ]
}
