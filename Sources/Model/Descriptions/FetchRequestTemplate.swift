/// A fetch request as a model file describes it: values only, since requests belong to the layer above.
package struct FetchRequestTemplate: Sendable, Hashable {
  package var name: String
  package var entityName: String
  /// May hold `$VARIABLES`; parsed when the request is made.
  package var predicateFormat: String?
  /// Core Data's raw value: 0 objects, 1 identifiers, 2 dictionaries, 4 count.
  package var resultType: UInt = 0
  /// 0 means no limit.
  package var fetchLimit: Int = 0
  package var fetchBatchSize: Int = 0
  package var includesSubentities = true
  package var includesPropertyValues = true
  package var includesPendingChanges = true
  package var returnsObjectsAsFaults = true
  package var returnsDistinctResults = false
  package var origin = ModelOrigin()

  package init(name: String, entityName: String) {
    self.name = name
    self.entityName = entityName
  }
}
