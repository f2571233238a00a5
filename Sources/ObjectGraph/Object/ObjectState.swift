internal import Foundation
internal import Schema

/// What an object owns once it was changed or one of its to-many relationships was read.
final class ObjectState {
  /// The object's own values by property: `nil` where the row's value stands. Empty until one is set.
  var values: [Value?]
  /// Properties that setters were called for since the last save or refresh.
  var touched = PropertyBits()
  /// The to-many relationships that were read or changed, by their place among the entity's.
  var members: [MemberState?] = []
  /// Values that rows can't hold: objects of transformable attributes, made once, and transient values of any type.
  var objects: [Int: Any] = [:]
  /// What properties held when the event began, for those changed in it.
  var eventValues: [EventValue] = []
  var eventBits = PropertyBits()
  /// The values now as a row, for predicates; `nil` after every change.
  var overlayRow: Row?
  /// The key that the store has promised it, before the save that uses it.
  var promisedKey: ObjectKey?
  var promisedPlace: StorePlaceInContext?
  /// Relationships between a `willChangeValue` and its `didChangeValue`, with what they held.
  var openChanges: [EventValue] = []

  init(values: [Value?] = []) { self.values = values }
}

/// A property's value at some time.
struct EventValue {
  enum Content {
    case value(Value)
    case object(Any?)
    case members(MemberState)
  }
  let property: Int
  let content: Content

  /// The same with permanent keys in place of temporary ones.
  func rekeyed(_ permanent: [ObjectKey: ObjectKey]) -> EventValue {
    switch content {
    case .value(.object(let key)):
      guard let new = permanent[key] else { return self }
      return EventValue(property: property, content: .value(.object(new)))
    case .members(var members):
      members.rekey(permanent)
      return EventValue(property: property, content: .members(members))
    default: return self
    }
  }
}
