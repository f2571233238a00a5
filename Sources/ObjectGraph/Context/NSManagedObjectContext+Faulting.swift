internal import Foundation
internal import Model
internal import Schema
internal import StoreContract

extension NSManagedObjectContext {
  /// The newest state of a store. A store that can't be read stops the program where no error can be thrown.
  final func view(of place: StorePlaceInContext) throws -> (any StoreView)? { try place.store.backend?.currentView() }

  /// Gives a fault its values, because somebody asks for a property.
  final func fulfil(_ object: NSManagedObject, property: Int?) {
    guard let place = object.place else { return }
    do {
      if let row = try view(of: place)?.row(for: object.key) {
        fulfil(object, with: row)
      } else {
        handleInaccessible(object, property: property)
      }
    } catch {
      stopUnreadable(object, error)
    }
  }

  final func fulfil(_ object: NSManagedObject, with row: Row) {
    object.adopt(row)
    if retainsRegisteredObjects { retained[ObjectIdentifier(object)] = object }
    // What it does to itself here is part of its values, not a change.
    let before: ObjectFlags = object.flags.intersection(.untracked)
    object.flags.insert(.untracked)
    object.awakeFromFetch()
    if before.isEmpty { object.flags.remove(.untracked) }
  }

  /// Members of a relationship as the store has them now.
  final func savedMembers(
    of object: NSManagedObject, in place: StorePlaceInContext, property: Int
  ) -> [ObjectKey] {
    var members: [ObjectKey] = []
    do {
      guard let view = try view(of: place) else { return [] }
      try view.forEachMember(of: object.key, relationship: property) { (member: ObjectKey) throws(StoreError) -> Bool in
        members.append(member)
        return true
      }
    } catch {
      stopUnreadable(object, error)
    }
    return members
  }

  private func handleInaccessible(_ object: NSManagedObject, property: Int?) {
    let description: NSPropertyDescription? = property.map { object.info.description.propertyDescriptions[$0] }
    guard shouldHandleInaccessibleFault(object, for: object.objectID, triggeredByProperty: description) else {
      ProgrammerError.stop(
        "\(object.info.entity.name) \(object.objectID) can't be read: it was deleted from its store. Get objects with existingObject(with:), or let shouldDeleteInaccessibleFaults be true."
      )
    }
    object.adopt(nil)
    object.flags.insert([.inaccessible, .deleted])
    note(object)
  }

  private func stopUnreadable(_ object: NSManagedObject, _ error: any Error) -> Never {
    ProgrammerError.stop(
      "\(object.info.entity.name) \(object.objectID) can't be read, and a property has no way to throw: \(error)")
  }
}
