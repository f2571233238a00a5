public import Foundation

/// A model, frozen into values: entities in a fixed order, each knowing its place.
public struct Schema: Sendable {
  public private(set) var entities: [EntitySchema]
  public let entityIndexByName: [String: Int]
  /// For each entity: itself and every entity below it, in schema order.
  public let descendants: [[Int]]
  /// For each entity: the top of its hierarchy.
  public let roots: [Int]
  /// What the model calls its version, for people.
  public private(set) var versionIdentifiers: [String]

  /// - Precondition: `entities[i].index == i`; super-entities exist and form no cycle. The model layer reports such
  ///   faults to people before it freezes; here they would be mistakes of this package.
  public init(entities: [EntitySchema], versionIdentifiers: [String] = []) {
    self.entities = entities
    self.versionIdentifiers = versionIdentifiers
    var byName: [String: Int] = [:]
    var roots: [Int] = []
    var descendants: [[Int]] = Array(repeating: [], count: entities.count)
    for (index, entity) in entities.enumerated() {
      precondition(entity.index == index, "entity \(entity.name) is out of place")
      byName[entity.name] = index
      var top = index
      var current: Int? = index
      var steps = 0
      while let entityIndex = current {
        descendants[entityIndex].append(index)
        top = entityIndex
        current = entities[entityIndex].superentity
        steps += 1
        precondition(steps <= entities.count, "entity \(entity.name) is its own super-entity")
      }
      roots.append(top)
    }
    entityIndexByName = byName
    self.roots = roots
    self.descendants = descendants
  }

  /// The same with what tells versions of a model apart.
  ///
  /// - Parameter versionHashes: one for each entity; `nil` for an entity that is not to have one.
  public func marked(versionHashes: [Data?], versionIdentifiers: [String]) -> Schema {
    var copy: Schema = self
    for (index, hash) in versionHashes.enumerated() { copy.entities[index].versionHash = hash }
    copy.versionIdentifiers = versionIdentifiers
    return copy
  }

  public func entity(named name: String) -> EntitySchema? {
    entityIndexByName[name].map { entities[$0] }
  }

  /// Whether `entity` is `ancestor` or inherits from it.
  public func isKind(_ entity: Int, of ancestor: Int) -> Bool {
    var current: Int? = entity
    while let index = current {
      if index == ancestor { return true }
      current = entities[index].superentity
    }
    return false
  }
}
