internal import Foundation
internal import Model
internal import Schema
internal import StoreContract

extension NSManagedObjectContext {
  /// Gives a fault its values, because somebody asks for a property.
  final func fulfil(_ object: NSManagedObject, property: Int?) {
    guard let place = object.place else { return }
    do {
      if let row = try rowBelow(object.key, in: place) {
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
    do { return try membersBelow(object.key, property, in: place) } catch { stopUnreadable(object, error) }
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
