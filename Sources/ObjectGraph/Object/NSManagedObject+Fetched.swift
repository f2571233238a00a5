internal import Foundation
internal import Model
internal import Schema

extension NSManagedObject {
  /// A fetched property's value: the results of its request, fetched each time it is asked for.
  final func fetchedValue(_ property: Int) -> Any? {
    guard let description = info.description.propertyDescriptions[property] as? NSFetchedPropertyDescription,
      let request = description.fetchRequest, let context = registry?.context
    else { return nil }
    let variables: [String: Any] = ["FETCH_SOURCE": self, "FETCHED_PROPERTY": description]
    do {
      return try context.results(of: request.settings, affectedStores: request.affectedStores, variables: variables)
    } catch {
      ProgrammerError.stop(
        "\(info.entity.name).\(description.name) can't be fetched, and a property has no way to throw: \(error)")
    }
  }
}
