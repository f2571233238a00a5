internal import Foundation
internal import Schema

extension NSManagedObject {
  /// Puts both sides of every changed relationship back to what they were last fetched or saved as, without a trace.
  final func revertRelationships() {
    guard let state else { return }
    for property in info.relationships where state.touched.contains(property) {
      let place: Int = info.toManyPlace[property]
      if place < 0 {
        revertToOne(property)
      } else if !state.members.isEmpty, let members = state.members[place] {
        revertToMany(property, members)
      }
    }
  }

  /// Puts a to-one relationship back, and the other side with it.
  private final func revertToOne(_ property: Int) {
    guard let state, !state.values.isEmpty, state.values[property] != nil else { return }
    let now: ObjectKey? = currentKey(property)
    state.values[property] = nil
    state.overlayRow = nil
    let before: ObjectKey? = currentKey(property)
    guard now != before, let inverse = info.entity.properties[property].relationship?.inverse else { return }
    if let now, let object = resolve(now) { object.inverseReverted(self, inverse, wasAdded: true) }
    if let before, let object = resolve(before) { object.inverseReverted(self, inverse, wasAdded: false) }
  }

  private final func revertToMany(_ property: Int, _ members: MemberState) {
    guard let inverse = info.entity.properties[property].relationship?.inverse else { return }
    for key in members.added { resolve(key)?.inverseReverted(self, inverse, wasAdded: true) }
    for key in members.removed { resolve(key)?.inverseReverted(self, inverse, wasAdded: false) }
  }

  /// The other side of a relationship was put back.
  private final func inverseReverted(_ object: NSManagedObject, _ property: Int, wasAdded: Bool) {
    if info.toManyPlace[property] < 0 {
      revertToOne(property)
    } else if state?.members.isEmpty == false {
      withMembers(property) { members in
        if wasAdded { members.cancelAddition(of: object.key) } else { members.cancelRemoval(of: object.key) }
      }
    }
  }
}
